import { Button, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconFileDelta } from '@tabler/icons-react';
import { useEffect, useRef, type RefObject } from 'react';
import type { Draft, DraftSummary } from '../../../../core/app/drafts.ts';
import { DiffView } from '../../../platform/diff-view.tsx';
import { useAfterPaint } from '../../../ui/after-paint.ts';
import { isFocusLost } from '../../../ui/focus.ts';
import { Question } from '../../../ui/question.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { SheetFoot } from '../../../ui/sheet-foot.tsx';
import { useStatusFact } from '../../../ui/status-store.ts';
import { text } from '../../../ui/text.ts';
import { clockTime, exactTime } from '../../../ui/time.ts';
import frame from '../../../ui/view.module.css';
import type { Version } from '../../../platform/record-version.ts';
import { isUnsaved } from '../record-state.ts';
import type { RecordTarget } from '../use-record-io.ts';
import { useDraftState } from './drafts-context.ts';
import styles from './drafts.module.css';
import { useReturning } from './use-draft-return.ts';
import { useDraftOffer, type DraftOffer } from './use-draft-offer.ts';
import { useOfferedDrafts } from './use-drafts.ts';

/** Above the editor: the drafts of this record that a crash, a restart or another window left. */
export function DraftNotice({ target }: { readonly target: RecordTarget }) {
  const { state, modelPath } = target;
  // The record itself comes first.
  const ready = useAfterPaint(state.phase.name !== 'loading');
  const left = useOfferedDrafts(ready);
  const returning = useReturning(left);
  const drafts = left.filter(
    (one) => one.type === state.type && one.recordId === state.id && !returning.includes(one),
  );
  const offer = useDraftOffer(target);
  useDraftFact(modelPath);
  const { discarded, asked, compared } = offer;
  const offers = useFocusKept(discarded);
  if (drafts.length === 0 && !discarded) return null;
  const busy = isUnsaved(state) || state.phase.name === 'loading';
  return (
    <section ref={offers} className={styles.offers} aria-label={text.drafts.offers}>
      {drafts.map((draft) => (
        <Offer key={draft.id} draft={draft} version={state.base?.version} offer={offer} busy={busy} />
      ))}
      {discarded && (
        <div className={styles.offer}>
          <IconFileDelta size={16} aria-hidden />
          <p>{text.drafts.discardedHere}</p>
          <Button onClick={() => void offer.undo(discarded)}>{text.drafts.undo}</Button>
        </div>
      )}
      {asked && (
        <Question
          title={text.drafts.discardTitle}
          confirm={text.drafts.discardConfirm(asked.title)}
          keep={text.drafts.discardKeep}
          onConfirm={() => void offer.discard(asked)}
          onKeep={() => offer.ask(undefined)}
        >
          <p>{text.drafts.discardDetail(asked.title, clockTime(asked.saved))}</p>
        </Question>
      )}
      {compared && <DraftCompare draft={compared} current={state.base} offer={offer} busy={busy} />}
    </section>
  );
}

interface OfferProps {
  readonly draft: DraftSummary;
  /** Version that the tab holds. */
  readonly version: number | undefined;
  readonly offer: DraftOffer;
  /** The tab has unsaved text of its own. */
  readonly busy: boolean;
}

function Offer({ draft, version, offer, busy }: OfferProps) {
  const { saved, baseVersion } = draft;
  const older = version !== undefined && baseVersion !== undefined && version !== baseVersion;
  return (
    <div className={styles.offer}>
      <IconFileDelta size={16} aria-hidden />
      <p title={exactTime(saved)}>
        {text.drafts.found(clockTime(saved), baseVersion)}
        {older && ` ${text.drafts.older(version)}`}
      </p>
      <Tooltip label={text.drafts.unsavedHere} disabled={!busy}>
        <Button
          variant="filled"
          aria-disabled={busy}
          {...(busy && { 'data-disabled': true })}
          onClick={busy ? undefined : () => void offer.restore(draft)}
        >
          {text.drafts.restore}
        </Button>
      </Tooltip>
      <Button onClick={() => void offer.compare(draft)}>{text.drafts.compare}</Button>
      <Button onClick={() => offer.ask(draft)}>{text.drafts.discard}</Button>
    </div>
  );
}

interface DraftCompareProps extends Pick<OfferProps, 'offer' | 'busy'> {
  readonly draft: Draft;
  /** What the tab holds; absent where the record could not be read. */
  readonly current: Version | undefined;
}

/** The record as it is beside the draft. */
function DraftCompare({ draft, current, offer, busy }: DraftCompareProps) {
  return (
    <Sheet
      title={text.drafts.compareTitle(draft.title)}
      closeLabel={text.drafts.closeCompare}
      closeOnClickOutside
      onClose={offer.closeCompare}
    >
      <div className={frame.beside}>
        <DiffView
          original={current?.text ?? draft.base}
          modified={draft.text}
          originalLabel={current ? text.drafts.record(current.version) : text.drafts.noRecord}
          modifiedLabel={text.drafts.draft(clockTime(draft.saved))}
        />
      </div>
      <SheetFoot>
        <Button onClick={() => offer.ask(draft)}>{text.drafts.discard}</Button>
        <Button variant="filled" data-autofocus disabled={busy} onClick={() => void offer.restore(draft)}>
          {text.drafts.restore}
        </Button>
      </SheetFoot>
    </Sheet>
  );
}

/** The focus goes to what undoes a discard, and from there to what is offered again: the button that had it is gone. */
function useFocusKept(discarded: Draft | undefined): RefObject<HTMLElement | null> {
  const offers = useRef<HTMLElement>(null);
  const before = useRef(discarded);
  useEffect(() => {
    if (before.current === discarded) return;
    before.current = discarded;
    const buttons = offers.current?.querySelectorAll('button') ?? [];
    if (isFocusLost()) buttons[discarded ? buttons.length - 1 : 0]?.focus();
  }, [discarded]);
  return offers;
}

/** Says in the status bar whether the text in front is safe. */
function useDraftFact(path: string): void {
  const state = useDraftState(path);
  const saved =
    state?.kind === 'saved' ? text.drafts.fact(clockTime(new Date(state.at).toISOString())) : undefined;
  useStatusFact('draft', state?.kind === 'failed' ? text.drafts.factFailed : saved);
}

/** Beside the title: what is typed now is kept nowhere, because the server does not answer. */
export function UnsafeChip({ modelPath }: { readonly modelPath: string }) {
  if (useDraftState(modelPath)?.kind !== 'failed') return null;
  return (
    <strong className={styles.unsafe} role="alert" title={text.drafts.unsafeHint}>
      <IconAlertTriangle size={14} aria-hidden />
      {text.drafts.unsafe}
    </strong>
  );
}
