import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { FaultError } from '../fault-case.ts';
import type { Attempt, RivalTask } from './rival.ts';

/** Runs the tasks side by side, each in a process of its own; what became of all writes. */
export async function runRivals(tasks: readonly RivalTask[]): Promise<readonly Attempt[]> {
  const all = await Promise.all(tasks.map(runRival));
  return all.flat();
}

async function runRival(task: RivalTask): Promise<readonly Attempt[]> {
  const child = fork(resolve(import.meta.dirname, 'rival.ts'));
  const answer = new Promise<readonly Attempt[]>((done, failed) => {
    child.once('message', (message) => done(message as readonly Attempt[]));
    child.once('exit', () => failed(new FaultError(`Writer ${task.rival} ended before its task did`)));
  });
  const ended = once(child, 'exit');
  child.send(task);
  const attempts = await answer;
  await ended;
  return attempts;
}

/** What does not agree among the writes to one record, in sentences; none where each version was made once, in turn. */
export function disagreements(path: string, attempts: readonly Attempt[]): string[] {
  const stored = attempts.filter(({ status }) => status === 200);
  const makers = new Map<number, Attempt>();
  const found: string[] = [];
  for (const attempt of stored) {
    const { version, match, rival } = attempt;
    if (makers.has(version)) found.push(`${path} version ${version} was acknowledged twice`);
    if (version !== match + 1)
      found.push(`${path}: writer ${rival} changed version ${match} into ${version}`);
    makers.set(version, attempt);
  }
  for (let version = 2; version <= stored.length + 1; version += 1) {
    if (!makers.has(version)) found.push(`${path} version ${version} was acknowledged to nobody`);
  }
  for (const { status, match, version, rival } of attempts) {
    if (status === 200) continue;
    const next = makers.get(match + 1);
    if (status !== 412) found.push(`${path}: a write was answered ${status}`);
    else if (next === undefined || next.rival === rival)
      found.push(`${path}: writer ${rival} was refused with the current version ${match}`);
    else if (version <= match) found.push(`${path}: a 412 named version ${version}, and ${match} was sent`);
  }
  return found;
}
