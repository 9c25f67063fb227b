import { Skeleton } from '@mantine/core';
import { sentOf } from '../../../core/app/bulk.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useSwitchConnection } from '../../platform/connection.ts';
import { useConnections } from '../../platform/use-connections.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useDates } from '../../ui/date-language.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { clockTime } from '../../ui/time.ts';
import { Card, Line } from './card.tsx';
import styles from './overview.module.css';
import { useUnfinished } from './use-records-overview.ts';

const { unfinished, connections } = text.overview;

/** Drafts, bulk runs that were stopped and refused imports; each opens where it was left. */
export function UnfinishedCard() {
  useDates();
  const { drafts, runs, refused, pending, failed } = useUnfinished();
  const runCommand = useRunCommand();
  const { openRecord, openBulkRun } = useWorkbenchActions();
  return (
    <Card title={unfinished.title}>
      {failed ? (
        <RequestFailure title={unfinished.failed} of={failed} />
      ) : (
        drafts.length + runs.length + refused.length === 0 &&
        (pending ? <Skeleton height={16} aria-hidden /> : <p>{unfinished.none}</p>)
      )}
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
          const { sent, of } = sentOf(counts);
          return (
            <Line
              key={id}
              title={label}
              detail={unfinished.run(sent, of)}
              end={clockTime(updated)}
              onOpen={() => openBulkRun(id)}
            />
          );
        })}
        {refused.map(({ seq, note, counts, time }) => (
          <Line
            key={seq}
            title={unfinished.refused(counts.refused ?? 0)}
            detail={note}
            end={clockTime(time)}
            onOpen={() => runCommand('data.import')}
          />
        ))}
      </ul>
    </Card>
  );
}

/** The other servers; each is turned to by a click. */
export function ConnectionsCard() {
  const query = useConnections();
  const { data } = query;
  const turn = useSwitchConnection();
  const others = data?.connections ?? [];
  return (
    <Card title={connections.title}>
      {query.isPending && <Skeleton height={16} aria-hidden />}
      {!data && <RequestFailure title={connections.failed} of={query} />}
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
