import { statSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageLimits } from '../packages/limits.ts';
import {
  manifest,
  packageFiles,
  profileUrl,
  tarOf,
  tgzOf,
  valueSet,
} from '../packages/testing/make-package.ts';
import { onSharedStore, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { packagesOf } from './testing/packages-of.ts';

/** Not run on a shared store, which has no files that were copied by hand. */
const testLocal = test.skipIf(onSharedStore);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const { folder, add, list, inFolder } = packagesOf(() => server);

test('lists a package with its contents, dependencies and missing packages and removes it', async () => {
  const { status, json } = await add(await tgzOf());
  expect(status).toBe(201);
  expect(await list()).toEqual([json]);
  expect(json).toEqual({
    file: 'ward.example.plans-1.2.0.tgz',
    state: 'held',
    name: 'ward.example.plans',
    version: '1.2.0',
    title: 'Plans of the ward',
    counts: { StructureDefinition: 1, ValueSet: 1, CodeSystem: 1 },
    dependencies: [
      { name: 'hl7.fhir.r4.core', version: '4.0.1', state: 'own' },
      { name: 'hl7.terminology.r4', version: '5.0.0', state: 'lacking' },
    ],
    profiles: [
      {
        url: profileUrl,
        version: '1.2.0',
        title: 'Ward plan',
        type: 'CarePlan',
        usable: true,
        lacks: ['http://snomed.info/sct'],
      },
    ],
    notes: [],
  });
  expect((await server.send('DELETE', '/app/packages/ward.example.plans-1.2.0.tgz')).status).toBe(204);
  expect(await list()).toEqual([]);
  expect(inFolder()).toEqual(['.read']);
  expect((await server.send('DELETE', '/app/packages/ward.example.plans-1.2.0.tgz')).status).toBe(404);
  const { entries } = (await server.send('GET', '/app/audit?text=packages')).json;
  expect(entries.map(({ action, what: target, status }: Json) => [action, target, status])).toEqual([
    ['delete', '/app/packages/ward.example.plans-1.2.0.tgz', 404],
    ['delete', '/app/packages/ward.example.plans-1.2.0.tgz', 204],
    ['create', '/app/packages/ward.example.plans-1.2.0.tgz', 201],
  ]);
});

test('accepts an uncompressed tar and rejects other content types', async () => {
  const { status, json } = await add(await tarOf(packageFiles()), 'application/x-tar');
  expect([status, json.file]).toEqual([201, 'ward.example.plans-1.2.0.tar']);
  expect((await add(await tgzOf(), 'application/json')).status).toBe(415);
});

test.skipIf(process.platform === 'win32')(
  'restricts the files to the owner (not run on Windows)',
  async () => {
    await add(await tgzOf());
    for (const name of inFolder()) {
      const { mode } = statSync(join(folder(), name));
      expect([name, (mode & 0o777).toString(8)]).toEqual([name, name === '.read' ? '700' : '600']);
    }
    expect((statSync(folder()).mode & 0o777).toString(8)).toBe('700');
  },
);

test('ignores an identical package, rejects different content and accepts another version', async () => {
  const sound = await tgzOf();
  await add(sound);
  const before = inFolder();
  expect((await add(sound)).status).toBe(200);
  const otherContent = await add(await tgzOf(packageFiles({ title: 'Another' })));
  expect([otherContent.status, otherContent.message]).toEqual([
    409,
    expect.stringContaining('with different content'),
  ]);
  expect(inFolder()).toEqual(before);
  expect((await add(await tgzOf(packageFiles({ version: '1.10.0' })))).status).toBe(201);
  expect((await list()).map(({ version }) => version)).toEqual(['1.2.0', '1.10.0']);
});

test('reports an unreadable file and uses the others', async () => {
  const { json } = await add(
    await tgzOf({
      ...packageFiles(),
      'package/ValueSet-broken.json': '{"resourceType": "ValueSet", ',
      'package/ValueSet-nameless.json': { resourceType: 'ValueSet' },
      'package/ValueSet-twice.json': valueSet,
    }),
  );
  expect(json.counts).toEqual({ StructureDefinition: 1, ValueSet: 1, CodeSystem: 1 });
  expect(json.notes).toEqual([
    'package/ValueSet-broken.json is not JSON and is skipped.',
    'package/ValueSet-nameless.json is a ValueSet without a url and is skipped.',
    'package/ValueSet-twice.json defines the same as another file and is skipped.',
  ]);
});

test('reports a dependency as installed, also in another version', async () => {
  await add(await tgzOf());
  const needing = (version: string) =>
    tgzOf({
      'package/package.json': manifest({
        name: `needs.${version}`,
        dependencies: { 'ward.example.plans': version },
      }),
    });
  const states = ['1.2.0', '1.2.x', '2.0.0'].map(async (version) => (await add(await needing(version))).json);
  expect((await Promise.all(states)).map(({ dependencies }) => dependencies[0].state)).toEqual([
    'held',
    'held',
    'other',
  ]);
});

test('lists required, forbidden and sliced elements of a profile', async () => {
  await add(await tgzOf());
  const requestProfile = (url: string) => server.send('GET', `/app/profiles?url=${encodeURIComponent(url)}`);
  const { json } = await requestProfile(profileUrl);
  expect(json).toMatchObject({ url: profileUrl, version: '1.2.0', type: 'CarePlan', title: 'Ward plan' });
  expect(
    json.elements.map(({ path, min, max, mustSupport, slices }: Json) => [
      path,
      min,
      max,
      mustSupport,
      slices,
    ]),
  ).toEqual([
    ['CarePlan.status', 1, '1', true, []],
    ['CarePlan.title', 1, '1', true, []],
    ['CarePlan.category', 0, '*', false, ['Ward', 'Home']],
    ['CarePlan.goal', 0, '0', false, []],
    ['CarePlan.intent', 1, '1', false, []],
  ]);
  expect((await requestProfile(`${profileUrl}|1.2.0`)).status).toBe(200);
  expect((await requestProfile(`${profileUrl}|9`)).status).toBe(404);
  expect((await server.send('GET', '/app/profiles')).status).toBe(400);
});

testLocal(
  'a file and a folder that were copied by hand are seen by a look, and what is no package says why',
  async () => {
    await mkdir(join(folder(), 'unpacked', 'package'), { recursive: true });
    for (const [path, content] of Object.entries(packageFiles({ name: 'unpacked' }))) {
      if (path.startsWith('package/example')) continue;
      await writeFile(join(folder(), 'unpacked', path), JSON.stringify(content));
    }
    await writeFile(join(folder(), 'copied.tgz'), await tgzOf());
    await writeFile(join(folder(), 'twin.tgz'), await tgzOf());
    await writeFile(join(folder(), 'notes.txt'), 'hello');
    const { json } = await server.send('POST', '/app/packages/look');
    expect(
      json.packages.map(({ file, state, name, problem }: Json) => [file, state, name ?? problem]),
    ).toEqual([
      ['copied.tgz', 'held', 'ward.example.plans'],
      ['notes.txt', 'refused', expect.stringContaining('Not a valid tar')],
      ['twin.tgz', 'refused', 'Same package as copied.tgz.'],
      ['unpacked', 'held', 'unpacked'],
    ]);
    expect((await server.send('DELETE', '/app/packages/unpacked')).status).toBe(204);
    expect(inFolder().filter((name) => name.includes('unpacked'))).toEqual([]);
  },
);

testLocal('a link in the folder leads nowhere', async () => {
  await mkdir(folder());
  await symlink(join(server.dataDir, 'records.db'), join(folder(), 'link.tgz'));
  const { json } = await server.send('POST', '/app/packages/look');
  expect(json.packages).toEqual([
    { file: 'link.tgz', state: 'refused', problem: expect.stringContaining('This is a link') },
  ]);
});

test('rejects a package above the size limit before storing it', async () => {
  const response = await fetch(`${server.origin}/app/packages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/gzip' },
    body: new Uint8Array(packageLimits.packed + 1),
  });
  expect(response.status).toBe(413);
  expect(inFolder().filter((name) => name !== '.read')).toEqual([]);
});

test('ignores copies with other extensions', async () => {
  await add(await tgzOf());
  await cp(join(folder(), 'ward.example.plans-1.2.0.tgz'), join(folder(), '.passing-x'));
  await server.send('POST', '/app/packages/look');
  expect(inFolder()).not.toContain('.passing-x');
});
