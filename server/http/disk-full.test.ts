import { appendFileSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { isFull } from '../store/sqlite/sqlite.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { carePlan, type Json } from '../testing/test-server.ts';

test('rejects writes with 507 but serves reads on a full disk (not run without mounts)', async ({ skip }) => {
  const disk = smallDisk('16m', skip);
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(14 * 1024 ** 2));
  const token = createToken();
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const server = await startServer({ dataDir: join(disk, 'data'), port: 0, token, pageFolder, log });
  const send = async (method: string, path: string, body?: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(server.origin + path, { method, headers, ...(body && { body }) });
    return { status: answer.status, json: (await answer.json()) as { total?: number; bytes?: number } };
  };
  const create = () =>
    send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"description":"${'x'.repeat(50_000)}"`));
  const total = async () => (await send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p')).json.total;

  let storedCount = 0;
  let lastResponse = await create();
  while (lastResponse.status === 201) {
    storedCount += 1;
    lastResponse = await create();
  }
  expect(lastResponse).toMatchObject({
    status: 507,
    json: { resourceType: 'OperationOutcome', issue: [{ code: 'no-store' }] },
  });
  expect([storedCount > 5, await total()]).toEqual([true, storedCount]);
  expect(lines.join()).toContain('SQLITE_FULL');
  expect((await create()).status).toBe(507);

  // Sign-in still works on a disk without a free byte.
  const filler = join(disk, 'rest');
  const freeSpace = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(freeSpace.bavail * freeSpace.bsize));
  const session = await tokenFor(server.origin, await server.signInCode());
  const sessions = await fetch(`${server.origin}/app/sessions`, {
    headers: { Authorization: `Bearer ${session}` },
  });
  expect(await sessions.json()).toMatchObject({ sessions: [{ current: true }] });
  rmSync(filler);

  rmSync(ballast);
  expect((await create()).status).toBe(201);
  expect(await total()).toBe(storedCount + 1);

  // Space for a copy but not for concurrent writes.
  const { status, json } = await send('POST', '/app/backups');
  expect(status).toBe(201);
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 1.9 * Number(json.bytes)));
  expect(await send('POST', '/app/backups')).toMatchObject({
    status: 507,
    json: { issue: [{ details: { text: expect.stringContaining('Not enough space') as string } }] },
  });
  const backups = readdirSync(join(disk, 'data', 'backups'));
  expect(backups.filter((name) => !name.endsWith('.json'))).toHaveLength(1);
  expect(backups).toHaveLength(2);
  rmSync(ballast);
  await server.close();
});

test('starts, reads and verifies on a full disk and writes later (not run without mounts)', async ({
  skip,
}) => {
  const disk = smallDisk('16m', skip);
  const dataDir = join(disk, 'restarted');
  const ballast = join(disk, 'ballast');
  const token = createToken();
  const lines: string[] = [];
  const start = () => {
    lines.length = 0;
    return startServer({ dataDir, port: 0, token, pageFolder, log: (line) => void lines.push(line) });
  };
  const sendTo = async (origin: string, method: string, path: string, body?: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(origin + path, { method, headers, ...(body && { body }) });
    return { status: answer.status, json: (await answer.json()) as Json };
  };
  const plan = carePlan('Patient/p', `,"description":"${'x'.repeat(20_000)}"`);
  const plans = '/fhir-r4/v1/CarePlan';
  writeFileSync(ballast, Buffer.alloc(12 * 1024 ** 2));
  const firstServer = await start();
  const { json: storedPlan } = await sendTo(firstServer.origin, 'POST', plans, plan);
  let storedCount = 1;
  while ((await sendTo(firstServer.origin, 'POST', plans, plan)).status === 201) storedCount += 1;
  await firstServer.close();
  // The next start has no space for the shared memory file of the readers.
  const shared = join(dataDir, 'records.db-shm');
  rmSync(shared, { force: true });
  fill(disk);

  const server = await start().catch((error: unknown) => expect.unreachable(String(error)));
  const send = (method: string, path: string, body?: string) => sendTo(server.origin, method, path, body);
  expect(lines).toEqual([
    'The disk is full: records can be read, but nothing is saved. Searches run one at a time.',
  ]);
  expect((await send('GET', `${plans}/${storedPlan.id}`)).status).toBe(200);
  expect((await send('GET', `${plans}?subject=Patient/p`)).json.total).toBe(storedCount);
  expect((await send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
  expect((await send('POST', plans, plan)).status).toBe(507);
  expect((await send('GET', '/app/overview')).json.disk).toBe('full');
  expect(lines.filter((line) => line.startsWith('The disk'))).toHaveLength(1);

  rmSync(ballast);
  expect((await send('POST', plans, plan)).status).toBe(201);
  expect((await send('GET', '/app/overview')).json.disk).toBe('ok');
  expect(lines.at(-1)).toContain('free space again');
  // At least 32 KiB, because a full disk leaves a truncated file.
  expect(statSync(shared).size).toBeGreaterThanOrEqual(32 * 1024);
  expect((await send('GET', `${plans}?subject=Patient/p`)).json.total).toBe(storedCount + 1);
  await server.close();
});

/** Fills the disk to its last byte. */
function fill(folder: string): void {
  for (const bytes of [2 ** 20, 2 ** 12, 1])
    try {
      for (;;) appendFileSync(join(folder, `filler-${bytes}`), Buffer.alloc(bytes));
    } catch (error) {
      if (!isFull(error)) throw error;
    }
}
