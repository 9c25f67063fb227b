import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { opening, type ServerResources } from './assembly.ts';

/** Adds four resources that record their close. The second and the third fail to close. */
function addFourParts(resources: ServerResources, closedNames: string[]): void {
  for (const name of ['first', 'second', 'third', 'fourth']) {
    resources.add({
      close: async () => {
        await setImmediate();
        closedNames.push(name);
        if (name === 'second' || name === 'third') throw new Error(`The ${name} does not close.`);
      },
    });
  }
}

test('closes resources in reverse order and throws the first error at the end', async () => {
  const closed: string[] = [];
  const server = await opening((resources) => {
    addFourParts(resources, closed);
    return Promise.resolve({});
  });
  const closings = [server.close(), server.close()];
  for (const closing of closings) await expect(closing).rejects.toThrow('The third does not close.');
  expect(closed).toEqual(['fourth', 'third', 'second', 'first']);
});

test('closes all resources if a start fails', async () => {
  const closed: string[] = [];
  const start = opening((resources) => {
    addFourParts(resources, closed);
    return Promise.reject(new Error('The port is taken.'));
  });
  await expect(start).rejects.toThrow('The port is taken.');
  expect(closed).toEqual(['fourth', 'third', 'second', 'first']);
});
