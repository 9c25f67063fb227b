import { expect, test } from 'vitest';
import { followCursor } from './follow-cursor.ts';
import { scan } from './scan.ts';

const read = (text: string) => ({ text, root: scan(text).root });

/** Moves the cursor, written `|`, from one text to another. */
function moved(before: string, after: string): string {
  const { offset } = followCursor(read(before.replace('|', '')), read(after))(before.indexOf('|'));
  return `${after.slice(0, offset)}|${after.slice(offset)}`;
}

const activity = (...items: readonly string[]) => `{"activity": [${items.join(', ')}], "title": "A"}`;
const [walk, swim, rest] = ['{"d": "Walk", "s": 1}', '{"d": "Swim", "s": 1}', '{"d": "Rest", "s": 1}'];

test('keeps a cursor at the same character of an item that moved', () => {
  const before = activity(walk, '{"d": "Sw|im", "s": 1}', rest);
  expect(moved(before, activity('{"d": "Sw|im", "s": 1}', rest).replace('|', ''))).toBe(
    activity('{"d": "Sw|im", "s": 1}', rest),
  );
  expect(moved(activity(walk, swim, '{"d": "Rest", "|s": 1}'), activity(rest, walk, swim))).toBe(
    activity('{"d": "Rest", "|s": 1}', walk, swim),
  );
});

test('puts a cursor of a removed item at the next one, and of the last item at the one before', () => {
  const before = activity(walk, '{"d": "S|wim", "s": 1}', rest);
  expect(moved(before, activity(walk, rest))).toBe(activity(walk, `|${rest}`));
  expect(moved(activity(walk, '{"d": "S|wim", "s": 1}'), activity(walk))).toBe(activity(`|${walk}`));
});

test('puts a cursor of the only item at what is left', () => {
  expect(moved('{"a": 1, "b": [{"c|": 1}]}', '{"a": 1}')).toBe('{|"a": 1}');
  expect(moved('{"a": [{"c": |1}]}', '{}')).toBe('|{}');
});

test('keeps a cursor at a value that another took the place of, and at a member that was renamed', () => {
  expect(moved('{"status": "actve|", "b": 1}', '{"status": "active", "b": 1}')).toBe(
    '{"status": |"active", "b": 1}',
  );
  expect(moved('{"a": 1, "stat|us": 1, "b": 1}', '{"a": 1, "state": 1, "b": 1}')).toBe(
    '{"a": 1, |"state": 1, "b": 1}',
  );
});

test('keeps a cursor behind the last value', () => {
  expect(moved('{"a": [1, 2]} |', '{"a": [2]} ')).toBe('{"a": [2]} |');
});
