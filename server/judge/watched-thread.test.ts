import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { watchedThread } from './watched-thread.ts';

test('a thread that ends behind its answer costs nothing: what is asked next begins another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-thread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'once.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     parentPort.once('message', (order) => parentPort.postMessage(order + 1));`,
  );
  const begun: Worker[] = [];
  const note = (worker: Worker) => void begun.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const thread = watchedThread<number, number>(file, {
    time: 10_000,
    parsing: 10_000,
    memory: 64,
    idle: 60_000,
  });
  onTestFinished(() => thread.close());
  expect(await thread.ask(1)).toBe(2);
  const [first] = begun;
  if (first && first.threadId >= 0) await once(first, 'exit');
  expect([await thread.ask(2), begun.length]).toEqual([3, 2]);
});
