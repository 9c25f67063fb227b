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

/** Of what a server over a shared store has not: files that were copied by hand. */
const ofFolder = test.skipIf(onSharedStore);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const { folder, add, list, inFolder } = packagesOf(() => server);

test('a package is listed with what it holds, what it needs and what is lacking of that, and removed again', async () => {
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
  expect(entries.map(({ action, what, status: ended }: Json) => [action, what, ended])).toEqual([
    ['delete', '/app/packages/ward.example.plans-1.2.0.tgz', 404],
    ['delete', '/app/packages/ward.example.plans-1.2.0.tgz', 204],
    ['create', '/app/packages/ward.example.plans-1.2.0.tgz', 201],
  ]);
});

test('a tar that is not compressed is taken too; other content types are refused', async () => {
  const { status, json } = await add(await tarOf(packageFiles()), 'application/x-tar');
  expect([status, json.file]).toEqual([201, 'ward.example.plans-1.2.0.tar']);
  expect((await add(await tgzOf(), 'application/json')).status).toBe(415);
});

test.skipIf(process.platform === 'win32')(
  'the files are open to nobody else (not run on Windows)',
  async () => {
    await add(await tgzOf());
    for (const name of inFolder()) {
      const { mode } = statSync(join(folder(), name));
      expect([name, (mode & 0o777).toString(8)]).toEqual([name, name === '.read' ? '700' : '600']);
    }
    expect((statSync(folder()).mode & 0o777).toString(8)).toBe('700');
  },
);

test('the same package again changes nothing; with other content it is refused, another version stands beside it', async () => {
  const sound = await tgzOf();
  await add(sound);
  const before = inFolder();
  expect((await add(sound)).status).toBe(200);
  const other = await add(await tgzOf(packageFiles({ title: 'Another' })));
  expect([other.status, other.said]).toEqual([409, expect.stringContaining('with other content')]);
  expect(inFolder()).toEqual(before);
  expect((await add(await tgzOf(packageFiles({ version: '1.10.0' })))).status).toBe(201);
  expect((await list()).map(({ version }) => version)).toEqual(['1.2.0', '1.10.0']);
});

test('a file that cannot be read is told, and the others are used', async () => {
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
    'package/ValueSet-broken.json is no JSON, and is left out.',
    'package/ValueSet-nameless.json is a ValueSet without a url, and is left out.',
    'package/ValueSet-twice.json defines what another file does, and is left out.',
  ]);
});

test('a dependency is held, or another version of it is', async () => {
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

test('a profile’s digest names what is asked for, forbidden and sliced', async () => {
  await add(await tgzOf());
  const ask = (url: string) => server.send('GET', `/app/profiles?url=${encodeURIComponent(url)}`);
  const { json } = await ask(profileUrl);
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
  expect((await ask(`${profileUrl}|1.2.0`)).status).toBe(200);
  expect((await ask(`${profileUrl}|9`)).status).toBe(404);
  expect((await server.send('GET', '/app/profiles')).status).toBe(400);
});

ofFolder(
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
      ['notes.txt', 'refused', expect.stringContaining('no sound tar')],
      ['twin.tgz', 'refused', 'It is the same package as copied.tgz.'],
      ['unpacked', 'held', 'unpacked'],
    ]);
    expect((await server.send('DELETE', '/app/packages/unpacked')).status).toBe(204);
    expect(inFolder().filter((name) => name.includes('unpacked'))).toEqual([]);
  },
);

ofFolder('a link in the folder leads nowhere', async () => {
  await mkdir(folder());
  await symlink(join(server.dataDir, 'records.db'), join(folder(), 'link.tgz'));
  const { json } = await server.send('POST', '/app/packages/look');
  expect(json.packages).toEqual([
    { file: 'link.tgz', state: 'refused', problem: expect.stringContaining('It is a link') },
  ]);
});

test('a body that is larger than a package may be is refused before it is kept', async () => {
  const answer = await fetch(`${server.origin}/app/packages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/gzip' },
    body: new Uint8Array(packageLimits.packed + 1),
  });
  expect(answer.status).toBe(413);
  expect(inFolder().filter((name) => name !== '.read')).toEqual([]);
});

test('copies with other extensions are nobody’s', async () => {
  await add(await tgzOf());
  await cp(join(folder(), 'ward.example.plans-1.2.0.tgz'), join(folder(), '.passing-x'));
  await server.send('POST', '/app/packages/look');
  expect(inFolder()).not.toContain('.passing-x');
});
