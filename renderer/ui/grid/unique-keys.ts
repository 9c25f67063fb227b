import type { GridProps } from './grid-props.ts';

/**
 * Checks that no two rows have the same key. Rows that load on access are not checked.
 *
 * @throws TypeError if two rows share a key. React would leave a stale row on the page.
 */
export function assertUniqueKeys<Row>({
  rows,
  keyOf,
  label,
}: Pick<GridProps<Row>, 'rows' | 'keyOf' | 'label'>): void {
  if (!Array.isArray(rows)) return;
  const keys = new Set<string>();
  for (const [index, row] of (rows as readonly Row[]).entries()) {
    const key = keyOf(row, index);
    if (keys.has(key)) throw new TypeError(`Two rows of ${label} have the key ${key}.`);
    keys.add(key);
  }
}
