import { gzipSync } from 'node:zlib';
import type { TarHeader } from 'modern-tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageLimits } from '../packages/limits.ts';
import { packageFiles, tarOf, tgzOf, valueSet } from '../packages/testing/make-package.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { packagesOf } from './testing/packages-of.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const { add, list, inFolder } = packagesOf(() => server);

const link = (type: NonNullable<TarHeader['type']>, linkname: string): TarHeader => ({
  name: 'package/x.json',
  size: 0,
  type,
  linkname,
});
const truncated = async () => (await tgzOf()).subarray(0, 400);
const withWrongChecksum = async () => {
  const tar = await tarOf(packageFiles());
  tar[0] = 0x7a;
  return gzipSync(tar);
};

const cases: readonly (readonly [name: string, make: () => Promise<Buffer>, sentence: string])[] = [
  ['a path upwards', () => tgzOf({ ...packageFiles(), '../../evil.json': '{}' }), 'outside itself'],
  ['one within a path', () => tgzOf({ 'package/../../evil': '{}' }), 'outside itself'],
  ['an absolute path', () => tgzOf({ '/etc/evil.json': '{}' }), 'outside itself'],
  ['a drive of Windows', () => tgzOf({ 'C:\\evil.json': '{}' }), 'outside itself'],
  ['a symbolic link', () => tgzOf(packageFiles(), [link('symlink', '/etc/passwd')]), 'contains a link'],
  ['a hard link', () => tgzOf(packageFiles(), [link('link', 'package/package.json')]), 'contains a link'],
  ['a device', () => tgzOf(packageFiles(), [link('character-device', '')]), 'contains a device'],
  ['a pipe', () => tgzOf(packageFiles(), [link('fifo', '')]), 'contains a pipe'],
  ['a gzip that breaks off', truncated, 'not gzip'],
  ['a tar with a wrong sum', withWrongChecksum, 'Not a valid tar archive'],
  ['no archive', () => Promise.resolve(Buffer.from('hello')), 'Not a valid tar archive'],
  ['nothing', () => Promise.resolve(Buffer.alloc(0)), 'Not a valid tar archive'],
  [
    'a tar that breaks off',
    async () => gzipSync((await tarOf(packageFiles())).subarray(0, 900)),
    'Not a valid tar',
  ],
  ['no package.json', () => tgzOf({ 'package/a.json': valueSet }), 'package/package.json is missing'],
  ['a broken package.json', () => tgzOf({ 'package/package.json': '{' }), 'has no name and version'],
  ['a name that is a path', () => tgzOf(packageFiles({ name: '../up' })), 'has no name and version'],
  ['another FHIR', () => tgzOf(packageFiles({ fhirVersions: ['5.0.0'] })), 'is for FHIR 5.0.0'],
  [
    'too many files',
    () =>
      tgzOf(
        Object.fromEntries(
          Array.from({ length: packageLimits.files + 1 }, (_, index) => [`package/${index}`, '']),
        ),
      ),
    'more than 20,000 files',
  ],
  [
    'one file that is too large',
    async () => tgzOf({ ...packageFiles(), 'package/big.json': ' '.repeat(packageLimits.file + 1) }),
    'more than 32 MiB',
  ],
];
test('rejects damaged and hostile packages with a message and no other effect', async () => {
  await add(await tgzOf(packageFiles({ name: 'held.before' })));
  const before = inFolder();
  for (const [name, make, sentence] of cases) {
    const { status, message } = await add(await make());
    expect([name, status, message]).toEqual([name, 400, expect.stringContaining(sentence)]);
    expect([name, inFolder()]).toEqual([name, before]);
  }
  expect((await list()).map(({ name }) => name)).toEqual(['held.before']);
});
