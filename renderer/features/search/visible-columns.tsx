import { useMemo, type ReactNode } from 'react';
import { writerOf } from '../../../core/app/authorship.ts';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { LiteralNames } from '../../platform/literal-name.tsx';
import { useLiveEvents } from '../../platform/live.ts';
import { useReferenceName } from '../../platform/reference-names.ts';
import { ReferringRecord } from '../../platform/referring-record.ts';
import { useVisibleRowIssues } from '../../platform/visible-row-issues.ts';
import { useSubjectName } from '../../platform/subject-names.ts';
import { formatReference } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { CopiedId, IssueBar, TwoLines } from './result-cells.tsx';
import { withTwoLineTitles, withChangedColumn, withPeriods, type ResultColumn } from './result-columns.tsx';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

type Columns = readonly ResultColumn[];

/** Returns the columns with cells for the current view. The list stays the same until a column changes. */
export function useVisibleColumns(
  rows: readonly ResultRow[],
  selectedColumns: Columns,
  comfortable: boolean,
): Columns {
  const hasPeriods = useMemo(() => rows.some(({ end }) => end !== ''), [rows]);
  const remote = useConnection().remote !== undefined;
  return useMemo(() => {
    // Another server counts no issues: this page validates its records while their rows are visible.
    const validatedColumns = remote
      ? withChangedColumn(selectedColumns, 'quality', { cell: (row) => <SeenIssues row={row} /> })
      : withReferenceNames(selectedColumns);
    const linedColumns = withChangedColumn(
      comfortable ? withTwoLineTitles(validatedColumns) : validatedColumns,
      'subject',
      {
        cell: (row) => <SubjectCell row={row} showsId={comfortable} />,
      },
    );
    return withChangeMarks(hasPeriods ? withPeriods(linedColumns) : linedColumns);
  }, [remote, hasPeriods, comfortable, selectedColumns]);
}

/** Shows references by the names of their resources, each from the source of its record. */
function withReferenceNames(columns: Columns): Columns {
  return columns.map((column): ResultColumn => {
    const isEncounter = column.id === 'encounter';
    if (!isEncounter && column.hasReferences !== true) return column;
    return {
      ...column,
      cell: (row, ...cellArguments) => {
        const words = column.valueOf(row);
        return words === '' ? null : (
          <ReferringRecord value={`${row.type}/${row.id}`}>
            {isEncounter ? (
              <EncounterCell reference={words} fallback={column.cell(row, ...cellArguments)} />
            ) : (
              <LiteralNames words={words} />
            )}
          </ReferringRecord>
        );
      },
    };
  });
}

interface EncounterCellProps {
  readonly reference: string;
  /** Shown for an encounter without a name. */
  readonly fallback: ReactNode;
}

function EncounterCell({ reference, fallback }: EncounterCellProps): ReactNode {
  const { display } = useReferenceName({ reference, display: '', pointer: '' });
  return display === '' ? fallback : display;
}

/** Adds a marker to the first column for records that changed since they were listed. */
function withChangeMarks([firstColumn, ...otherColumns]: Columns): Columns {
  if (!firstColumn) return [];
  const cell: ResultColumn['cell'] = (row, ...cellArguments) => (
    <>
      {isResourceType(row.type) && <ChangeMark type={row.type} id={row.id} version={row.version} />}
      {firstColumn.cell(row, ...cellArguments)}
    </>
  );
  return [{ ...firstColumn, cell }, ...otherColumns];
}

interface ChangeMarkProps {
  readonly type: ResourceType;
  readonly id: string;
  /** Version when the row was listed. */
  readonly version: string;
}

function ChangeMark({ type, id, version }: ChangeMarkProps): ReactNode {
  const liveEvent = useLiveEvents(type, id);
  if (!liveEvent || liveEvent.version <= Number(version)) return null;
  const words = text.results.changed(liveEvent.version, writerOf(liveEvent));
  return <span className={styles.changed} role="img" aria-label={words} title={words} />;
}

function SeenIssues({ row }: { readonly row: ResultRow }): ReactNode {
  const issues = useVisibleRowIssues(row);
  return issues && <IssueBar issues={issues} />;
}

interface SubjectCellProps {
  readonly row: ResultRow;
  /** True if the ID appears below the name. */
  readonly showsId: boolean;
}

/** Patient of a record: by name, which may come from another record, otherwise by ID. */
function SubjectCell({ row, showsId }: SubjectCellProps): ReactNode {
  if (row.subjectName === '') return <UnnamedSubject row={row} showsId={showsId} />;
  return <NamedSubject name={row.subjectName} row={row} showsId={showsId} />;
}

function UnnamedSubject(props: SubjectCellProps): ReactNode {
  const { subject } = props.row;
  const name = useSubjectName(props.row);
  if (name !== undefined) return <NamedSubject {...props} name={name} />;
  const id = formatReference(subject, 'Patient');
  return id === '' ? null : (
    <span className="mono">
      <CopiedId id={id} />
    </span>
  );
}

function NamedSubject({ name, row, showsId }: SubjectCellProps & { readonly name: string }): ReactNode {
  const id = formatReference(row.subject, 'Patient');
  return showsId && id !== '' && id !== name ? <TwoLines name={name} id={id} /> : name;
}
