import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { carePlan } from '../testing/test-server.ts';

const disk = mkdtempSync(join(tmpdir(), 'chartkeeper-full-'));
const mounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', disk]).status === 0;
afterAll(() => {
  if (mounted) spawnSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true, force: true });
});

test.skipIf(!mounted)(
  'item 9: on a full disk writes are 507 and reads go on; with room again writes do too (not run where nothing can be mounted)',
  async () => {
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
    const session = await tokenFor(server.origin, server.signInCode());
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
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 1.5 * Number(json.bytes)));
    expect(await send('POST', '/app/backups')).toMatchObject({
      status: 507,
      json: { issue: [{ details: { text: expect.stringContaining('too little room') as string } }] },
    });
    expect(readdirSync(join(disk, 'data', 'backups'))).toHaveLength(1);
    rmSync(ballast);
    await server.close();
  },
);
