import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { opening, type Opened } from './assembly.ts';

/** Four parts that note their end; the second and the third fail to close. */
function parts(opened: Opened, closed: string[]): void {
  for (const name of ['first', 'second', 'third', 'fourth']) {
    opened.add({
      close: async () => {
        await setImmediate();
        closed.push(name);
        if (name === 'second' || name === 'third') throw new Error(`The ${name} does not close.`);
      },
    });
  }
}

test('what is opened is closed, the last first; of parts that fail to close the first is told, and none keeps another open', async () => {
  const closed: string[] = [];
  const server = await opening((opened) => {
    parts(opened, closed);
    return Promise.resolve({});
  });
  const both = [server.close(), server.close()];
  for (const one of both) await expect(one).rejects.toThrow('The third does not close.');
  expect(closed).toEqual(['fourth', 'third', 'second', 'first']);
});

test('a start that fails says why, and leaves nothing open', async () => {
  const closed: string[] = [];
  const start = opening((opened) => {
    parts(opened, closed);
    return Promise.reject(new Error('The port is taken.'));
  });
  await expect(start).rejects.toThrow('The port is taken.');
  expect(closed).toEqual(['fourth', 'third', 'second', 'first']);
});
