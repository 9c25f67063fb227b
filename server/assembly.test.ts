import { expect, test } from 'vitest';
import { opening, type Opened } from './assembly.ts';

/** Three parts that note their end; the second fails to close. */
function parts(opened: Opened, closed: string[]): void {
  for (const name of ['first', 'second', 'third']) {
    opened.add({
      close: () => {
        closed.push(name);
        if (name === 'second') throw new Error('It does not close.');
      },
    });
  }
}

test('what is opened is closed, the last first; a part that fails to close is told and keeps no other open', async () => {
  const closed: string[] = [];
  const server = await opening((opened) => {
    parts(opened, closed);
    return Promise.resolve({});
  });
  await expect(server.close()).rejects.toThrow('It does not close.');
  expect(closed).toEqual(['third', 'second', 'first']);
  await server.close();
  expect(closed).toHaveLength(3);
});

test('a start that fails says why, and leaves nothing open', async () => {
  const closed: string[] = [];
  const start = opening((opened) => {
    parts(opened, closed);
    return Promise.reject(new Error('The port is taken.'));
  });
  await expect(start).rejects.toThrow('The port is taken.');
  expect(closed).toEqual(['third', 'second', 'first']);
});
