import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { ImportResult } from '../../../core/app/transfer.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import type { ImportLog, OutcomeFilter, OutcomeRow } from './import-log.ts';

interface OutcomeTableProps {
  readonly log: ImportLog;
  readonly filter: OutcomeFilter;
  /** What each result is called. */
  readonly results: Readonly<Record<ImportResult, string>>;
}

const tones = { stored: 'good', unchanged: 'neutral', refused: 'danger', skipped: 'info' } as const;

function reasonOf({ result, reason = '' }: OutcomeRow): string {
  return result === 'skipped' ? text.data.import.otherType(reason) : reason;
}

/** What became of each record, in the order of the files; only the rows in sight are drawn. */
export function OutcomeTable({ log, filter, results }: OutcomeTableProps) {
  const { outcome, outcomeColumns } = text.data.import;
  const scroller = useRef<HTMLDivElement>(null);
  const count = log.count(filter);
  const rowHeight = useRowHeight();
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  return (
    <div
      ref={scroller}
      className={styles.outcome}
      role="table"
      aria-label={outcome}
      aria-rowcount={count + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className={styles.outcomeHead}>
        <div role="row" aria-rowindex={1}>
          {Object.values(outcomeColumns).map((label) => (
            <span key={label} role="columnheader">
              {label}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.outcomeRows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = log.row(filter, index);
          if (!row) return null;
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              <span role="cell" title={row.file}>
                {row.file}
              </span>
              <span role="cell" className={styles.number}>
                {row.place ?? ''}
              </span>
              <span role="cell">
                <ToneDot tone={tones[row.result]} label={results[row.result]} />
              </span>
              <span role="cell" title={reasonOf(row)}>
                {reasonOf(row)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
