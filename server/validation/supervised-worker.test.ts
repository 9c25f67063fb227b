import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { watchedThread } from './supervised-worker.ts';

test('starts another worker for the next request after an exit behind a response', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-thread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'once.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     parentPort.once('message', (order) => parentPort.postMessage(order + 1));`,
  );
  const startedWorkers: Worker[] = [];
  const note = (worker: Worker) => void startedWorkers.push(worker);
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
  const [firstWorker] = startedWorkers;
  if (firstWorker && firstWorker.threadId >= 0) await once(firstWorker, 'exit');
  expect([await thread.ask(2), startedWorkers.length]).toEqual([3, 2]);
});
