import { useConnection } from '../platform/connection.ts';
import { titleOf, type RecordState } from '../features/record/record-state.ts';
import { useStatus } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';

/** The lower edge: where, what happened last (a live region), and the state of the text in front. */
export function StatusBar({ record }: { readonly record: RecordState | undefined }) {
  const { host } = useConnection();
  const { message, cursor } = useStatus();
  return (
    <footer className={styles.status}>
      <span>{host}</span>
      <span role="status" className={styles.message}>
        {message}
      </span>
      {record?.base && (
        <>
          <span className={styles.state} data-phase={record.phase.name} title={titleOf(record)}>
            {stateWords(record)}
          </span>
          {cursor && <span className={styles.cursor}>{text.status.cursor(cursor.line, cursor.column)}</span>}
          <span>JSON</span>
        </>
      )}
    </footer>
  );
}

function stateWords({ phase }: RecordState): string {
  if (phase.name !== 'invalid') return text.status.phases[phase.name];
  const { line, column, message } = phase.fault;
  return text.status.invalid(line, column, message);
}
