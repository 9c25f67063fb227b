import { expect, test } from 'vitest';
import { followCursor } from './follow-cursor.ts';
import { scan } from './scan.ts';

const parse = (text: string) => ({ text, root: scan(text).root });

/** Moves the cursor, written `|`, from one text to another. */
function moveCursor(before: string, after: string): string {
  const { offset } = followCursor(parse(before.replace('|', '')), parse(after))(before.indexOf('|'));
  return `${after.slice(0, offset)}|${after.slice(offset)}`;
}

const activity = (...items: readonly string[]) => `{"activity": [${items.join(', ')}], "title": "A"}`;
const [walk, swim, restItem] = ['{"d": "Walk", "s": 1}', '{"d": "Swim", "s": 1}', '{"d": "Rest", "s": 1}'];

test('keeps a cursor at the same character of a moved item', () => {
  const before = activity(walk, '{"d": "Sw|im", "s": 1}', restItem);
  expect(moveCursor(before, activity('{"d": "Sw|im", "s": 1}', restItem).replace('|', ''))).toBe(
    activity('{"d": "Sw|im", "s": 1}', restItem),
  );
  expect(moveCursor(activity(walk, swim, '{"d": "Rest", "|s": 1}'), activity(restItem, walk, swim))).toBe(
    activity('{"d": "Rest", "|s": 1}', walk, swim),
  );
});

test('moves a cursor from a removed item to the next one, otherwise to the previous one', () => {
  const before = activity(walk, '{"d": "S|wim", "s": 1}', restItem);
  expect(moveCursor(before, activity(walk, restItem))).toBe(activity(walk, `|${restItem}`));
  expect(moveCursor(activity(walk, '{"d": "S|wim", "s": 1}'), activity(walk))).toBe(activity(`|${walk}`));
});

test('moves a cursor from the only item to a remaining element', () => {
  expect(moveCursor('{"a": 1, "b": [{"c|": 1}]}', '{"a": 1}')).toBe('{|"a": 1}');
  expect(moveCursor('{"a": [{"c": |1}]}', '{}')).toBe('|{}');
});

test('keeps a cursor at a replaced value and at a renamed member', () => {
  expect(moveCursor('{"status": "actve|", "b": 1}', '{"status": "active", "b": 1}')).toBe(
    '{"status": |"active", "b": 1}',
  );
  expect(moveCursor('{"a": 1, "stat|us": 1, "b": 1}', '{"a": 1, "state": 1, "b": 1}')).toBe(
    '{"a": 1, |"state": 1, "b": 1}',
  );
});

test('keeps a cursor after the last value', () => {
  expect(moveCursor('{"a": [1, 2]} |', '{"a": [2]} ')).toBe('{"a": [2]} |');
});
