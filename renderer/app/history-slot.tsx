import { lazy, Suspense } from 'react';
import type { VersionPair } from '../features/history/history-state.ts';
import type { Subject } from '../features/history/use-history.ts';
import type { RecordHead } from '../features/record/record-state.ts';

const HistoryPane = lazy(async () => {
  const { HistoryPane: component } = await import('../features/history/history-pane.tsx');
  return { default: component };
});

/** What the history needs to know of a record; undefined before it was read. */
export function subjectOf({ type, id, base }: RecordHead): Subject | undefined {
  return (
    base && {
      ...{ type, id, version: base.version },
      versionId: base.summary.version,
      lastUpdated: base.summary.lastUpdated,
    }
  );
}

interface HistorySlotProps extends RecordHead {
  readonly onCompare: (pair: VersionPair) => void;
  readonly onRestore: (text: string, version: number) => void;
}

/** The history of a tab's record, for the inspector. */
export function HistorySlot({ onCompare, onRestore, ...head }: HistorySlotProps) {
  const subject = subjectOf(head);
  return <Suspense>{subject && <HistoryPane {...{ subject, onCompare, onRestore }} />}</Suspense>;
}
