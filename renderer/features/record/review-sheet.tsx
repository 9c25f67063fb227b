import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { serverStamped } from '../../../core/fhir/record.ts';
import { diff } from '../../../core/json/diff.ts';
import { placeOf, useConnection } from '../../platform/connection.ts';
import { DiffView, type DiffPlace } from '../../platform/diff-view.tsx';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { consentOf, sendLabel } from '../../platform/write-consent.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { ChangeList } from './change-list.tsx';
import { ConflictSheet } from './conflict/conflict-sheet.tsx';
import { canSend, type Version } from './record-state.ts';
import { inspect } from './record-text.ts';
import { ReviewNotice } from './review-notice.tsx';
import sheet from './record.module.css';
import { Notice } from './review/notice.tsx';
import { RequestPane } from './review/request-pane.tsx';
import styles from './review/review.module.css';
import { VerdictPane } from './review/verdict-pane.tsx';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

interface ReviewSheetProps {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly io: RecordIo;
}

/** Before a save: what changes, the verdict and the exact request; after it what the server said, or the conflict. */
export function ReviewSheet({ target, base, io }: ReviewSheetProps) {
  const { state, dispatch, modelPath } = target;
  const { phase } = state;
  if (phase.name === 'conflict' && phase.theirs) {
    return (
      <ConflictSheet
        target={target}
        base={base}
        theirs={phase.theirs}
        choices={phase.choices}
        edited={phase.edited}
        io={io}
      />
    );
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
      {base.etag === undefined && (
        <Notice tone="info" title={text.review.noEtag} detail={text.review.noEtagDetail} />
      )}
      <Changes target={target} base={base} />
      <div className={styles.below}>
        <VerdictPane state={state} onGo={goTo} />
        <RequestPane target={target} disabled={!saving && !canSend(state)} />
      </div>
      <ReviewFoot target={target} base={base} io={io} onClose={keepEditing} />
    </Sheet>
  );
}

function Changes({ target: { state }, base }: Pick<ReviewSheetProps, 'target' | 'base'>) {
  const [shown, setShown] = useState<DiffPlace>();
  const changes = useMemo(() => {
    const mine = inspect(state.text);
    return mine.valid ? diff(base.root, mine.root).filter(({ pointer }) => !serverStamped.has(pointer)) : [];
  }, [base, state.text]);
  return (
    <div className={sheet.compare}>
      <ChangeList
        type={state.type}
        changes={changes}
        onGo={({ pointer, after }) =>
          setShown({ side: after === undefined ? 'original' : 'modified', pointer })
        }
      />
      <DiffView
        key={base.etag ?? base.version ?? 0}
        original={base.text}
        modified={state.text}
        originalLabel={text.review.serverVersion(base.version)}
        modifiedLabel={text.review.yours}
        shown={shown}
      />
    </div>
  );
}

function ReviewFoot({ target, base, io, onClose }: ReviewSheetProps & { readonly onClose: () => void }) {
  const { state } = target;
  const connection = useConnection();
  const { remote } = connection;
  // Where each write is asked for, Enter alone sends nothing.
  const asks = consentOf(remote).confirmed !== undefined;
  const saving = state.phase.name === 'saving';
  const sendable = saving || canSend(state);
  return (
    <footer className={styles.foot}>
      <Button onClick={onClose} disabled={saving} data-autofocus={asks || undefined}>
        {text.review.keepEditing}
      </Button>
      <Button
        variant="filled"
        data-autofocus={!asks || undefined}
        loading={saving}
        disabled={!sendable}
        onClick={() => void io.save(target)}
      >
        {sendLabel(remote, text.review.save, text.consent.to)}
      </Button>
      {sendable && (
        <span className={styles.saveAs}>{text.review.saveAs(base.version, placeOf(connection))}</span>
      )}
    </footer>
  );
}
