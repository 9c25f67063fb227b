import { useState } from 'react';
import type { Draft, DraftSummary } from '../../../../core/app/drafts.ts';
import { useAnnounce } from '../../../ui/status-store.ts';
import { text } from '../../../ui/text.ts';
import type { RecordTarget } from '../use-record-requests.ts';
import { useDraftRequests } from './use-drafts.ts';

/** Returns the actions on the drafts of a record. No action rejects; each announces its result. */
export function useDraftOffer(target: RecordTarget) {
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

export type DraftOffer = ReturnType<typeof useDraftOffer>;
