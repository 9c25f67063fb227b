import { useSwitchConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';
import { clockTime } from '../../ui/time.ts';
import { Card, Line } from './card.tsx';
import styles from './overview.module.css';
import { useOtherServers, useUnfinished } from './use-records-overview.ts';

const { unfinished, connections } = text.overview;

/** Drafts, and bulk runs that were stopped; each opens where it was left. */
export function UnfinishedCard() {
  const { drafts, runs } = useUnfinished();
  const { openRecord, openBulkRun } = useWorkbenchActions();
  return (
    <Card title={unfinished.title}>
      {drafts.length + runs.length === 0 && <p>{unfinished.none}</p>}
      <ul className={styles.lines}>
        {drafts.map(({ id, type, recordId, title, saved }) => (
          <Line
            key={id}
            title={title || `${type}/${recordId}`}
            detail={unfinished.draft}
            end={clockTime(saved)}
            onOpen={() => openRecord({ type, id: recordId, title })}
          />
        ))}
        {runs.map(({ id, label, counts, updated }) => {
          const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
          return (
            <Line
              key={id}
              title={label}
              detail={unfinished.run(counts.done ?? 0, all)}
              end={clockTime(updated)}
              onOpen={() => openBulkRun(id)}
            />
          );
        })}
      </ul>
    </Card>
  );
}

/** The other servers; each is turned to by a click. */
export function ConnectionsCard() {
  const { data } = useOtherServers();
  const turn = useSwitchConnection();
  const others = data?.connections ?? [];
  return (
    <Card title={connections.title}>
      {data && others.length === 0 && <p>{connections.none}</p>}
      <ul className={styles.lines}>
        {others.map((one) => (
          <Line
            key={one.id}
            title={one.name}
            detail={one.host}
            end={connections.states[one.access]}
            onOpen={() => void turn(one)}
          />
        ))}
      </ul>
    </Card>
  );
}
