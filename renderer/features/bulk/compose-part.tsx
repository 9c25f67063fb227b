import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { useConnection } from '../../platform/connection.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import styles from './bulk.module.css';
import { FirstResults } from './first-results.tsx';
import { OperationFields } from './operation-fields.tsx';
import type { OperationRow } from './operation-rows.ts';
import { readSample } from './sample.ts';

interface ComposePartProps {
  readonly source: BulkSource;
  readonly rows: readonly OperationRow[];
  readonly onRows: (rows: readonly OperationRow[]) => void;
  readonly faultOf: (expression: string) => string | undefined;
  /** Complete operations; undefined while a row is incomplete. */
  readonly operations: readonly BulkOperation[] | undefined;
}

/** Operation rows with the current values and a preview of the first records. */
export function ComposePart({ source, rows, onRows, faultOf, operations }: ComposePartProps) {
  const { client, name } = useConnection();
  const sample = useQuery({
    queryKey: ['bulk sample', name, source],
    queryFn: () => readSample(client, source),
    gcTime: 0,
  });
  return (
    <div className={styles.compose}>
      <OperationFields rows={rows} onChange={onRows} faultOf={faultOf} sample={sample.data} />
      {sample.isPending && (
        <Skeleton className={styles.sampling} height={16} aria-label={text.bulk.sampling} />
      )}
      {sample.isError && (
        <div className={styles.notice}>
          <RequestFailure title={text.bulk.notSampled} query={sample} />
        </div>
      )}
      {sample.data && operations && <FirstResults sample={sample.data} operations={operations} />}
    </div>
  );
}
