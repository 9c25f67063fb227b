import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { startProgress } from './progress-line.ts';

function createTerminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    readOutput: () => stream.read() as string | null,
  };
}

test('shows one line, rewrites it at each change and clears it at the end', () => {
  const { stream, readOutput } = createTerminal(true);
  const progress = startProgress(3, 'records', stream);
  progress.update(1);
  progress.update(1);
  progress.update(3);
  progress.clear();
  progress.clear();
  expect(readOutput()).toBe('33%  1 of 3 records\r\u001b[K100%  3 of 3 records\r\u001b[K');
});

test('writes nothing to a stream other than a terminal', () => {
  const { stream, readOutput } = createTerminal(false);
  const progress = startProgress(3, 'records', stream);
  progress.update(2);
  progress.clear();
  expect(readOutput()).toBeNull();
});
