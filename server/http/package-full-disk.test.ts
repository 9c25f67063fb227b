import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newToken } from '../access/secret.ts';
import { packageFiles, tgzOf, valueSet } from '../packages/testing/make-package.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { smallDisk } from '../testing/small-disk.ts';

test('answers a package on a full disk with 507 and a sentence, and takes it once there is room (not run where nothing can be mounted)', async ({
  skip,
}) => {
  const disk = smallDisk('32m', skip);
  const dataDir = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const token = newToken();
  const server = await startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  // More than a connection holds back, so that the answer does not come of a body that was there already.
  const description = randomBytes(3 * 1024 ** 2).toString('base64');
  const held = { ...valueSet, url: 'https://large.example', description };
  const body = new Uint8Array(await tgzOf({ ...packageFiles(), 'package/ValueSet-large.json': held }));
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
          details: {
            text: 'The disk is full, and nothing was stored; records can be read. Make room, and try again.',
          },
        },
      ],
    },
  });
  expect(readdirSync(packages).filter((name) => name !== '.read')).toEqual([]);
  rmSync(ballast);
  expect((await add()).status).toBe(201);
  await server.close();
});
