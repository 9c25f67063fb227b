import { useEffect, useMemo, useRef } from 'react';
import { isSameVersion } from '../../../../core/api/same-version.ts';
import type { DraftSummary } from '../../../../core/app/drafts.ts';
import { formerWindows } from '../../../platform/window-ids.ts';
import { useAnnounce } from '../../../ui/status-store.ts';
import { createStore, useStore } from '../../../ui/store.ts';
import { text } from '../../../ui/text.ts';
import { clockTime } from '../../../ui/time.ts';
import { useStable } from '../../../ui/use-stable.ts';
import type { RecordAction, RecordState } from '../record-state.ts';
import type { DraftedTab } from './use-draft-keeping.ts';
import { baseOf, useDraftRequests, useOfferedDrafts } from './use-drafts.ts';

/** Drafts of which it is decided whether they come back by themselves: the others of their kind are offered. */
const decided = createStore<ReadonlySet<string>>(new Set());

function decide(id: string): void {
  decided.set(new Set([...decided.get(), id]));
}

/** What this window left when it was loaded anew, and may still come back by itself: of each record the newest. */
export function useReturning(drafts: readonly DraftSummary[]): readonly DraftSummary[] {
  const former = useStore(formerWindows);
  const done = useStore(decided);
  return useMemo(() => {
    const records = new Set<string>();
    return drafts.filter(({ id, window, type, recordId }) => {
      if (!former.has(window) || records.has(`${type}/${recordId}`)) return false;
      records.add(`${type}/${recordId}`);
      return !done.has(id);
    });
  }, [drafts, former, done]);
}

/**
 * Brings what this window wrote and did not save back into its tabs, as soon as their records were read, where it was
 * made on the version that the server holds. Answers the paths of the tabs that are to be read for it.
 */
export function useDraftReturn(
  tabs: readonly DraftedTab[],
  onRecord: (path: string, action: RecordAction) => void,
): ReadonlySet<string> {
  const requests = useDraftRequests();
  const announce = useAnnounce();
  const former = useStore(formerWindows);
  const returning = useReturning(useOfferedDrafts(former.size > 0));
  /** What is in the tab now, where nothing was written in it since it was read. */
  const cleanRecord = useStable(
    (path: string) => tabs.find((tab) => tab.path === path && tab.record.phase.name === 'clean')?.record,
  );
  const asked = useRef(new Set<string>());

  useEffect(() => {
    async function bringBack(id: string, path: string): Promise<void> {
      const base = baseOf(await requests.read(id));
      const held = cleanRecord(path)?.base;
      if (!held || !isSameVersion(held, base)) return;
      const draft = await requests.claim(id);
      if (!cleanRecord(path)) return;
      const target = { modelPath: path, dispatch: (action: RecordAction) => onRecord(path, action) };
      if (requests.take(draft, target))
        announce(text.drafts.back(draft.title, clockTime(draft.saved), draft.baseVersion));
    }

    for (const draft of returning) {
      const tab = tabs.find(({ record }) => isOf(draft, record));
      if (!tab || isToBeRead(tab.record) || asked.current.has(draft.id)) continue;
      asked.current.add(draft.id);
      // What does not go through leaves the draft where it is: it is offered then.
      bringBack(draft.id, tab.path)
        .catch(() => undefined)
        .finally(() => decide(draft.id));
    }
  }, [announce, cleanRecord, onRecord, requests, returning, tabs]);

  return useMemo(
    () =>
      new Set(
        tabs.filter(({ record }) => returning.some((draft) => isOf(draft, record))).map(({ path }) => path),
      ),
    [returning, tabs],
  );
}

/** Whether its record is on its way, or will be read once somebody has signed in again. */
function isToBeRead({ phase }: RecordState): boolean {
  return phase.name === 'loading' || (phase.name === 'unreadable' && phase.failure.status === 401);
}

function isOf({ type, recordId }: DraftSummary, record: RecordState): boolean {
  return record.type === type && record.id === recordId;
}
