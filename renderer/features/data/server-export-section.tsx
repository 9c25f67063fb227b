import { Button, Checkbox } from '@mantine/core';
import { IconServer } from '@tabler/icons-react';
import { useState } from 'react';
import { isUnfinishedExport, type ServerExport } from '../../../core/app/server-exports.ts';
import {
  useChangeServerExport,
  useRemoveServerExport,
  useServerExports,
} from '../../platform/server-exports.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { clockTime } from '../../ui/time.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { ServerExportDialog } from './server-export-dialog.tsx';

const messages = text.serverExports;

/** Button that opens the dialog of a bulk export. */
export function ServerExportButton({ disabled }: { readonly disabled: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const announce = useAnnounce();
  return (
    <>
      <Button
        disabled={disabled}
        leftSection={<IconServer size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {messages.open}
      </Button>
      {isOpen && (
        <ServerExportDialog
          onClose={() => setOpen(false)}
          onStarted={({ host }) => {
            setOpen(false);
            announce(messages.started(host));
          }}
        />
      )}
    </>
  );
}

/** Exports of other servers with their progress. Hidden without any. */
export function ServerExportSection() {
  const query = useServerExports();
  const { data = [] } = query;
  if (!query.isError && data.length === 0) return null;
  return (
    <section className={styles.section} aria-label={messages.heading}>
      <h3>{messages.heading}</h3>
      <RequestFailure title={messages.listFailed} query={query} />
      {data.map((serverExport) => (
        <ServerExportEntry key={serverExport.id} serverExport={serverExport} />
      ))}
    </section>
  );
}

interface EntryProps {
  readonly serverExport: ServerExport;
}

function ServerExportEntry({ serverExport }: EntryProps) {
  const { id, state, result, fault } = serverExport;
  const name = messages.nameOf(serverExport);
  const change = useChangeServerExport();
  const remove = useRemoveServerExport();
  const send = (action: string) => change.mutate({ path: `/server-exports/${id}/${action}` });
  const isBusy = change.isPending || remove.isPending;
  return (
    <section className={styles.section} aria-label={name}>
      <div className={styles.row}>
        <strong>{name}</strong>
        <span className={styles.figures}>{describeState(serverExport)}</span>
        {state === 'failed' && (
          <Button
            size="xs"
            disabled={isBusy}
            aria-label={messages.resumeOf(name)}
            onClick={() => send('resume')}
          >
            {messages.resume}
          </Button>
        )}
        {isUnfinishedExport(serverExport) ? (
          <Button size="xs" disabled={isBusy} aria-label={messages.stopOf(name)} onClick={() => send('stop')}>
            {messages.stop}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="subtle"
            disabled={isBusy}
            aria-label={messages.removeOf(name)}
            onClick={() => remove.mutate(id)}
          >
            {messages.remove}
          </Button>
        )}
      </div>
      {fault !== undefined && <p>{fault}</p>}
      {state === 'asking' && <AllowServers serverExport={serverExport} />}
      {result && <p>{text.data.import.done(result.done, false)}</p>}
      <ProblemTable serverExport={serverExport} />
      <RequestFailure title={messages.changeFailed} query={change} />
      <RequestFailure title={messages.changeFailed} query={remove} />
    </section>
  );
}

function describeState({ state, step, progress, until, files, bytes = 0 }: ServerExport): string {
  if (state === 'stopped' || state === 'failed' || state === 'done') return messages.states[state];
  const isPreparing = step === 'prepare' && progress !== undefined;
  return [
    isPreparing ? `${messages.steps[step]}: ${progress}.` : `${messages.steps[step]}.`,
    ...(files && step === 'download' ? [`${messages.files(files.read, files.total, bytes)}.`] : []),
    ...(until === undefined ? [] : [messages.waiting(clockTime(until))]),
  ].join(' ');
}

/** Asks which other servers may be asked for files, and which of them get the token. */
function AllowServers({ serverExport: { id, host, servers = [] } }: EntryProps) {
  const [tokenOrigins, setTokenOrigins] = useState<readonly string[]>([]);
  const allow = useChangeServerExport();
  return (
    <>
      <p>{messages.asking(host)}</p>
      <ul>
        {servers.map(({ origin, requiresToken }) => (
          <li key={origin}>
            <strong>{origin}</strong>
            {requiresToken && (
              <Checkbox
                size="xs"
                label={messages.sendToken(new URL(origin).host)}
                description={messages.sendTokenHint(host)}
                checked={tokenOrigins.includes(origin)}
                onChange={({ currentTarget: { checked } }) =>
                  setTokenOrigins(
                    checked ? [...tokenOrigins, origin] : tokenOrigins.filter((other) => other !== origin),
                  )
                }
              />
            )}
          </li>
        ))}
      </ul>
      <div className={styles.row}>
        <Button
          loading={allow.isPending}
          onClick={() =>
            allow.mutate({
              path: `/server-exports/${id}/servers`,
              body: {
                servers: servers.map(({ origin }) => ({ origin, sendsToken: tokenOrigins.includes(origin) })),
              },
            })
          }
        >
          {messages.allow(servers.length)}
        </Button>
      </div>
      <RequestFailure title={messages.changeFailed} query={allow} />
    </>
  );
}

function ProblemTable({ serverExport: { problems = [] } }: EntryProps) {
  if (problems.length === 0) return null;
  const { file, place, reason } = text.data.import.outcomeColumns;
  return (
    <div className={styles.files} tabIndex={0} role="region" aria-label={messages.problems}>
      <table className={styles.table}>
        <TableHead columns={[file, place, reason]} />
        <tbody>
          {problems.map((problem, index) => (
            // A file can have several problems at one place.
            <tr key={index}>
              <td>{problem.file}</td>
              <td>{problem.path ?? problem.place}</td>
              <td>{problem.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
