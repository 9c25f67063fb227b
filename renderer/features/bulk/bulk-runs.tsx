import { IconArrowBackUp } from '@tabler/icons-react';
import { BulkRunList, countSent, type BulkRun } from '../../../core/app/bulk.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import styles from './bulk.module.css';

const maxVisible = 5;

/** Lists the latest saved runs. Renders nothing if there are none. */
export function BulkRuns() {
  const { name } = useConnection();
  const { data = [] } = useAppQuery('/bulk', BulkRunList, { queryKey: ['bulk', name] });
  if (data.length === 0) return null;
  return (
    <section className={styles.runs} aria-label={text.bulk.runs}>
      <h2>{text.bulk.runs}</h2>
      <ul>
        {data.slice(0, maxVisible).map((run) => (
          <RunItem key={run.id} run={run} />
        ))}
      </ul>
    </section>
  );
}

function RunItem({ run }: { readonly run: BulkRun }) {
  const actions = useWorkbenchActions();
  const { id, label, state, counts, undo, updated } = run;
  const { sent: sentCount, of: sendCount } = countSent(counts);
  const undoState = undo && text.bulk.undo.state(undo.done, counts.done ?? 0, undo.stands);
  return (
    <li>
      <button type="button" title={label} onClick={() => actions.openBulkRun(id)}>
        <span>{label}</span>{' '}
        <small>
          {undoState ?? text.bulk.runStates[state]} · {text.bulk.runCounts(sentCount, sendCount)} ·{' '}
          <RelativeTime instant={updated} />
        </small>
      </button>
      {!undo && (counts.done ?? 0) > 0 && (
        <IconButton
          label={text.bulk.undo.startOf(label)}
          hint={text.bulk.undo.start}
          onClick={() => actions.openBulkRun(id, { undo: true })}
        >
          <IconArrowBackUp size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
