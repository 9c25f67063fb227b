import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { startProgress } from './progress-line.ts';

function terminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  return { stream: stream as unknown as NodeJS.WriteStream, said: () => stream.read() as string | null };
}

test('a terminal shows one line, written anew where it changes and cleared at the end', () => {
  const { stream, said } = terminal(true);
  const progress = startProgress(3, 'records', stream);
  progress.reached(1);
  progress.reached(1);
  progress.reached(3);
  progress.clear();
  progress.clear();
  expect(said()).toBe('33%  1 of 3 records\r\u001b[K100%  3 of 3 records\r\u001b[K');
});

test('what is no terminal hears nothing', () => {
  const { stream, said } = terminal(false);
  const progress = startProgress(3, 'records', stream);
  progress.reached(2);
  progress.clear();
  expect(said()).toBeNull();
});
