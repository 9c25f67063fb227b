import { appendFileSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { isFull } from '../sqlite/sqlite.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { carePlan, type Json } from '../testing/test-server.ts';

test('rejects writes with 507 but serves reads on a full disk (not run if no disk can be mounted)', async ({
  skip,
}) => {
  const disk = smallDisk('16m', skip);
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(14 * 1024 ** 2));
  const token = createToken();
  const logLines: string[] = [];
  const log = (line: string) => void logLines.push(line);
  const server = await startServer({ dataDir: join(disk, 'data'), port: 0, token, pageFolder, log });
  const send = async (method: string, path: string, body?: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(server.origin + path, { method, headers, ...(body && { body }) });
    return { status: answer.status, json: (await answer.json()) as { total?: number; bytes?: number } };
  };
  const create = () =>
    send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"description":"${'x'.repeat(50_000)}"`));
  const countPlans = async () => (await send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p')).json.total;

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
  expect([storedCount > 5, await countPlans()]).toEqual([true, storedCount]);
  expect(logLines.join()).toContain('SQLITE_FULL');
  expect((await create()).status).toBe(507);

  // Sign-in still works on a disk without a free byte.
  const remainderFile = join(disk, 'rest');
  const freeSpace = statfsSync(disk);
  writeFileSync(remainderFile, Buffer.alloc(freeSpace.bavail * freeSpace.bsize));
  const sessionToken = await tokenFor(server.origin, await server.signInCode());
  const sessions = await fetch(`${server.origin}/app/sessions`, {
    headers: { Authorization: `Bearer ${sessionToken}` },
  });
  expect(await sessions.json()).toMatchObject({ sessions: [{ current: true }] });
  rmSync(remainderFile);

  rmSync(ballast);
  expect((await create()).status).toBe(201);
  expect(await countPlans()).toBe(storedCount + 1);

  // Leaves space for less than two copies. A backup needs space for the copy and for writes during it.
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

test('starts, reads and verifies on a full disk and writes later (not run if no disk can be mounted)', async ({
  skip,
}) => {
  const disk = smallDisk('16m', skip);
  const dataDir = join(disk, 'restarted');
  const ballast = join(disk, 'ballast');
  const token = createToken();
  const logLines: string[] = [];
  const start = () => {
    logLines.length = 0;
    return startServer({ dataDir, port: 0, token, pageFolder, log: (line) => void logLines.push(line) });
  };
  const sendTo = async (origin: string, method: string, path: string, body?: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(origin + path, { method, headers, ...(body && { body }) });
    return { status: answer.status, json: (await answer.json()) as Json };
  };
  const plan = carePlan('Patient/p', `,"description":"${'x'.repeat(20_000)}"`);
  const plansPath = '/fhir-r4/v1/CarePlan';
  writeFileSync(ballast, Buffer.alloc(12 * 1024 ** 2));
  const firstServer = await start();
  const { json: storedPlan } = await sendTo(firstServer.origin, 'POST', plansPath, plan);
  let storedCount = 1;
  while ((await sendTo(firstServer.origin, 'POST', plansPath, plan)).status === 201) storedCount += 1;
  await firstServer.close();
  // The next start has no space for the shared memory file of the WAL, which the readers need.
  const sharedMemoryFile = join(dataDir, 'records.db-shm');
  rmSync(sharedMemoryFile, { force: true });
  fill(disk);

  const server = await start().catch((error: unknown) => expect.unreachable(String(error)));
  const send = (method: string, path: string, body?: string) => sendTo(server.origin, method, path, body);
  expect(logLines).toEqual([
    'The disk is full: records can be read, but nothing is saved. Searches run one at a time.',
  ]);
  expect((await send('GET', `${plansPath}/${storedPlan.id}`)).status).toBe(200);
  expect((await send('GET', `${plansPath}?subject=Patient/p`)).json.total).toBe(storedCount);
  expect((await send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
  expect((await send('POST', plansPath, plan)).status).toBe(507);
  expect((await send('GET', '/app/overview')).json.disk).toBe('full');
  expect(logLines.filter((line) => line.startsWith('The disk'))).toHaveLength(1);

  rmSync(ballast);
  expect((await send('POST', plansPath, plan)).status).toBe(201);
  expect((await send('GET', '/app/overview')).json.disk).toBe('ok');
  expect(logLines.at(-1)).toContain('free space again');
  // At least 32 KiB, because a full disk leaves a truncated file.
  expect(statSync(sharedMemoryFile).size).toBeGreaterThanOrEqual(32 * 1024);
  expect((await send('GET', `${plansPath}?subject=Patient/p`)).json.total).toBe(storedCount + 1);
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
