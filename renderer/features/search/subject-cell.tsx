import type { ReactNode } from 'react';
import { useSubjectName } from '../../platform/subject-names.ts';
import { shownReference } from '../../ui/format.ts';
import type { ResultColumn } from './result-columns.tsx';
import type { ResultRow } from './result-rows.ts';
import { CopiedId, TwoLines } from './two-lines.tsx';

/** The columns with names of subjects that other records know; in two lines the id stands beneath. */
export function withSubjects(columns: readonly ResultColumn[], below: boolean): readonly ResultColumn[] {
  return columns.map((column) =>
    column.id === 'subject'
      ? { ...column, cell: (row: ResultRow) => <SubjectCell row={row} below={below} /> }
      : column,
  );
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
