import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createToken } from '../access/secret.ts';
import { packageFiles, tgzOf, valueSet } from '../packages/testing/make-package.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { smallDisk } from '../testing/small-disk.ts';

test('rejects a package on a full disk with 507 and accepts it later (not run without mounts)', async ({
  skip,
}) => {
  const disk = smallDisk('32m', skip);
  const dataDir = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const token = createToken();
  const server = await startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  // More than a connection buffers, so that the whole body is not already there.
  const description = randomBytes(3 * 1024 ** 2).toString('base64');
  const largeValueSet = { ...valueSet, url: 'https://large.example', description };
  const body = new Uint8Array(
    await tgzOf({ ...packageFiles(), 'package/ValueSet-large.json': largeValueSet }),
  );
  const add = async () => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/gzip' };
    const answer = await fetch(`${server.origin}/app/packages`, { method: 'POST', headers, body });
    return { status: answer.status, json: (await answer.json()) as object };
  };
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 512 * 1024));
  const packages = join(dataDir, 'packages');
  expect(await add()).toMatchObject({
    status: 507,
    json: {
      issue: [
        {
          code: 'no-store',
          details: { coding: [{ code: 'server.diskFull' }] },
        },
      ],
    },
  });
  expect(readdirSync(packages).filter((name) => name !== '.read')).toEqual([]);
  rmSync(ballast);
  expect((await add()).status).toBe(201);
  await server.close();
});
