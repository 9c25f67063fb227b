import { Button } from '@mantine/core';
import { isUnstored } from '../../../core/fhir/new-record.ts';
import { useId, useMemo, useState } from 'react';
import { recordChanges } from '../../../core/fhir/record-changes.ts';
import { ChangeList } from '../../platform/change-list.tsx';
import { placeOf, useConnection } from '../../platform/connection.ts';
import { DiffView, placeOfChange, type DiffPlace } from '../../platform/diff-view.tsx';
import { useLacksReason } from '../../platform/people.ts';
import { useVerdict } from '../../platform/use-verdict.ts';
import { WhyFields } from '../../platform/why-fields.tsx';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { consentOf, sendLabel } from '../../platform/write-consent.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { countOf } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { ConflictSheet } from './conflict/conflict-sheet.tsx';
import { canSend, type RecordState } from './record-state.ts';
import { inspect } from '../../platform/read-json.ts';
import { ReviewNotice } from './review-notice.tsx';
import frame from '../../ui/view.module.css';
import { Notice } from './review/notice.tsx';
import { RequestPane } from './review/request-pane.tsx';
import styles from './review/review.module.css';
import { VerdictPane } from './review/verdict-pane.tsx';
import type { UnderReview } from './use-record-io.ts';

/** Before a save: what changes, the verdict and the exact request; after it what the server said, or the conflict. */
export function ReviewSheet({ target, base, io }: UnderReview) {
  const { state, dispatch, modelPath } = target;
  const { phase } = state;
  const { remote } = useConnection();
  if (phase.name === 'conflict' && phase.theirs) {
    const { theirs, choices, edited } = phase;
    return <ConflictSheet {...{ target, base, theirs, choices, edited, io }} />;
  }
  const saving = phase.name === 'saving';
  const keepEditing = () => dispatch({ type: 'keepEditing' });
  const goTo = (pointer: string) => {
    keepEditing();
    // Once the sheet is gone: it gives the focus back when it closes.
    requestAnimationFrame(() => revealPointer(modelPath, pointer));
  };

  return (
    <Sheet title={text.review.title} closeLabel={text.review.close} busy={saving} onClose={keepEditing}>
      <ReviewNotice target={target} base={base} io={io} onGo={goTo} />
      {remote && base.etag === undefined && !isUnstored(state.id) && (
        <Notice tone="info" title={text.review.noEtag} detail={text.review.noEtagDetail} />
      )}
      <Changes target={target} base={base} />
      <div className={styles.below}>
        <VerdictPane state={state} onGo={goTo} />
        <RequestPane target={target} disabled={!saving && !canSend(state)} />
      </div>
      <Why target={target} io={io} />
      <ReviewFoot target={target} base={base} io={io} onClose={keepEditing} />
    </Sheet>
  );
}

function Changes({ target: { state }, base }: Pick<UnderReview, 'target' | 'base'>) {
  const [shown, setShown] = useState<DiffPlace>();
  const changes = useMemo(() => {
    const mine = inspect(state.text);
    return mine.valid ? recordChanges(base.root, mine.root) : [];
  }, [base, state.text]);
  const from = state.rebase?.from;
  const theirs = useMemo(() => (from ? recordChanges(from.root, base.root) : []), [from, base]);
  return (
    <div className={frame.beside}>
      <div className={frame.side}>
        <ChangeList
          type={state.type}
          changes={changes}
          name={text.review.changes}
          heading={countOf(changes.length, 'change')}
          onGo={(change) => setShown(placeOfChange(change))}
        />
        {theirs.length > 0 && (
          <ChangeList
            type={state.type}
            changes={theirs}
            name={text.review.theirChanges}
            heading={text.review.ofTheirs(countOf(theirs.length, 'change'))}
            onGo={({ pointer, after }) =>
              // What they removed stands nowhere: its holder is shown.
              setShown({ side: 'original', pointer: after === undefined ? holderOf(pointer) : pointer })
            }
          />
        )}
      </div>
      <DiffView
        key={base.etag ?? base.version ?? 0}
        original={base.text}
        modified={state.text}
        originalLabel={
          isUnstored(state.id) ? text.review.nothingYet : text.review.serverVersion(base.version)
        }
        modifiedLabel={text.review.yours}
        shown={shown}
      />
    </div>
  );
}

function holderOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Why the record is changed; Enter saves, but where each write is asked for. */
function Why({ target, io }: Pick<UnderReview, 'target' | 'io'>) {
  const { state, dispatch } = target;
  const { remote } = useConnection();
  const off = useOff(state);
  const announce = useAnnounce();
  const asks = consentOf(remote).confirmed !== undefined;
  return (
    <WhyFields
      reason={state.reason?.text ?? ''}
      disabled={state.phase.name === 'saving'}
      onReason={(words) =>
        dispatch({ type: 'reasoned', reason: { text: words, at: new Date().toISOString() } })
      }
      onEnter={() => {
        if (off !== undefined) announce(off);
        else if (!asks && canSend(state)) void io.save(target);
      }}
    />
  );
}

/** Why the save would be refused; undefined where nothing is known against it. */
function useOff(state: RecordState): string | undefined {
  const { data: verdict } = useVerdict(state);
  const lacks = useLacksReason(state.reason?.text ?? '');
  const { length: refused } = verdict?.refused ?? [];
  if (refused > 0) return text.review.off(refused);
  return lacks ? text.why.first : undefined;
}

function ReviewFoot({ target, base, io, onClose }: UnderReview & { readonly onClose: () => void }) {
  const { state } = target;
  const why = useId();
  const connection = useConnection();
  const { remote } = connection;
  // Where each write is asked for, Enter alone sends nothing.
  const asks = consentOf(remote).confirmed !== undefined;
  const saving = state.phase.name === 'saving';
  const sendable = saving || canSend(state);
  const announce = useAnnounce();
  const found = useOff(state);
  const off = saving ? undefined : found;
  return (
    <SheetFoot>
      <Button onClick={onClose} disabled={saving} data-autofocus={asks || undefined}>
        {text.review.keepEditing}
      </Button>
      <Button
        variant="filled"
        data-autofocus={!asks || undefined}
        loading={saving}
        disabled={!sendable}
        // It may have the focus when the verdict comes, and says why when it is pressed.
        aria-disabled={off !== undefined || undefined}
        {...(off !== undefined && { 'data-disabled': true })}
        aria-describedby={off === undefined ? undefined : why}
        onClick={() => (off === undefined ? void io.save(target) : announce(off))}
      >
        {sendLabel(remote, text.review.save, text.consent.to)}
      </Button>
      {sendable && (
        <span className={styles.saveAs} id={why}>
          {off ??
            (isUnstored(state.id)
              ? text.review.createAt(placeOf(connection))
              : text.review.saveAs(base.version, placeOf(connection)))}
        </span>
      )}
    </SheetFoot>
  );
}
