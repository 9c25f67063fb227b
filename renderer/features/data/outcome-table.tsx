import { useState } from 'react';
import type { ImportResult } from '../../../core/app/transfer.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { Shortened } from '../../ui/shortened.tsx';
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

const { outcome, outcomeColumns: labels, otherType } = text.data.import;
const tones = { stored: 'good', unchanged: 'neutral', refused: 'danger', skipped: 'info' } as const;

function reasonOf({ result, reason = '' }: OutcomeRow): string {
  return result === 'skipped' ? otherType(reason) : reason;
}

/** Letters of a file's name that always stand: files of one folder differ at their end. */
const nameEnd = 24;

/** What became of each record, in the order of the files. */
export function OutcomeTable({ log, filter, results }: OutcomeTableProps) {
  const [current, setCurrent] = useState(0);
  const rowHeight = useRowHeight();
  const count = log.count(filter);
  const columns: readonly GridColumn<OutcomeRow>[] = [
    {
      id: 'file',
      label: labels.file,
      width: 280,
      cell: ({ file }) => <Shortened name={file} end={nameEnd} />,
      hint: ({ file }) => file,
    },
    { id: 'place', label: labels.place, width: 72, end: true, cell: ({ place }) => place },
    {
      id: 'result',
      label: labels.result,
      width: 140,
      cell: ({ result }) => <ToneDot tone={tones[result]} label={results[result]} />,
    },
    { id: 'reason', label: labels.reason, width: 240, share: 1, cell: reasonOf, hint: reasonOf },
  ];
  return (
    <div className={styles.outcome}>
      <Grid
        label={outcome}
        columns={columns}
        rows={{ length: count, at: (index) => log.row(filter, index) }}
        total={count}
        rowHeight={rowHeight}
        current={current}
        keyOf={(_row, index) => String(index)}
        onCurrent={setCurrent}
      />
    </div>
  );
}
