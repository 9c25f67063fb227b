import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { fixOf } from '../../../core/fhir/fixes/fixes.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { parseTyped } from '../../platform/read-json.ts';

export type OperationKind = NonNullable<BulkOperation['kind']>;

/** One operation row. Fields of other kinds keep their text in case the user switches back. */
export interface OperationRow {
  readonly key: number;
  readonly kind: OperationKind;
  readonly path: string;
  readonly now: string;
  readonly value: string;
  readonly expression: string;
  /** Rule whose findings are fixed, or a fix of many rules. */
  readonly fix: string;
  /** Selected fix option; undefined selects the first option of each finding. */
  readonly way?: { readonly id: string; readonly words: string };
}

/** Empty row. */
export const emptyRow: OperationRow = {
  key: 0,
  kind: 'replace',
  path: '',
  now: '',
  value: '',
  expression: '',
  fix: '',
};

/** Returns the initial rows: a replacement at the path of the findings with its quick fix, or a fix of all rules. */
export function firstRows(source: BulkSource | undefined): readonly OperationRow[] {
  if (!source || source.kind === 'search') return [emptyRow];
  const row = { ...emptyRow, path: source.path ?? '' };
  if (source.kind === 'records') return [row];
  const { rule } = source.filter;
  if (rule === undefined) return [{ ...emptyRow, kind: 'fix', fix: 'every' }];
  const fix = fixOf(rule);
  return [fix?.label === undefined ? row : { ...row, fix: fix.rule }];
}

/** Returns the path and condition of a row; undefined while they are incomplete. */
function parseTarget({
  path,
  now,
}: OperationRow): { readonly path: string; readonly now?: string } | undefined {
  const condition = parseTyped(now);
  const tokens = parsePointer(path.trim());
  if (!tokens || tokens.length === 0 || condition.kind === 'broken') return undefined;
  return { path: path.trim(), ...('source' in condition && { now: condition.source }) };
}

const readers: Readonly<Record<OperationKind, (row: OperationRow) => BulkOperation | undefined>> = {
  replace(row) {
    const location = parseTarget(row);
    const value = parseTyped(row.value);
    return location && 'source' in value ? { ...location, value: value.source } : undefined;
  },
  compute(row) {
    const location = parseTarget(row);
    const expression = row.expression.trim();
    return location && expression !== '' ? { kind: 'compute', ...location, expression } : undefined;
  },
  fix({ fix, way }) {
    if (fix === '') return undefined;
    return way ? { kind: 'fix', fix: way.id, words: way.words } : { kind: 'fix', fix };
  },
};

/** Returns the operations of the rows; undefined while a row is incomplete. */
export function operationsOf(rows: readonly OperationRow[]): readonly BulkOperation[] | undefined {
  const operations = rows.flatMap((row) => readers[row.kind](row) ?? []);
  return operations.length === rows.length && rows.length > 0 ? operations : undefined;
}
