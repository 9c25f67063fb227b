import { Button, Progress } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import { RemoteJob, RemoteQuality as RemoteQualityState } from '../../../core/app/remote-quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { toFailure } from '../../ui/failure.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import styles from './quality.module.css';
import { QualitySkeleton } from './quality-skeleton.tsx';
import { sumCounts } from './percentages.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAppQuery } from '../../platform/use-answer.ts';

const messages = text.quality.remote;

/** States that can be resumed. */
const resumableStates = new Set<RemoteJob['state']>(['stopped', 'failed']);

/** Quality view of another server: progress of the validation, and the worklist below. */
export function RemoteQuality({ children }: { readonly children: ReactNode }) {
  const { host } = useConnection();
  const { data, error, isPending, order, refreshJob } = useRemoteJob();
  const { job } = data ?? {};
  const records = data ? sumCounts(data.records) : 0;
  return (
    <div className={frame.view}>
      <form
        className={styles.check}
        aria-label={messages.form}
        onSubmit={(event) => {
          event.preventDefault();
          order('judge');
        }}
      >
        <p>{messages.hint(host)}</p>
        {job && <JobActions job={job} pending={isPending} onOrder={order} />}
      </form>
      {job && <JobProgress job={job} records={records} />}
      {error && (
        <div className={frame.padded}>
          <FailureMessage title={messages.failed} failure={toFailure(error)} onRetry={refreshJob} />
        </div>
      )}
      {!data && !error && <QualitySkeleton />}
      {records > 0 && <div className={styles.checkList}>{children}</div>}
    </div>
  );
}

interface OrdersProps {
  readonly job: RemoteJob;
  readonly pending: boolean;
  readonly onOrder: (order: 'start' | 'stop') => void;
}

/** Actions for the current state of the job. Enter triggers the first action unless the job is running. */
function JobActions({ job, pending, onOrder }: OrdersProps) {
  if (isInProgress(job)) {
    return (
      <Button disabled={pending} onClick={() => onOrder('stop')}>
        {messages.stop}
      </Button>
    );
  }
  return (
    <>
      <Button
        type="submit"
        variant="filled"
        disabled={pending}
        leftSection={<IconStethoscope size={16} aria-hidden />}
      >
        {resumableStates.has(job.state) ? messages.resume : messages.check}
      </Button>
      {job.state !== 'none' && (
        <Button disabled={pending} title={messages.anewHint} onClick={() => onOrder('start')}>
          {messages.anew}
        </Button>
      )}
    </>
  );
}

/** Progress of the job and its problems. Renders nothing before the first job. */
function JobProgress({ job, records }: { readonly job: RemoteJob; readonly records: number }) {
  const { state, read: readCount, total, fault, until, remarks } = job;
  if (state === 'none') return null;
  return (
    <div className={styles.checkState} role="status">
      <span>{messages.states[state](state === 'done' ? records : readCount, total)}</span>
      {fault !== undefined && <span>{fault}</span>}
      {until !== undefined && (
        <span>
          <MessageNodes message={messages.until} nodes={{ time: <RelativeTime instant={until} /> }} />
        </span>
      )}
      {remarks.map((remark) => (
        <span key={remark}>{messages.refused(remark)}</span>
      ))}
      {isInProgress(job) && (
        <Progress
          className={styles.checkBar ?? ''}
          aria-label={messages.progress}
          value={total ? (readCount / total) * 100 : 0}
        />
      )}
    </div>
  );
}

/** Polling interval of a running job in milliseconds. */
const pollIntervalMs = 1000;

function isInProgress({ state }: Pick<RemoteJob, 'state'>): boolean {
  return state === 'running' || state === 'waiting';
}

/** Loads and controls the validation job of the connection. Lists and counts follow it. */
function useRemoteJob() {
  const { client, name } = useConnection();
  const queries = useQueryClient();
  const { data, error, refetch } = useAppQuery(client.quality, RemoteQualityState, {
    queryKey: ['quality', name, 'job'],
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data.job) ? pollIntervalMs : false),
  });
  const { read: readCount, state } = data?.job ?? {};
  useEffect(() => {
    for (const queryPart of ['overview', 'findings']) {
      void queries.invalidateQueries({ queryKey: ['quality', name, queryPart] });
    }
  }, [queries, name, readCount, state]);
  const change = useMutation({
    mutationFn: (order: 'judge' | 'start' | 'stop') => {
      const path = `${client.quality}/${order === 'stop' ? 'stop' : 'judge'}`;
      const body = order === 'start' ? { from: 'start' } : {};
      return client.requestAs(RemoteJob, 'POST', path, order === 'stop' ? undefined : body);
    },
    onSuccess: () => refetch(),
  });
  return {
    data,
    error: change.error ?? error,
    isPending: change.isPending,
    order: change.mutate,
    refreshJob: () => {
      change.reset();
      void refetch();
    },
  };
}
