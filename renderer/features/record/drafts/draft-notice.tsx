import { Button, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconFileDelta } from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Draft, DraftSummary } from '../../../../core/app/drafts.ts';
import { DiffView } from '../../../platform/diff-view.tsx';
import { useAfterPaint } from '../../../ui/after-paint.ts';
import { isFocusLost } from '../../../ui/focus.ts';
import { Question } from '../../../ui/question.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { SheetFooter } from '../../../ui/sheet-footer.tsx';
import { useStatusFact, useAnnounce } from '../../../ui/status-store.ts';
import { text } from '../../../ui/text.ts';
import { clockTime, exactTime } from '../../../ui/time.ts';
import frame from '../../../ui/view.module.css';
import type { Version } from '../../../platform/record-version.ts';
import { isUnsaved } from '../record-state.ts';
import type { RecordTarget } from '../use-record-requests.ts';
import { useDraftState } from './drafts-context.ts';
import styles from './drafts.module.css';
import { useReturning } from './use-draft-return.ts';
import { useOfferedDrafts, useDraftRequests } from './use-drafts.ts';

/** Shows above the editor the drafts of this record that a crash, a restart or another window left. */
export function DraftBanner({ target }: { readonly target: RecordTarget }) {
  const { state, modelPath } = target;
  // The record loads before its drafts.
  const isReady = useAfterPaint(state.phase.name !== 'loading');
  const offeredDrafts = useOfferedDrafts(isReady);
  const returning = useReturning(offeredDrafts);
  const drafts = offeredDrafts.filter(
    (draft) => draft.type === state.type && draft.recordId === state.id && !returning.includes(draft),
  );
  const offer = useDraftOffer(target);
  useDraftStatus(modelPath);
  const { discardedDraft, discardRequest, comparedDraft } = offer;
  const offers = useFocusReturn(discardedDraft);
  if (drafts.length === 0 && !discardedDraft) return null;
  const isBusy = isUnsaved(state) || state.phase.name === 'loading';
  return (
    <section ref={offers} className={styles.offers} aria-label={text.drafts.offers}>
      {drafts.map((draft) => (
        <DraftRow key={draft.id} draft={draft} version={state.base?.version} offer={offer} busy={isBusy} />
      ))}
      {discardedDraft && (
        <div className={styles.offer}>
          <IconFileDelta size={16} aria-hidden />
          <p>{text.drafts.discardedHere}</p>
          <Button onClick={() => void offer.undo(discardedDraft)}>{text.drafts.undo}</Button>
        </div>
      )}
      {discardRequest && (
        <Question
          title={text.drafts.discardTitle}
          confirm={text.drafts.discardConfirm(discardRequest.title)}
          keep={text.drafts.discardKeep}
          onConfirm={() => void offer.discard(discardRequest)}
          onKeep={() => offer.requestDiscard(undefined)}
        >
          <p>{text.drafts.discardDetail(discardRequest.title, clockTime(discardRequest.saved))}</p>
        </Question>
      )}
      {comparedDraft && (
        <DraftCompare draft={comparedDraft} current={state.base} offer={offer} busy={isBusy} />
      )}
    </section>
  );
}

interface DraftRowProps {
  readonly draft: DraftSummary;
  /** Version in the tab. */
  readonly version: number | undefined;
  readonly offer: DraftOffer;
  /** True if the tab has unsaved text. */
  readonly busy: boolean;
}

function DraftRow({ draft, version, offer, busy }: DraftRowProps) {
  const { saved: savedAt, baseVersion } = draft;
  const isOlder = version !== undefined && baseVersion !== undefined && version !== baseVersion;
  return (
    <div className={styles.offer}>
      <IconFileDelta size={16} aria-hidden />
      <p title={exactTime(savedAt)}>
        {text.drafts.found(clockTime(savedAt), baseVersion)}
        {isOlder && ` ${text.drafts.older(version)}`}
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
      <Button onClick={() => offer.requestDiscard(draft)}>{text.drafts.discard}</Button>
    </div>
  );
}

interface DraftCompareProps extends Pick<DraftRowProps, 'offer' | 'busy'> {
  readonly draft: Draft;
  /** Version in the tab; undefined if the record could not be read. */
  readonly current: Version | undefined;
}

/** Diff of the record and the draft. */
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
      <SheetFooter>
        <Button onClick={() => offer.requestDiscard(draft)}>{text.drafts.discard}</Button>
        <Button variant="filled" data-autofocus disabled={busy} onClick={() => void offer.restore(draft)}>
          {text.drafts.restore}
        </Button>
      </SheetFooter>
    </Sheet>
  );
}

/** Moves the focus to Undo after a discard, and to the offer after an undo. Its button was removed. */
function useFocusReturn(discarded: Draft | undefined): RefObject<HTMLElement | null> {
  const offers = useRef<HTMLElement>(null);
  const previousDraft = useRef(discarded);
  useEffect(() => {
    if (previousDraft.current === discarded) return;
    previousDraft.current = discarded;
    const buttons = offers.current?.querySelectorAll('button') ?? [];
    if (isFocusLost()) buttons[discarded ? buttons.length - 1 : 0]?.focus();
  }, [discarded]);
  return offers;
}

/** Shows in the status bar whether the active text is stored as a draft. */
function useDraftStatus(path: string): void {
  const state = useDraftState(path);
  const savedMessage =
    state?.kind === 'saved'
      ? text.drafts.fact(clockTime(new Date(state.savedAtMs).toISOString()))
      : undefined;
  useStatusFact('draft', state?.kind === 'failed' ? text.drafts.factFailed : savedMessage);
}

/** Warning next to the title that typed text is not stored, because the server does not respond. */
export function UnsafeChip({ modelPath }: { readonly modelPath: string }) {
  if (useDraftState(modelPath)?.kind !== 'failed') return null;
  return (
    <strong className={styles.unsafe} role="alert" title={text.drafts.unsafeHint}>
      <IconAlertTriangle size={14} aria-hidden />
      {text.drafts.unsafe}
    </strong>
  );
}

/** Returns the actions on the drafts of a record. No action rejects; each announces its result. */
function useDraftOffer(target: RecordTarget) {
  const requests = useDraftRequests();
  const announce = useAnnounce();
  const [comparedDraft, setComparedDraft] = useState<Draft>();
  const [discardRequest, setDiscardRequest] = useState<DraftSummary>();
  const [discardedDraft, setDiscardedDraft] = useState<Draft>();

  /** Runs a request and announces `failureMessage` if it fails. */
  async function attempt(failureMessage: string, run: () => Promise<void>) {
    try {
      await run();
    } catch {
      announce(failureMessage);
    }
  }

  return {
    comparedDraft,
    discardRequest,
    discardedDraft,
    requestDiscard: setDiscardRequest,
    closeCompare: () => setComparedDraft(undefined),
    compare: ({ id }: DraftSummary) =>
      attempt(text.drafts.unreadable, async () => setComparedDraft(await requests.loadDraft(id))),
    restore: ({ id }: DraftSummary) =>
      attempt(text.drafts.notRestored, async () => {
        const draft = await requests.claimDraft(id);
        setComparedDraft(undefined);
        const isRestored = requests.applyDraft(draft, target);
        announce(isRestored ? text.drafts.restored(draft.title) : text.drafts.notRestored);
      }),
    discard: ({ id, title }: DraftSummary) =>
      attempt(text.drafts.notDiscarded, async () => {
        const draft = await requests.loadDraft(id);
        await requests.discardDraft(id);
        setDiscardRequest(undefined);
        setComparedDraft(undefined);
        setDiscardedDraft(draft);
        announce(text.drafts.discarded(title));
      }),
    undo: (draft: Draft) =>
      attempt(text.drafts.notRestored, async () => {
        await requests.restoreDraft(draft);
        setDiscardedDraft(undefined);
        announce(text.drafts.undone(draft.title));
      }),
  };
}

type DraftOffer = ReturnType<typeof useDraftOffer>;
