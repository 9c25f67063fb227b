import { Button, Progress } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RemoteJob } from '../../../core/app/remote-quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { toFailure } from '../../ui/failure.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import styles from './quality.module.css';
import { QualitySkeleton } from './quality-skeleton.tsx';
import { sumOf } from './shares.ts';
import { isUnderWay, useRemoteJob } from './use-remote-job.ts';

const words = text.quality.remote;

/** What is gone on with where it was left. */
const resumed = new Set<RemoteJob['state']>(['stopped', 'failed']);

/** The Quality view of another server: how far its records are judged, and beneath it the worklist. */
export function RemoteQuality({ children }: { readonly children: ReactNode }) {
  const { host } = useConnection();
  const { data, error, pending, order, look } = useRemoteJob();
  const { job } = data ?? {};
  const records = data ? sumOf(data.records) : 0;
  return (
    <div className={frame.view}>
      <form
        className={styles.check}
        aria-label={words.form}
        onSubmit={(event) => {
          event.preventDefault();
          order('judge');
        }}
      >
        <p>{words.hint(host)}</p>
        {job && <Orders job={job} pending={pending} onOrder={order} />}
      </form>
      {job && <Progressed job={job} records={records} />}
      {error && (
        <div className={frame.padded}>
          <FailureMessage title={words.failed} failure={toFailure(error)} onRetry={look} />
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

/** What can be done with the job as it is; the first is what Enter does, where the job does not go on. */
function Orders({ job, pending, onOrder }: OrdersProps) {
  if (isUnderWay(job)) {
    return (
      <Button disabled={pending} onClick={() => onOrder('stop')}>
        {words.stop}
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
        {resumed.has(job.state) ? words.resume : words.check}
      </Button>
      {job.state !== 'none' && (
        <Button disabled={pending} title={words.anewHint} onClick={() => onOrder('start')}>
          {words.anew}
        </Button>
      )}
    </>
  );
}

/** How far the job is, and what kept it; nothing before the first. */
function Progressed({ job, records }: { readonly job: RemoteJob; readonly records: number }) {
  const { state, read, total, fault, until, remarks } = job;
  if (state === 'none') return null;
  return (
    <div className={styles.checkState} role="status">
      <span>{words.states[state](state === 'done' ? records : read, total)}</span>
      {fault !== undefined && <span>{fault}</span>}
      {until !== undefined && (
        <span>
          {words.until} <RelativeTime instant={until} />
        </span>
      )}
      {remarks.map((remark) => (
        <span key={remark}>{words.refused(remark)}</span>
      ))}
      {isUnderWay(job) && (
        <Progress
          className={styles.checkBar ?? ''}
          aria-label={words.progress}
          value={total ? (read / total) * 100 : 0}
        />
      )}
    </div>
  );
}
