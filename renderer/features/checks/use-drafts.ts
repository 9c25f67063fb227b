import { useMemo, useState } from 'react';
import type { StewardCheck } from '../../../core/app/checks.ts';
import { draftOf, newDraft, sameDraft, type CheckDraft } from './check-draft.ts';

/** What is being written, by check: to look at another loses nothing. The new one has no id yet: it stands under ''. */
export function useDrafts(checks: readonly StewardCheck[]) {
  const [chosen, choose] = useState<string>();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, CheckDraft>>(new Map());
  const shown = chosen ?? checks[0]?.id ?? '';
  const check = checks.find(({ id }) => id === shown);
  const changed = useMemo(
    () => [...drafts].filter(([id, draft]) => !sameDraft(draft, keptOf(checks, id))),
    [checks, drafts],
  );
  const drop = (id: string) => setDrafts((all) => new Map([...all].filter(([one]) => one !== id)));
  return {
    shown,
    check,
    draft: drafts.get(shown) ?? keptOf(checks, shown),
    /** Keys of what is not saved. */
    unsaved: changed.map(([id]) => id),
    titles: useMemo(() => changed.map(([, { title }]) => title), [changed]),
    choose,
    write: (draft: CheckDraft) => setDrafts((all) => new Map(all).set(shown, draft)),
    /** What was written is kept, or given up. */
    drop,
    /** A check was saved under its id. */
    saved(key: string, id: string): void {
      drop(key);
      choose(id);
    },
  };
}

function keptOf(checks: readonly StewardCheck[], id: string): CheckDraft {
  const stands = checks.find((one) => one.id === id);
  return stands ? draftOf(stands) : newDraft;
}
