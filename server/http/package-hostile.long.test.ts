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
const cut = async () => (await tgzOf()).subarray(0, 400);
const badSum = async () => {
  const tar = await tarOf(packageFiles());
  tar[0] = 0x7a;
  return gzipSync(tar);
};

const cases: readonly (readonly [name: string, make: () => Promise<Buffer>, sentence: string])[] = [
  ['a path upwards', () => tgzOf({ ...packageFiles(), '../../evil.json': '{}' }), 'leads out of it'],
  ['one within a path', () => tgzOf({ 'package/../../evil': '{}' }), 'leads out of it'],
  ['an absolute path', () => tgzOf({ '/etc/evil.json': '{}' }), 'leads out of it'],
  ['a drive of Windows', () => tgzOf({ 'C:\\evil.json': '{}' }), 'leads out of it'],
  ['a symbolic link', () => tgzOf(packageFiles(), [link('symlink', '/etc/passwd')]), 'holds a link'],
  ['a hard link', () => tgzOf(packageFiles(), [link('link', 'package/package.json')]), 'holds a link'],
  ['a device', () => tgzOf(packageFiles(), [link('character-device', '')]), 'holds a device'],
  ['a pipe', () => tgzOf(packageFiles(), [link('fifo', '')]), 'holds a pipe'],
  ['a gzip that breaks off', cut, 'cannot be unpacked to its end'],
  ['a tar with a wrong sum', badSum, 'no sound tar archive'],
  ['no archive', () => Promise.resolve(Buffer.from('hello')), 'no sound tar archive'],
  ['nothing', () => Promise.resolve(Buffer.alloc(0)), 'no sound tar archive'],
  [
    'a tar that breaks off',
    async () => gzipSync((await tarOf(packageFiles())).subarray(0, 900)),
    'no sound tar',
  ],
  ['no package.json', () => tgzOf({ 'package/a.json': valueSet }), 'no package/package.json'],
  ['a broken package.json', () => tgzOf({ 'package/package.json': '{' }), 'does not give the name'],
  ['a name that is a path', () => tgzOf(packageFiles({ name: '../up' })), 'does not give the name'],
  ['another FHIR', () => tgzOf(packageFiles({ fhirVersions: ['5.0.0'] })), 'is of FHIR 5.0.0'],
  [
    'too many files',
    () =>
      tgzOf(
        Object.fromEntries(Array.from({ length: packageLimits.files + 1 }, (_, at) => [`package/${at}`, ''])),
      ),
    'more than 20000 files',
  ],
  [
    'one file that is too large',
    async () => tgzOf({ ...packageFiles(), 'package/big.json': ' '.repeat(packageLimits.file + 1) }),
    'more than 32 MiB',
  ],
];
test('what is damaged or hostile costs a sentence, and nothing else', async () => {
  await add(await tgzOf(packageFiles({ name: 'held.before' })));
  const before = inFolder();
  for (const [name, make, sentence] of cases) {
    const { status, said } = await add(await make());
    expect([name, status, said]).toEqual([name, 400, expect.stringContaining(sentence)]);
    expect([name, inFolder()]).toEqual([name, before]);
  }
  expect((await list()).map(({ name }) => name)).toEqual(['held.before']);
});
