import { useState } from 'react';
import type { ImportResult } from '../../../core/app/transfer.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { useWorkbenchActions, type RecordToOpen } from '../../platform/workbench-actions.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import type { ImportLog, OutcomeFilter, OutcomeRow } from './import-log.ts';

interface OutcomeTableProps {
  readonly log: ImportLog;
  readonly filter: OutcomeFilter;
  /** Labels of the results. */
  readonly results: Readonly<Record<ImportResult, string>>;
  /** True if nothing was stored, so that a record may not exist. */
  readonly dryRun: boolean;
}

const { outcome, outcomeColumns: labels, allInFolder: inFolder } = text.data.import;
const tones = {
  stored: 'good',
  unchanged: 'neutral',
  refused: 'danger',
  skipped: 'info',
  kept: 'good',
  replaced: 'good',
} as const;

/** Final letters of a file name that are always visible, because files of one folder differ there. */
const nameEnd = 24;
/** Final letters of a path that are always visible. */
const placeEnd = 8;
/** Final letters of an ID that are always visible. */
const idEnd = 8;

function reasonOf({ reason = '', record = '' }: OutcomeRow): string {
  return reason === '' ? record : reason;
}

function recordOf({ result, record = '' }: OutcomeRow, dryRun: boolean): RecordToOpen | undefined {
  const [type = '', id = ''] = record.split('/');
  if (!isResourceType(type) || (dryRun && result !== 'unchanged')) return undefined;
  return { type, id, title: '' };
}

/** Result of each record, rejected records first, then in file order. Stored records can be opened. */
export function OutcomeTable({ log, filter, results, dryRun }: OutcomeTableProps) {
  const [current, setCurrent] = useState(0);
  const { openRecord } = useWorkbenchActions();
  const rowHeight = useRowHeight();
  const count = log.count(filter);
  const { folder } = log;
  const currentRow = log.row(filter, Math.min(current, count - 1));
  const createOpener = (row: OutcomeRow) => {
    const record = recordOf(row, dryRun);
    return record && (() => openRecord(record));
  };
  return (
    <>
      {folder !== '' && <p className={styles.folder}>{inFolder(folder)}</p>}
      <div className={styles.outcome}>
        <Grid
          label={outcome}
          columns={columnsOf(folder, results, createOpener)}
          rows={{ length: count, at: (index) => log.row(filter, index) }}
          total={count}
          rowHeight={rowHeight}
          current={Math.min(current, count - 1)}
          keyOf={(_row, index) => String(index)}
          onCurrent={setCurrent}
          onOpen={(row) => createOpener(row)?.()}
        />
      </div>
      {currentRow?.reason !== undefined && (
        <p className={styles.reason}>
          <strong>{currentRow.file.slice(folder.length)}</strong> {currentRow.path} {reasonOf(currentRow)}
        </p>
      )}
    </>
  );
}

/** Returns the columns. `opening` returns the handler that opens the record of a row, if it has one. */
function columnsOf(
  folder: string,
  results: OutcomeTableProps['results'],
  opening: (row: OutcomeRow) => (() => void) | undefined,
): readonly GridColumn<OutcomeRow>[] {
  return [
    {
      id: 'file',
      label: labels.file,
      width: 200,
      flexShare: 1.4,
      cell: ({ file }) => <TruncatedText name={file.slice(folder.length)} end={nameEnd} />,
      hint: ({ file }) => file,
    },
    {
      id: 'place',
      label: labels.place,
      width: 96,
      isEndAligned: true,
      cell: ({ place, path }) => (path === undefined ? place : <TruncatedText name={path} end={placeEnd} />),
      hint: ({ path = '' }) => path,
    },
    {
      id: 'result',
      label: labels.result,
      // `Would be stored as a related resource` fits.
      width: 256,
      cell: ({ result }) => <ToneDot tone={tones[result]} label={results[result]} />,
    },
    {
      id: 'reason',
      label: labels.reason,
      width: 240,
      flexShare: 2,
      cell: (row) => {
        const open = opening(row);
        return open ? (
          <LinkButton onClick={open}>
            <TruncatedText name={row.record ?? ''} end={idEnd} />
          </LinkButton>
        ) : (
          reasonOf(row)
        );
      },
      hint: reasonOf,
    },
  ];
}
