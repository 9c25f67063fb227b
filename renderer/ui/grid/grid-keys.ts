/** The row that a key moves to from `index`; undefined for keys that do not move. `page` is the rows in view. */
export function rowAfterKey(key: string, index: number, count: number, page: number): number | undefined {
  const target = targetOf(key, index, count, page);
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

function targetOf(key: string, index: number, count: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'PageDown':
      return index + page;
    case 'PageUp':
      return index - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** What a key asks of the row at hand, or of all rows. */
export type RowAct = 'open' | 'toggle' | 'leave' | 'menu' | 'copy' | 'all';

const acts: ReadonlyMap<string, RowAct> = new Map([
  ['Enter', 'open'],
  [' ', 'toggle'],
  ['Escape', 'leave'],
  ['ContextMenu', 'menu'],
  ['Shift+F10', 'menu'],
  ['Control+c', 'copy'],
  ['Control+a', 'all'],
]);

/** The act of a key press; undefined where it has none. */
export function actAfterKey(
  press: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>,
): RowAct | undefined {
  if (press.ctrlKey || press.metaKey) return acts.get(`Control+${press.key.toLowerCase()}`);
  return acts.get(press.key === 'F10' && press.shiftKey ? 'Shift+F10' : press.key);
}
