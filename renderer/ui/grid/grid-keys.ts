/** The row that a key moves to from `index`; undefined for keys that do not move. `page` is the rows in view. */
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
