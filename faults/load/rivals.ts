import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { FaultError } from '../fault-case.ts';
import type { Attempt, RivalTask } from './rival.ts';

/** Runs the tasks in parallel processes. Returns the outcomes of all writes. */
export async function runRivals(tasks: readonly RivalTask[]): Promise<readonly Attempt[]> {
  const attempts = await Promise.all(tasks.map(runRival));
  return attempts.flat();
}

async function runRival(task: RivalTask): Promise<readonly Attempt[]> {
  const child = fork(resolve(import.meta.dirname, 'rival.ts'));
  const received = new Promise<readonly Attempt[]>((resolveAttempts, reject) => {
    child.once('message', (message) => resolveAttempts(message as readonly Attempt[]));
    child.once('exit', () => reject(new FaultError(`Writer ${task.rival} ended before its task did`)));
  });
  const exit = once(child, 'exit');
  child.send(task);
  const attempts = await received;
  await exit;
  return attempts;
}

/**
 * Returns contradictions among the writes to one record, as sentences. Empty if each version was made once,
 * in order.
 */
export function findContradictions(path: string, attempts: readonly Attempt[]): string[] {
  const storedAttempts = attempts.filter(({ status }) => status === 200);
  const attemptsByVersion = new Map<number, Attempt>();
  const contradictions: string[] = [];
  for (const attempt of storedAttempts) {
    const { version, match, rival } = attempt;
    if (attemptsByVersion.has(version))
      contradictions.push(`${path} version ${version} was acknowledged twice`);
    if (version !== match + 1)
      contradictions.push(`${path}: writer ${rival} changed version ${match} into ${version}`);
    attemptsByVersion.set(version, attempt);
  }
  for (let version = 2; version <= storedAttempts.length + 1; version += 1) {
    if (!attemptsByVersion.has(version))
      contradictions.push(`${path} version ${version} was acknowledged to nobody`);
  }
  for (const { status, match, version, rival } of attempts) {
    if (status === 200) continue;
    const nextAttempt = attemptsByVersion.get(match + 1);
    if (status !== 412) contradictions.push(`${path}: a write was answered ${status}`);
    else if (nextAttempt === undefined || nextAttempt.rival === rival)
      contradictions.push(`${path}: writer ${rival} was refused with the current version ${match}`);
    else if (version <= match)
      contradictions.push(`${path}: a 412 named version ${version}, and ${match} was sent`);
  }
  return contradictions;
}
