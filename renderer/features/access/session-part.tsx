import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Session } from '../../../core/app/sign-in.ts';
import { Answered } from '../../ui/answered.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import styles from './access.module.css';
import { useEnd, useSessions } from './use-access.ts';

const words = text.sessions;

/** The windows that are signed in, each with the way to end it. */
export function SessionPart({ front }: { readonly front: boolean }) {
  const [ending, setEnding] = useState<Session>();
  return (
    <section aria-label={words.name}>
      <div className={styles.heading}>
        <h2>{words.name}</h2>
        <p className="dim">{words.what}</p>
      </div>
      <Answered query={useSessions(front)} failed={words.failed} offer={words.offer}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p className={styles.none}>{words.empty}</p>
          ) : (
            <SessionTable sessions={sessions} onEnd={setEnding} />
          )
        }
      </Answered>
      {ending && <EndQuestion session={ending} onClose={() => setEnding(undefined)} />}
    </section>
  );
}

interface SessionTableProps {
  readonly sessions: readonly Session[];
  readonly onEnd: (session: Session) => void;
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  return (
    <table className={table.table} aria-label={words.name}>
      <TableHead
        columns={Object.entries(words.columns).map(([name, label]) => [
          label,
          name === 'action' ? table.end : undefined,
        ])}
      />
      <tbody>
        {sessions.map((session) => {
          const { id, scope, begun, used, current } = session;
          return (
            <tr key={id}>
              <th scope="row" title={id}>
                <span className="mono">{shortened(id)}</span>{' '}
                {current && <span className={styles.mark}>{words.current}</span>}
              </th>
              <td className="mono">{scope}</td>
              <td>
                <RelativeTime instant={begun} />
              </td>
              <td>
                <RelativeTime instant={used} />
              </td>
              <td className={table.end}>
                <Button aria-label={words.endOf(shortened(id))} onClick={() => onEnd(session)}>
                  {words.end}
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The beginning of a session's id, which is enough to tell it from others. */
function shortened(id: string): string {
  return id.slice(0, 8);
}

interface EndQuestionProps {
  readonly session: Session;
  readonly onClose: () => void;
}

function EndQuestion({ session: { id, current }, onClose }: EndQuestionProps) {
  const announce = useAnnounce();
  const name = shortened(id);
  const end = useEnd('sessions', () => {
    announce(words.ended(name));
    onClose();
  });
  return (
    <Question
      title={words.endTitle(name)}
      confirm={words.endOf(name)}
      keep={words.keep}
      busy={end.isPending}
      onConfirm={() => end.mutate(id)}
      onKeep={onClose}
    >
      <p>{words.endDetail}</p>
      {current && <p>{words.endOwn}</p>}
      <RequestFailure title={words.notEnded} of={end} />
    </Question>
  );
}
