import type { BulkOperation } from '../../../core/app/bulk.ts';
import { JsonSyntaxError } from '../../../core/json/fault.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { print } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';

/** One operation as it is being written. */
export interface OperationRow {
  readonly key: number;
  readonly path: string;
  readonly now: string;
  readonly value: string;
}

/** What was typed as a value: JSON with its digits, plain text as a string, nothing, or JSON that is broken. */
export type TypedValue =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json' | 'text'; readonly source: string }
  | { readonly kind: 'broken'; readonly message: string };

export function readValue(typed: string): TypedValue {
  const trimmed = typed.trim();
  if (trimmed === '') return { kind: 'empty' };
  try {
    const { root, faults } = scan(trimmed);
    const [fault] = faults;
    return fault ? { kind: 'broken', message: fault.message } : { kind: 'json', source: print(root) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (/^["[{]/.test(trimmed)) return { kind: 'broken', message: error.fault.message };
    return { kind: 'text', source: JSON.stringify(trimmed) };
  }
}

/** The operations that the rows say; undefined while one is not finished. */
export function operationsOf(rows: readonly OperationRow[]): readonly BulkOperation[] | undefined {
  const operations = rows.flatMap(({ path, now, value }): BulkOperation[] => {
    const [read, only] = [readValue(value), readValue(now)];
    const tokens = parsePointer(path.trim());
    if (!tokens || tokens.length === 0 || !('source' in read) || only.kind === 'broken') return [];
    return [{ path: path.trim(), value: read.source, ...('source' in only && { now: only.source }) }];
  });
  return operations.length === rows.length && rows.length > 0 ? operations : undefined;
}

/** The rows that say operations, to go on with them. */
export function rowsOf(operations: readonly BulkOperation[]): OperationRow[] {
  return operations.map(({ path, value, now = '' }, key) => ({ key, path, value, now }));
}
