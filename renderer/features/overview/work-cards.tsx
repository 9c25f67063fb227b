import { Skeleton } from '@mantine/core';
import { countSent } from '../../../core/app/bulk.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useSwitchConnection } from '../../platform/connection.ts';
import { useConnections } from '../../platform/use-connections.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useDates } from '../../ui/date-language.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { clockTime } from '../../ui/time.ts';
import { Card, CardItem } from './card.tsx';
import styles from './overview.module.css';
import { useUnfinished } from './use-records-overview.ts';

const { unfinished, connections } = text.overview;

/** Drafts, stopped bulk runs and rejected imports. Each opens where it was left. */
export function UnfinishedCard() {
  useDates();
  const { drafts, runs, rejectedImports, isPending, failedQuery } = useUnfinished();
  const runCommand = useRunCommand();
  const { openRecord, openBulkRun } = useWorkbenchActions();
  return (
    <Card title={unfinished.title}>
      {failedQuery ? (
        <RequestFailure title={unfinished.failed} query={failedQuery} />
      ) : (
        drafts.length + runs.length + rejectedImports.length === 0 &&
        (isPending ? <Skeleton height={16} aria-hidden /> : <p>{unfinished.none}</p>)
      )}
      <ul className={styles.lines}>
        {drafts.map(({ id, type, recordId, title, saved: savedTime }) => (
          <CardItem
            key={id}
            title={title || `${type}/${recordId}`}
            detail={unfinished.draft}
            trailing={clockTime(savedTime)}
            onOpen={() => openRecord({ type, id: recordId, title })}
          />
        ))}
        {runs.map(({ id, label, counts, updated }) => {
          const { sent: sentCount, of: sendCount } = countSent(counts);
          return (
            <CardItem
              key={id}
              title={label}
              detail={unfinished.run(sentCount, sendCount)}
              trailing={clockTime(updated)}
              onOpen={() => openBulkRun(id)}
            />
          );
        })}
        {rejectedImports.map(({ seq, note, counts, time }) => (
          <CardItem
            key={seq}
            title={unfinished.refused(counts.refused ?? 0)}
            detail={note}
            trailing={clockTime(time)}
            onOpen={() => runCommand('data.import')}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Other servers. A click switches to one of them. */
export function ConnectionsCard() {
  const query = useConnections();
  const { data } = query;
  const switchTo = useSwitchConnection();
  const otherConnections = data?.connections ?? [];
  return (
    <Card title={connections.title}>
      {query.isPending && <Skeleton height={16} aria-hidden />}
      {!data && <RequestFailure title={connections.failed} query={query} />}
      {data && otherConnections.length === 0 && <p>{connections.none}</p>}
      <ul className={styles.lines}>
        {otherConnections.map((connection) => (
          <CardItem
            key={connection.id}
            title={connection.name}
            detail={connection.host}
            trailing={connections.states[connection.access]}
            onOpen={() => void switchTo(connection)}
          />
        ))}
      </ul>
    </Card>
  );
}
