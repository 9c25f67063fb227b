import type { GridProps } from './grid-props.ts';

/**
 * Checks that a list of rows has no key twice; rows that are read when they are asked for stay unread.
 *
 * @throws TypeError where two rows have one key: React would leave the former of them on the page for good.
 */
export function checkKeys<Row>({
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
