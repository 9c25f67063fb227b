import { useEffect, useMemo, useRef } from 'react';
import { isSameVersion } from '../../../../core/api/same-version.ts';
import type { DraftSummary } from '../../../../core/app/drafts.ts';
import { previousWindows } from '../../../platform/window-ids.ts';
import { useAnnounce } from '../../../ui/status-store.ts';
import { createStore, useStore } from '../../../ui/store.ts';
import { text } from '../../../ui/text.ts';
import { clockTime } from '../../../ui/time.ts';
import { useStable } from '../../../ui/use-stable.ts';
import type { RecordAction, RecordState } from '../record-state.ts';
import type { DraftedTab } from './use-draft-keeping.ts';
import { baseOf, useDraftRequests, useOfferedDrafts } from './use-drafts.ts';

/** Ids of the drafts that were restored or offered. */
const decidedIds = createStore<ReadonlySet<string>>(new Set());

function markDecided(id: string): void {
  decidedIds.set(new Set([...decidedIds.get(), id]));
}

/** Returns the drafts that this window left at a reload and may restore: the latest per record. */
export function useReturning(drafts: readonly DraftSummary[]): readonly DraftSummary[] {
  const windows = useStore(previousWindows);
  const decidedDraftIds = useStore(decidedIds);
  return useMemo(() => {
    const records = new Set<string>();
    return drafts.filter(({ id, window, type, recordId }) => {
      if (!windows.has(window) || records.has(`${type}/${recordId}`)) return false;
      records.add(`${type}/${recordId}`);
      return !decidedDraftIds.has(id);
    });
  }, [drafts, windows, decidedDraftIds]);
}

/**
 * Restores this window's unsaved text into its tabs once their records are read. A draft is restored only if
 * the server has the version that it began with.
 *
 * @returns Paths of the tabs whose records must be read first.
 */
export function useDraftRestore(
  tabs: readonly DraftedTab[],
  onRecord: (path: string, action: RecordAction) => void,
): ReadonlySet<string> {
  const requests = useDraftRequests();
  const announce = useAnnounce();
  const windows = useStore(previousWindows);
  const returning = useReturning(useOfferedDrafts(windows.size > 0));
  /** Record of a tab without edits since it was read. */
  const cleanRecord = useStable(
    (path: string) => tabs.find((tab) => tab.path === path && tab.record.phase.name === 'clean')?.record,
  );
  const requestedIds = useRef(new Set<string>());

  useEffect(() => {
    async function restoreDraft(id: string, path: string): Promise<void> {
      const base = baseOf(await requests.loadDraft(id));
      const current = cleanRecord(path)?.base;
      if (!current || !isSameVersion(current, base)) return;
      const draft = await requests.claimDraft(id);
      if (!cleanRecord(path)) return;
      const target = { modelPath: path, dispatch: (action: RecordAction) => onRecord(path, action) };
      if (requests.applyDraft(draft, target))
        announce(text.drafts.back(draft.title, clockTime(draft.saved), draft.baseVersion));
    }

    for (const draft of returning) {
      const tab = tabs.find(({ record }) => isOf(draft, record));
      if (!tab || isToBeRead(tab.record) || requestedIds.current.has(draft.id)) continue;
      requestedIds.current.add(draft.id);
      // A failed restore leaves the draft on the server, where it is offered.
      restoreDraft(draft.id, tab.path)
        .catch(() => undefined)
        .finally(() => markDecided(draft.id));
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

/** Returns true if the record is loading, or will be read after the next sign-in. */
function isToBeRead({ phase }: RecordState): boolean {
  return phase.name === 'loading' || (phase.name === 'unreadable' && phase.failure.status === 401);
}

function isOf({ type, recordId }: DraftSummary, record: RecordState): boolean {
  return record.type === type && record.id === recordId;
}
