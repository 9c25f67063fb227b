import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ImportBatch } from '../../../core/app/batches.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { SkeletonRows } from '../../ui/query-state.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { localTime } from '../../ui/time.ts';
import { MoreButton, RecordLink } from './batch-parts.tsx';
import { nameOfBatch } from './batch-table.tsx';
import styles from './data.module.css';
import { useComparison } from './use-batches.ts';

const messages = text.batches.compare;
const { columns, kinds } = messages;

interface CompareBatchProps {
  readonly batch: ImportBatch;
  readonly batches: readonly ImportBatch[];
  readonly onClose: () => void;
}

/** Panel with the records that are new, gone and different between two batches. */
export function CompareBatch({ batch, batches, onClose }: CompareBatchProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const others = batches.filter(({ id }) => id !== batch.id);
  // The batch before comes first.
  const before = others.find(({ time, name }) => time < batch.time && name === batch.name);
  const [other, setOther] = useState(before?.id ?? '');
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.section} aria-label={messages.name}>
      <h3 ref={heading} tabIndex={-1}>
        {nameOfBatch(batch)}
      </h3>
      <div className={styles.row}>
        {others.length === 0 ? (
          <p>{messages.none}</p>
        ) : (
          <>
            <label htmlFor="compared-batch">{messages.other}</label>
            <NativeSelect
              id="compared-batch"
              value={other}
              data={[
                { value: '', label: messages.choose },
                ...others.map((candidate) => ({
                  value: candidate.id,
                  label: `${nameOfBatch(candidate)}, ${localTime(candidate.time)}`,
                })),
              ]}
              onChange={({ currentTarget: { value } }) => setOther(value)}
            />
          </>
        )}
        <Button onClick={onClose}>{messages.close}</Button>
      </div>
      {other !== '' && <Differences id={batch.id} other={other} />}
    </section>
  );
}

interface DifferencesProps {
  readonly id: string;
  readonly other: string;
}

function Differences({ id, other }: DifferencesProps) {
  const query = useComparison(id, other);
  const [firstPage] = query.data?.pages ?? [];
  if (!firstPage)
    return query.isError ? (
      <RequestFailure title={messages.failed} query={query} />
    ) : (
      <SkeletonRows count={3} />
    );
  const records = query.data?.pages.flatMap((page) => page.records) ?? [];
  return (
    <>
      <p role="status">{messages.counts(firstPage.counts)}</p>
      {records.length > 0 && (
        <table className={styles.table} aria-label={messages.table}>
          <TableHead columns={[columns.address, columns.kind, columns.record, columns.other]} />
          <tbody>
            {records.map(({ address, kind, record, other: otherRecord }) => (
              <tr key={address}>
                <th scope="row" className={styles.long} title={address}>
                  {address}
                </th>
                <td>{kinds[kind]}</td>
                <td>
                  <RecordLink name={record} />
                </td>
                <td>
                  <RecordLink name={otherRecord} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <MoreButton query={query} />
    </>
  );
}
