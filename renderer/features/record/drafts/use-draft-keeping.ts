import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { isUnsaved, titleOf, getUnsavedText, type RecordState } from '../record-state.ts';
import type { UnsavedText } from './draft-autosave.ts';
import { DraftsContext } from './drafts-context.ts';
import { draftsKey } from './use-drafts.ts';

/** A tab with the path of its text model and its record. */
export interface DraftedTab {
  readonly path: string;
  readonly record: RecordState;
}

/** Stores a draft for each open tab with unsaved text. Removes it when the text is saved or discarded. */
export function useDraftAutosave(tabs: readonly DraftedTab[]): void {
  const autosave = use(DraftsContext);
  const queries = useQueryClient();

  useEffect(() => {
    autosave.setOpenTabs(new Set(tabs.map(({ path }) => path)));
    for (const { path, record } of tabs) {
      const unsavedText = toUnsavedText(record);
      if (unsavedText) autosave.setText(path, unsavedText);
      else autosave.dropDraft(path);
    }
  }, [autosave, tabs]);

  useEffect(
    () => autosave.watch(() => void queries.invalidateQueries({ queryKey: draftsKey })),
    [autosave, queries],
  );

  useEffect(() => {
    const flush = () => autosave.sendPending();
    const controller = new AbortController();
    window.addEventListener('blur', flush, controller);
    window.addEventListener('pagehide', () => autosave.sendBeforeLeaving(), controller);
    document.addEventListener('visibilitychange', flush, controller);
    return () => controller.abort();
  }, [autosave]);
}

function toUnsavedText(record: RecordState): UnsavedText | undefined {
  const { type, id } = record;
  const { base, text } = getUnsavedText(record);
  if (!base || !isUnsaved(record)) return undefined;
  const { version: baseVersion, etag: baseEtag } = base;
  return { type, recordId: id, title: titleOf(record), baseVersion, baseEtag, base: base.text, text };
}
