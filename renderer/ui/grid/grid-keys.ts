/**
 * Returns the row that a key moves to from `index`; undefined for other keys. `page` is the number of visible
 * rows.
 */
export function rowAfterKey(key: string, index: number, count: number, page: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

/** Action of a key on the current row, or on all rows. */
export type RowAction = 'open' | 'toggle' | 'leave' | 'menu' | 'copy' | 'all';

const actionsByKey: ReadonlyMap<string, RowAction> = new Map([
  ['Enter', 'open'],
  [' ', 'toggle'],
  ['Escape', 'leave'],
  ['ContextMenu', 'menu'],
  ['Shift+F10', 'menu'],
  ['Control+c', 'copy'],
  ['Control+a', 'all'],
]);

/** Returns the action of a key press; undefined without one. */
export function getActionForKey(
  press: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>,
): RowAction | undefined {
  if (press.ctrlKey || press.metaKey) return actionsByKey.get(`Control+${press.key.toLowerCase()}`);
  return actionsByKey.get(press.key === 'F10' && press.shiftKey ? 'Shift+F10' : press.key);
}
