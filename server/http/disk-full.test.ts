import { appendFileSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { isFull } from '../store/sqlite/sqlite.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { carePlan, type Json } from '../testing/test-server.ts';

test('item 9: on a full disk writes are 507 and reads go on; with room again writes do too (not run where nothing can be mounted)', async ({
  skip,
}) => {
  const disk = smallDisk('16m', skip);
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(14 * 1024 ** 2));
  const token = newToken();
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

  let stored = 0;
  let last = await create();
  while (last.status === 201) {
    stored += 1;
    last = await create();
  }
  expect(last).toMatchObject({
    status: 507,
    json: { resourceType: 'OperationOutcome', issue: [{ code: 'no-store' }] },
  });
  expect([stored > 5, await total()]).toEqual([true, stored]);
  expect(lines.join()).toContain('SQLITE_FULL');
  expect((await create()).status).toBe(507);

  // Not a byte is left, and people sign in.
  const rest = join(disk, 'rest');
  const left = statfsSync(disk);
  writeFileSync(rest, Buffer.alloc(left.bavail * left.bsize));
  const session = await tokenFor(server.origin, await server.signInCode());
  const sessions = await fetch(`${server.origin}/app/sessions`, {
    headers: { Authorization: `Bearer ${session}` },
  });
  expect(await sessions.json()).toMatchObject({ sessions: [{ current: true }] });
  rmSync(rest);

  rmSync(ballast);
  expect((await create()).status).toBe(201);
  expect(await total()).toBe(stored + 1);

  // Room for a copy, and none for what is written meanwhile.
  const { status, json } = await send('POST', '/app/backups');
  expect(status).toBe(201);
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 1.9 * Number(json.bytes)));
  expect(await send('POST', '/app/backups')).toMatchObject({
    status: 507,
    json: { issue: [{ details: { text: expect.stringContaining('too little room') as string } }] },
  });
  const backups = readdirSync(join(disk, 'data', 'backups'));
  expect(backups.filter((name) => !name.endsWith('.json'))).toHaveLength(1);
  expect(backups).toHaveLength(2);
  rmSync(ballast);
  await server.close();
});

test('row 25: a server starts on a full disk, reads, searches and verifies, says so once, and writes once there is room (not run where nothing can be mounted)', async ({
  skip,
}) => {
  const disk = smallDisk('16m', skip);
  const dataDir = join(disk, 'restarted');
  const ballast = join(disk, 'ballast');
  const token = newToken();
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
  const first = await start();
  const { json: kept } = await sendTo(first.origin, 'POST', plans, plan);
  let stored = 1;
  while ((await sendTo(first.origin, 'POST', plans, plan)).status === 201) stored += 1;
  await first.close();
  // What readers in threads share: the next start has no room for it.
  const shared = join(dataDir, 'records.db-shm');
  rmSync(shared, { force: true });
  fill(disk);

  const server = await start().catch((error: unknown) => expect.unreachable(String(error)));
  const send = (method: string, path: string, body?: string) => sendTo(server.origin, method, path, body);
  expect(lines).toEqual([
    'The disk is full: records can be read, and nothing is stored. Searches are answered one after the other.',
  ]);
  expect((await send('GET', `${plans}/${kept.id}`)).status).toBe(200);
  expect((await send('GET', `${plans}?subject=Patient/p`)).json.total).toBe(stored);
  expect((await send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
  expect((await send('POST', plans, plan)).status).toBe(507);
  expect((await send('GET', '/app/overview')).json.disk).toBe('full');
  expect(lines.filter((line) => line.startsWith('The disk'))).toHaveLength(1);

  rmSync(ballast);
  expect((await send('POST', plans, plan)).status).toBe(201);
  expect((await send('GET', '/app/overview')).json.disk).toBe('ok');
  expect(lines.at(-1)).toContain('room again');
  // 32 KiB at least: a full disk leaves a beginning of it.
  expect(statSync(shared).size).toBeGreaterThanOrEqual(32 * 1024);
  expect((await send('GET', `${plans}?subject=Patient/p`)).json.total).toBe(stored + 1);
  await server.close();
});

/** Takes what is left of the disk, to its last byte. */
function fill(folder: string): void {
  for (const bytes of [2 ** 20, 2 ** 12, 1])
    try {
      for (;;) appendFileSync(join(folder, `filler-${bytes}`), Buffer.alloc(bytes));
    } catch (error) {
      if (!isFull(error)) throw error;
    }
}
