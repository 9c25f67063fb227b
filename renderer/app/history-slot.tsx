import { lazy, Suspense } from 'react';
import type { VersionPair } from '../features/history/history-state.ts';
import type { Subject } from '../features/history/use-history.ts';
import type { RecordTab } from './tabs-state.ts';

const HistoryPane = lazy(async () => {
  const { HistoryPane: component } = await import('../features/history/history-pane.tsx');
  return { default: component };
});

/** What the history needs to know of a tab's record; undefined before it was read. */
export function subjectOf({ record: { type, id, base } }: RecordTab): Subject | undefined {
  return base && { type, id, version: base.version, lastUpdated: base.summary.lastUpdated };
}

interface HistorySlotProps {
  readonly tab: RecordTab;
  readonly onCompare: (pair: VersionPair) => void;
  readonly onRestore: (text: string, version: number) => void;
}

/** The history of a tab's record, for the inspector. */
export function HistorySlot({ tab, onCompare, onRestore }: HistorySlotProps) {
  const subject = subjectOf(tab);
  return (
    <Suspense>{subject && <HistoryPane key={tab.key} {...{ subject, onCompare, onRestore }} />}</Suspense>
  );
}
