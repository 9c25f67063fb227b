import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../core/app/connections.ts';
import { openRemoteRecords, type RemoteRecord } from './remote-records.ts';
import { createRemoteValidation, type RemoteValidation } from './remote-validation.ts';
import { createLocalLeases } from '../store/leases.ts';

/** So many that reading all of them takes far longer than starting a worker. */
const records = 30_000;

const connection = { id: 'large', baseUrl: 'https://a.example/fhir' } as Connection;
let folder: string;
let judge: RemoteValidation;
let logLines: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-large-'));
  const file = openRemoteRecords(join(folder, 'remote', 'large.db'), Date.now);
  const change = { type: 'CarePlan', run: 1, deleted: [], isLastPage: false } as const;
  file.keep(
    { read: 0 },
    { ...change, records: Array.from({ length: records }, (_, index) => record(index)) },
  );
  file.close();
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => {
  logLines = [];
  judge = createRemoteValidation({
    dataDir: folder,
    connections: { list: () => Promise.resolve([connection]), find: () => Promise.resolve(connection) },
    gateway: { ask: () => Promise.reject(new Error('Nothing is asked for.')) },
    run: () => Promise.reject(new Error('Nothing is judged.')),
    checks: { findings: () => Promise.resolve([]), stamp: () => '', sentences: () => new Map() },
    clock: Date.now,
    leases: createLocalLeases,
    log: (line) => logLines.push(line),
  });
});
afterEach(() => judge.close());

test('runs other work while a large file is opened, counted, searched and listed', async () => {
  // Opened and checked, then counted.
  expect(await shareOfThisThread(() => judge.quality(connection, {}))).toBeLessThan(0.5);
  expect(await shareOfThisThread(() => judge.quality(connection, { text: 'nowhere' }))).toBeLessThan(0.5);
  const worklist = await judge.worklist(connection);
  const list = () => worklist.findings({ text: 'nowhere' }, undefined, 200);
  expect(await shareOfThisThread(list)).toBeLessThan(0.5);
  expect(await judge.quality(connection, {})).toMatchObject({
    records: { CarePlan: records },
    flagged: { CarePlan: records },
    groups: [{ rule: 'schema-code', findings: records }],
  });
});

test('does not create a removed worklist again from an open job', async () => {
  const otherConnection = { id: 'other' } as Connection;
  const worklist = await judge.worklist(otherConnection);
  expect((await worklist.overview({})).records.CarePlan).toBe(0);
  await judge.forget(otherConnection.id);
  await expect(worklist.overview({})).rejects.toThrow('The file was closed.');
  expect(existsSync(join(folder, 'remote', 'other.db'))).toBe(false);
  expect((await judge.quality(connection, {})).records.CarePlan).toBe(records);
});

// The message of an error may quote the response of another server.
test('logs an unexpected error of a job without its message', async () => {
  const otherConnection = { id: 'failing' } as Connection;
  await judge.start(otherConnection);
  await expect.poll(() => logLines).toHaveLength(1);
  expect(logLines[0]).toMatch(/^Checking another server’s records failed: Error/);
  expect(logLines[0]).not.toContain('Nothing is asked for.');
  await expect
    .poll(async () => (await judge.quality(otherConnection, {})).job)
    .toMatchObject({ state: 'failed', fault: 'The records couldn’t be checked. See the log.' });
});

/**
 * Returns the part of the process's processor time that this thread used for the work. A count of its turns would
 * depend on how a busy machine shares its processors among threads.
 */
async function shareOfThisThread(work: () => Promise<unknown>): Promise<number> {
  const [threadStart, processStart] = [process.threadCpuUsage(), process.cpuUsage()];
  await work();
  const [thread, whole] = [process.threadCpuUsage(threadStart), process.cpuUsage(processStart)];
  return (thread.user + thread.system) / (whole.user + whole.system);
}

function record(index: number): RemoteRecord {
  return {
    type: 'CarePlan',
    id: `p${index}`,
    version: '1',
    lastUpdated: '2026-01-01T00:00:00Z',
    title: `Plan ${index}`,
    subject: `Patient/${index}`,
    status: 'actve',
    findings: [
      {
        rule: 'schema-code',
        severity: 'error',
        category: 'conformance',
        message: 'No such code.',
        pointer: '/status',
        excerpt: '"actve"',
      },
    ],
  };
}
