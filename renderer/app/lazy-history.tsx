import { isNewRecord } from '../../core/fhir/new-record.ts';
import type { VersionPair } from '../features/history/history-state.ts';
import type { Subject } from '../features/history/use-history.ts';
import { lazyView } from '../ui/lazy-component.tsx';
import { text } from '../ui/text.ts';
import styles from '../ui/view.module.css';
import type { RecordHead } from '../features/record/record-state.ts';

const HistoryPane = lazyView(async () => (await import('../features/history/history-pane.tsx')).HistoryPane);

/** Returns the subject of a history; undefined until the record is loaded and stored. */
export function toHistorySubject({ type, id, base }: RecordHead): Subject | undefined {
  if (isNewRecord(id)) return undefined;
  return (
    base && {
      type,
      id,
      version: base.version,
      versionId: base.summary.version,
      lastUpdated: base.summary.lastUpdated,
    }
  );
}

interface LazyHistoryProps extends RecordHead {
  readonly onCompare: (pair: VersionPair) => void;
  readonly onRestore: (text: string, version: number) => void;
}

/** History of the record in a tab, for the inspector. */
export function LazyHistory({ onCompare, onRestore, ...head }: LazyHistoryProps) {
  const subject = toHistorySubject(head);
  if (isNewRecord(head.id)) return <p className={styles.padded}>{text.record.refusal.unstored}</p>;
  return subject && <HistoryPane subject={subject} onCompare={onCompare} onRestore={onRestore} />;
}
