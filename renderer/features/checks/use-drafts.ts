import { useMemo, useState } from 'react';
import type { CustomCheck } from '../../../core/app/checks.ts';
import { toDraft, newDraft, hasSameDefinition, type CheckDraft } from './check-draft.ts';

/**
 * Drafts by check ID, so that selecting another check loses nothing. The new check has no ID and is stored under ''.
 */
export function useDrafts(checks: readonly CustomCheck[]) {
  const [selectedId, select] = useState<string>();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, CheckDraft>>(new Map());
  const currentId = selectedId ?? checks[0]?.id ?? '';
  const check = checks.find(({ id }) => id === currentId);
  const changedDrafts = useMemo(
    () => [...drafts].filter(([id, draft]) => !hasSameDefinition(draft, loadDraft(checks, id))),
    [checks, drafts],
  );
  const drop = (id: string) =>
    setDrafts((previousDrafts) => new Map([...previousDrafts].filter(([draftId]) => draftId !== id)));
  return {
    selectedId: currentId,
    check,
    draft: drafts.get(currentId) ?? loadDraft(checks, currentId),
    /** IDs of unsaved drafts. */
    unsavedIds: changedDrafts.map(([id]) => id),
    titles: useMemo(() => changedDrafts.map(([, { title }]) => title), [changedDrafts]),
    choose: select,
    write: (draft: CheckDraft) =>
      setDrafts((previousDrafts) => new Map(previousDrafts).set(currentId, draft)),
    /** Removes a draft that was saved or discarded. */
    drop,
    /** Handles a check that was saved under its ID. */
    markSaved(key: string, id: string): void {
      drop(key);
      select(id);
    },
  };
}

function loadDraft(checks: readonly CustomCheck[], id: string): CheckDraft {
  const storedCheck = checks.find((candidate) => candidate.id === id);
  return storedCheck ? toDraft(storedCheck) : newDraft;
}
