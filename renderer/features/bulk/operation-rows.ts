import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { fixOf } from '../../../core/fhir/fixes/fixes.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { parseTyped } from '../../platform/read-json.ts';

export type OperationKind = NonNullable<BulkOperation['kind']>;

/** One operation as it is being written; what its kind does not use stays, for who turns back. */
export interface OperationRow {
  readonly key: number;
  readonly kind: OperationKind;
  readonly path: string;
  readonly now: string;
  readonly value: string;
  readonly expression: string;
  /** The rule whose findings are mended, or a fix of many rules. */
  readonly fix: string;
  /** The one way of the rule that is taken; the first that is offered at each finding where it is absent. */
  readonly way?: { readonly id: string; readonly words: string };
}

/** A row with nothing written. */
export const emptyRow: OperationRow = {
  ...{ key: 0, kind: 'replace' },
  ...{ path: '', now: '', value: '', expression: '', fix: '' },
};

/** What a sheet begins with: a replacement where the findings are, with their quick fix at hand; over all rules, the fix. */
export function firstRows(source: BulkSource | undefined): readonly OperationRow[] {
  if (!source || source.kind === 'search') return [emptyRow];
  const row = { ...emptyRow, path: source.path ?? '' };
  if (source.kind === 'records') return [row];
  const { rule } = source.filter;
  if (rule === undefined) return [{ ...emptyRow, kind: 'fix', fix: 'every' }];
  const fix = fixOf(rule);
  return [fix?.words === undefined ? row : { ...row, fix: fix.rule }];
}

/** Where a row's operation works; undefined while that is not finished. */
function whereOf({ path, now }: OperationRow): { readonly path: string; readonly now?: string } | undefined {
  const only = parseTyped(now);
  const tokens = parsePointer(path.trim());
  if (!tokens || tokens.length === 0 || only.kind === 'broken') return undefined;
  return { path: path.trim(), ...('source' in only && { now: only.source }) };
}

const readers: Readonly<Record<OperationKind, (row: OperationRow) => BulkOperation | undefined>> = {
  replace(row) {
    const where = whereOf(row);
    const value = parseTyped(row.value);
    return where && 'source' in value ? { ...where, value: value.source } : undefined;
  },
  compute(row) {
    const where = whereOf(row);
    const expression = row.expression.trim();
    return where && expression !== '' ? { kind: 'compute', ...where, expression } : undefined;
  },
  fix({ fix, way }) {
    if (fix === '') return undefined;
    return way ? { kind: 'fix', fix: way.id, words: way.words } : { kind: 'fix', fix };
  },
};

/** The operations that the rows say; undefined while one is not finished. */
export function operationsOf(rows: readonly OperationRow[]): readonly BulkOperation[] | undefined {
  const operations = rows.flatMap((row) => readers[row.kind](row) ?? []);
  return operations.length === rows.length && rows.length > 0 ? operations : undefined;
}
