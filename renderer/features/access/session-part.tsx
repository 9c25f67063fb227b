import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Session } from '../../../core/app/sign-in.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import styles from './access.module.css';
import { useEnd, useSessions } from './use-access.ts';

const messages = text.sessions;

/** Signed-in sessions, each with a button to end it. */
export function SessionPart({ isActive }: { readonly isActive: boolean }) {
  const [sessionToEnd, setSessionToEnd] = useState<Session>();
  return (
    <section aria-label={messages.name}>
      <div className={styles.heading}>
        <h2>{messages.name}</h2>
        <p className="dim">{messages.what}</p>
      </div>
      <QueryContent query={useSessions(isActive)} failureTitle={messages.failed} featureName={messages.offer}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p className={styles.none}>{messages.empty}</p>
          ) : (
            <SessionTable sessions={sessions} onEnd={setSessionToEnd} />
          )
        }
      </QueryContent>
      {sessionToEnd && <EndQuestion session={sessionToEnd} onClose={() => setSessionToEnd(undefined)} />}
    </section>
  );
}

interface SessionTableProps {
  readonly sessions: readonly Session[];
  readonly onEnd: (session: Session) => void;
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  return (
    <table className={table.table} aria-label={messages.name}>
      <TableHead
        columns={Object.entries(messages.columns).map(([name, label]) => [
          label,
          name === 'action' ? table.end : undefined,
        ])}
      />
      <tbody>
        {sessions.map((session) => {
          const { id, scope, begun: startTime, used: lastUsedAt, current } = session;
          return (
            <tr key={id}>
              <th scope="row" title={id}>
                <span className="mono">{shortenId(id)}</span>{' '}
                {current && <span className={styles.mark}>{messages.current}</span>}
              </th>
              <td className="mono">{scope}</td>
              <td>
                <RelativeTime instant={startTime} />
              </td>
              <td>
                <RelativeTime instant={lastUsedAt} />
              </td>
              <td className={table.end}>
                <Button aria-label={messages.endOf(shortenId(id))} onClick={() => onEnd(session)}>
                  {messages.end}
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns the first letters of a session ID, which distinguish it from others. */
function shortenId(id: string): string {
  return id.slice(0, 8);
}

interface EndQuestionProps {
  readonly session: Session;
  readonly onClose: () => void;
}

function EndQuestion({ session: { id, current }, onClose }: EndQuestionProps) {
  const announce = useAnnounce();
  const name = shortenId(id);
  const end = useEnd('sessions', () => {
    announce(messages.ended(name));
    onClose();
  });
  return (
    <Question
      title={messages.endTitle(name)}
      confirm={messages.endOf(name)}
      keep={messages.keep}
      busy={end.isPending}
      onConfirm={() => end.mutate(id)}
      onKeep={onClose}
    >
      <p>{messages.endDetail}</p>
      {current && <p>{messages.endOwn}</p>}
      <RequestFailure title={messages.notEnded} query={end} />
    </Question>
  );
}
