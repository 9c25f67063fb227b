import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { BatchLine, ImportBatch } from '../../../core/app/batches.ts';
import { importResults, type ImportResult } from '../../../core/app/transfer.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { SkeletonRows } from '../../ui/query-state.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { MoreButton, RecordLink } from './batch-parts.tsx';
import styles from './data.module.css';
import { describeReason } from './import-log.ts';
import { useBatchLines } from './use-batches.ts';

const messages = text.batches;
const { outcomeColumns, results } = text.data.import;
const { all, filterLabel } = messages;

type LineFilter = ImportResult | 'all';

/** Lines of an import, by result. */
export function BatchLineTable({ batch }: { readonly batch: ImportBatch }) {
  const [filter, setFilter] = useState<LineFilter>('all');
  const filters: readonly LineFilter[] = [
    'all',
    ...importResults.filter((result) => batch.counts[result] > 0),
  ];
  const total = importResults.reduce((sum, result) => sum + batch.counts[result], 0);
  return (
    <div className={styles.section}>
      <div className={styles.row}>
        <SegmentedControl
          size="xs"
          aria-label={filterLabel}
          value={filter}
          data={filters.map((option) => ({
            value: option,
            label:
              option === 'all'
                ? `${all} ${formatCount(total)}`
                : `${results[option]} ${formatCount(batch.counts[option])}`,
          }))}
          onChange={(value) => setFilter(filters.find((candidate) => candidate === value) ?? 'all')}
        />
      </div>
      <Lines id={batch.id} result={filter === 'all' ? undefined : filter} />
    </div>
  );
}

interface LinesProps {
  readonly id: string;
  readonly result: ImportResult | undefined;
}

function Lines({ id, result }: LinesProps) {
  const query = useBatchLines(id, result);
  if (query.data === undefined)
    return query.isError ? (
      <RequestFailure title={messages.lines.failed} query={query} />
    ) : (
      <SkeletonRows count={3} />
    );
  const lines = query.data.pages.flatMap((page) => page.lines);
  if (lines.length === 0) return <p>{messages.lines.none}</p>;
  return (
    <>
      <table className={styles.table} aria-label={messages.lines.table}>
        <TableHead
          columns={[
            outcomeColumns.file,
            [outcomeColumns.place, styles.number],
            outcomeColumns.result,
            outcomeColumns.reason,
          ]}
        />
        <tbody>
          {lines.map((line) => (
            <tr key={line.position}>
              <td className={styles.long} title={line.file}>
                {line.file}
              </td>
              <td className={styles.number}>{line.path ?? line.place}</td>
              <td>{results[line.result]}</td>
              <td className={styles.about}>
                {isResourceType(typeOf(line)) ? (
                  <RecordLink name={line.record} />
                ) : (
                  (describeReason(line) ?? line.record)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <MoreButton query={query} />
    </>
  );
}

/** Returns the type of the record or supporting resource of a line. */
function typeOf({ record = '' }: BatchLine): string {
  return record.split('/', 1)[0] ?? '';
}
