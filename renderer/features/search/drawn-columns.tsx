import { useMemo, type ReactNode } from 'react';
import { writerOf } from '../../../core/app/authorship.ts';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { useHeard } from '../../platform/live.ts';
import { useSightIssues } from '../../platform/sight.ts';
import { useSubjectName } from '../../platform/subject-names.ts';
import { shownReference } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { CopiedId, IssueBar, TwoLines } from './result-cells.tsx';
import { inTwoLines, redrawn, withPeriods, type ResultColumn } from './result-columns.tsx';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

type Columns = readonly ResultColumn[];

/** The columns as they are drawn: the same list until one of them is drawn in another way. */
export function useDrawnColumns(rows: readonly ResultRow[], shown: Columns, comfortable: boolean): Columns {
  const hasPeriods = useMemo(() => rows.some(({ end }) => end !== ''), [rows]);
  const remote = useConnection().remote !== undefined;
  return useMemo(() => {
    // Another server counts no issues: its records are judged here, once their rows are in sight.
    const judged = remote ? redrawn(shown, 'quality', { cell: (row) => <SeenIssues row={row} /> }) : shown;
    const lined = redrawn(comfortable ? inTwoLines(judged) : judged, 'subject', {
      cell: (row) => <SubjectCell row={row} below={comfortable} />,
    });
    return withChangeMarks(hasPeriods ? withPeriods(lined) : lined);
  }, [remote, hasPeriods, comfortable, shown]);
}

/** The columns with a mark at the head of each row whose record was changed since it was listed. */
function withChangeMarks([first, ...others]: Columns): Columns {
  if (!first) return [];
  const cell: ResultColumn['cell'] = (row, ...further) => (
    <>
      {isResourceType(row.type) && <ChangeMark type={row.type} id={row.id} version={row.version} />}
      {first.cell(row, ...further)}
    </>
  );
  return [{ ...first, cell }, ...others];
}

interface ChangeMarkProps {
  readonly type: ResourceType;
  readonly id: string;
  /** As it was listed. */
  readonly version: string;
}

function ChangeMark({ type, id, version }: ChangeMarkProps): ReactNode {
  const heard = useHeard(type, id);
  if (!heard || heard.version <= Number(version)) return null;
  const words = text.results.changed(heard.version, writerOf(heard));
  return <span className={styles.changed} role="img" aria-label={words} title={words} />;
}

function SeenIssues({ row }: { readonly row: ResultRow }): ReactNode {
  const issues = useSightIssues(row);
  return issues && <IssueBar issues={issues} />;
}

interface SubjectCellProps {
  readonly row: ResultRow;
  /** The id stands beneath the name. */
  readonly below: boolean;
}

/** Whom a record is about: by name, which other records may know, else by id. */
function SubjectCell({ row, below }: SubjectCellProps): ReactNode {
  if (row.subjectName === '') return <Unnamed row={row} below={below} />;
  return <Named name={row.subjectName} row={row} below={below} />;
}

function Unnamed(props: SubjectCellProps): ReactNode {
  const { subject } = props.row;
  const name = useSubjectName(props.row);
  if (name !== undefined) return <Named {...props} name={name} />;
  const id = shownReference(subject, 'Patient');
  return id === '' ? null : (
    <span className="mono">
      <CopiedId id={id} />
    </span>
  );
}

function Named({ name, row, below }: SubjectCellProps & { readonly name: string }): ReactNode {
  const id = shownReference(row.subject, 'Patient');
  return below && id !== '' && id !== name ? <TwoLines name={name} below={id} /> : name;
}
