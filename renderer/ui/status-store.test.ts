import { expect, test } from 'vitest';
import { createStatusStore } from './status-store.ts';

test('keeps the message and the details until they are replaced', () => {
  const status = createStatusStore();
  status.announce('Saved');
  status.setFact('issues', '2 issues');
  status.setFact('draft', 'Draft kept');
  status.moveCursor({ line: 3, column: 7 });
  const cursor = { line: 3, column: 7 };
  expect(status.get()).toEqual({
    message: 'Saved',
    facts: { issues: '2 issues', draft: 'Draft kept' },
    cursor,
  });
  status.setFact('issues', undefined);
  status.announce('Closed');
  expect(status.get()).toEqual({ message: 'Closed', facts: { draft: 'Draft kept' }, cursor });
});

test('does not notify about an unchanged message', () => {
  const status = createStatusStore();
  let changes = 0;
  status.subscribe(() => (changes += 1));
  status.announce('Saved');
  status.announce('Saved');
  expect(changes).toBe(1);
});
