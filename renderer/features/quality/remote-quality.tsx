import { Button, Progress } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RemoteJob } from '../../../core/app/remote-quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { toFailure } from '../../ui/failure.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
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
    <div className={styles.remote}>
      <form
        className={styles.check}
        aria-label={words.form}
        onSubmit={(event) => {
          event.preventDefault();
          order('judge');
        }}
      >
        <p>{words.hint(host)}</p>
        {job && isUnderWay(job) && (
          <Button disabled={pending} onClick={() => order('stop')}>
            {words.stop}
          </Button>
        )}
        {job && !isUnderWay(job) && (
          <Button
            type="submit"
            variant="filled"
            disabled={pending}
            leftSection={<IconStethoscope size={16} aria-hidden />}
          >
            {resumed.has(job.state) ? words.resume : words.check}
          </Button>
        )}
        {job && !isUnderWay(job) && job.state !== 'none' && (
          <Button disabled={pending} title={words.anewHint} onClick={() => order('start')}>
            {words.anew}
          </Button>
        )}
      </form>
      {job && job.state !== 'none' && (
        <div className={styles.checkState} role="status">
          <span>{words.states[job.state](job.state === 'done' ? records : job.read, job.total)}</span>
          {job.fault !== undefined && <span>{job.fault}</span>}
          {job.until !== undefined && (
            <span>
              {words.until} <RelativeTime instant={job.until} />
            </span>
          )}
          {job.remarks.map((remark) => (
            <span key={remark}>{words.refused(remark)}</span>
          ))}
          {isUnderWay(job) && (
            <Progress
              className={styles.checkBar ?? ''}
              aria-label={words.progress}
              value={job.total ? (job.read / job.total) * 100 : 0}
            />
          )}
        </div>
      )}
      {error && (
        <div className={styles.padded}>
          <FailureMessage title={words.failed} failure={toFailure(error)} onRetry={look} />
        </div>
      )}
      {!data && !error && <QualitySkeleton />}
      {records > 0 && <div className={styles.checkList}>{children}</div>}
    </div>
  );
}
