import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { isUnsaved, titleOf, writtenOf, type RecordState } from '../record-state.ts';
import type { Unsaved } from './draft-keeper.ts';
import { DraftsContext } from './drafts-context.ts';
import { draftsKey } from './use-drafts.ts';

/** A tab as its draft needs it: the path of its text model, and its record. */
export interface DraftedTab {
  readonly path: string;
  readonly record: RecordState;
}

/** Keeps a draft for each open tab with unsaved text, and removes it once the text is saved or discarded. */
export function useDraftKeeping(tabs: readonly DraftedTab[]): void {
  const keeper = use(DraftsContext);
  const queries = useQueryClient();

  useEffect(() => {
    keeper.attend(new Set(tabs.map(({ path }) => path)));
    for (const { path, record } of tabs) {
      const unsaved = unsavedOf(record);
      if (unsaved) keeper.keep(path, unsaved);
      else keeper.drop(path);
    }
  }, [keeper, tabs]);

  useEffect(
    () => keeper.watch(() => void queries.invalidateQueries({ queryKey: draftsKey })),
    [keeper, queries],
  );

  useEffect(() => {
    const flush = () => keeper.flush();
    const listening = new AbortController();
    window.addEventListener('blur', flush, listening);
    window.addEventListener('pagehide', flush, listening);
    document.addEventListener('visibilitychange', flush, listening);
    return () => listening.abort();
  }, [keeper]);
}

function unsavedOf(record: RecordState): Unsaved | undefined {
  const { type, id } = record;
  const { base, text } = writtenOf(record);
  if (!base || !isUnsaved(record)) return undefined;
  const { version: baseVersion, etag: baseEtag } = base;
  return { type, recordId: id, title: titleOf(record), baseVersion, baseEtag, base: base.text, text };
}
