import { useState } from 'react';
import type { Draft, DraftSummary } from '../../../../core/app/drafts.ts';
import { useAnnounce } from '../../../ui/status-store.ts';
import { text } from '../../../ui/text.ts';
import type { RecordTarget } from '../use-record-io.ts';
import { useDraftRequests } from './use-drafts.ts';

/** What can be done with the drafts that are offered for a record. Nothing rejects; what happened is announced. */
export function useDraftOffer(target: RecordTarget) {
  const requests = useDraftRequests();
  const announce = useAnnounce();
  const [compared, setCompared] = useState<Draft>();
  const [asked, setAsked] = useState<DraftSummary>();
  const [discarded, setDiscarded] = useState<Draft>();

  /** Runs a request; says `failed` where it does not go through. */
  async function attempt(failed: string, run: () => Promise<void>) {
    try {
      await run();
    } catch {
      announce(failed);
    }
  }

  return {
    compared,
    asked,
    discarded,
    ask: setAsked,
    closeCompare: () => setCompared(undefined),
    compare: ({ id }: DraftSummary) =>
      attempt(text.drafts.unreadable, async () => setCompared(await requests.read(id))),
    restore: ({ id }: DraftSummary) =>
      attempt(text.drafts.notRestored, async () => {
        const draft = await requests.claim(id);
        setCompared(undefined);
        const isBack = requests.take(draft, target);
        announce(isBack ? text.drafts.restored(draft.title) : text.drafts.notRestored);
      }),
    discard: ({ id, title }: DraftSummary) =>
      attempt(text.drafts.notDiscarded, async () => {
        const draft = await requests.read(id);
        await requests.discard(id);
        setAsked(undefined);
        setCompared(undefined);
        setDiscarded(draft);
        announce(text.drafts.discarded(title));
      }),
    undo: (draft: Draft) =>
      attempt(text.drafts.notRestored, async () => {
        await requests.bringBack(draft);
        setDiscarded(undefined);
        announce(text.drafts.undone(draft.title));
      }),
  };
}

export type DraftOffer = ReturnType<typeof useDraftOffer>;
