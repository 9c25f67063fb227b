import { expect, test } from 'vitest';
import { inspect } from './record-text.ts';

test('broken JSON says where, and so does a name that stands twice', () => {
  expect(inspect('{\n  "a": 1,\n}')).toMatchObject({ valid: false, fault: { line: 3, column: 1 } });
  expect(inspect('{"a":1,\n "a":2}')).toMatchObject({ valid: false, fault: { line: 2, column: 2 } });
  expect(inspect('{"a":1.00}')).toMatchObject({ valid: true });
});
