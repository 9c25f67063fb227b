import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SharedArchives } from './shared-archives.ts';
import { mirrorOf } from './package-mirror.ts';

// The message of an error may quote the file.
test.each([
  [Object.assign(new Error('Meier, Anna'), { code: 'ENOSPC' }), 'ENOSPC'],
  [new Error('Meier, Anna'), 'unknown'],
])('logs the code of a failed copy and not its message: %s', async (error, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-mirror-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines: string[] = [];
  const shared: SharedArchives = {
    list: () => Promise.resolve(new Map([['ward.tgz', 'no checksum']])),
    async *read() {
      yield Buffer.from('first bytes');
      await Promise.reject(error);
    },
    add: () => Promise.resolve(false),
    remove: () => Promise.resolve(),
    onChange: () => undefined,
  };
  const mirror = mirrorOf(shared, { folder, makeFolder: () => undefined, log: (line) => lines.push(line) });
  await mirror.pull();
  expect([...mirror.problems()]).toEqual([['ward.tgz', 'The file couldn’t be stored on this server.']]);
  expect(lines).toEqual([`a package was not kept: ${code}; /app/packages names it`]);
  expect(readdirSync(folder)).toEqual([]);
});
