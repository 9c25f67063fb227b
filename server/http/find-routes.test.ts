import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FindAnswer } from '../../core/app/find.ts';
import { connect } from '../sqlite/sqlite.ts';
import { carePlan, onSharedStore, startTestServer, type TestServer } from '../testing/test-server.ts';

const plans = '/fhir-r4/v1/CarePlan';

async function start(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  return server;
}

type Send = Pick<TestServer, 'send'>;

async function requestFind({ send }: Send, q: string, parameters = ''): Promise<FindAnswer> {
  return (await send('GET', `/app/find?q=${encodeURIComponent(q)}${parameters}`)).json as FindAnswer;
}

/** Searches until the index includes all stored records. */
async function find(server: Send, q: string, parameters?: string): Promise<FindAnswer> {
  for (;;) {
    const matches = await requestFind(server, q, parameters);
    if (matches.behind === null || matches.behind === 0) return matches;
  }
}

const listIds = ({ records }: FindAnswer) =>
  records.flatMap(({ found: groupMatches }) => groupMatches.map(({ id }) => id));

async function storeRecord({ send }: Send, id: string, members: object): Promise<void> {
  const plan = { resourceType: 'CarePlan', id, status: 'active', intent: 'plan', ...members };
  const body = JSON.stringify({ subject: { reference: 'Patient/p1' }, ...plan });
  const lines = { 'Content-Type': 'application/x-ndjson' };
  const { status } = await send('PUT', `${plans}/${id}`, body);
  if (status !== 404) expect(status).toBe(200);
  else expect((await send('POST', '/app/import?keepIds=true', body, lines)).text).toContain('"stored":1');
}

const narrative = (words: string) => ({
  text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml"><p>${words}</p></div>` },
});

test('finds a record by names, title, codes, identifiers, narrative and id prefix', async () => {
  const server = await start();
  await storeRecord(server, '5510eaa6-0000-4000-8000-000000000001', {
    title: 'Wundpflege am Fuß',
    identifier: [{ system: 'urn:example', value: 'FALL-2026/0815' }],
    subject: { reference: 'urn:uuid:7f3c0000-aaaa-4000-8000-000000000002', display: 'Zoë Großmann-Müller' },
    author: { display: 'Dr. Ilse O’Brien' },
    category: [
      { coding: [{ system: 'http://snomed.info/sct', code: '73211009', display: 'Diabetes mellitus' }] },
    ],
    ...narrative('Verband t&auml;glich wechseln, L&#246;sung steril'),
  });
  const queries = [
    'wund',
    'FUSS',
    'flege',
    'gross',
    'Großmann',
    'zoe mull',
    "o'brien",
    'O’Brien',
    'fall-2026/0815',
    '0815',
    'diabetes',
    'abete',
    '73211009',
    '5510eaa6',
    'CarePlan/5510eaa6-0000-4000-8000-000000000001/_history/1',
    'taglich',
    'lösung',
    'muller wechs',
    'fuß steril',
    'w',
    'zo',
  ];
  for (const query of queries) {
    expect([query, ...listIds(await find(server, query))]).toEqual([
      query,
      '5510eaa6-0000-4000-8000-000000000001',
    ]);
  }
  for (const query of ['7321100', 'nobody', 'wund nobody', 'aglich', '§CarePlan', '', ' - ']) {
    expect([query, ...listIds(await find(server, query))]).toEqual([query]);
  }
  const { patients, behind: isBehind } = await requestFind(server, 'grossmann');
  expect(patients).toEqual([
    { id: '7f3c0000-aaaa-4000-8000-000000000002', name: 'Zoë Großmann-Müller', records: 1 },
  ]);
  expect(isBehind).toBe(0);
  expect((await find(server, 'urn:uuid:7f3c0000-aaaa-4000-8000-000000000002')).patients).toEqual(patients);
  expect((await find(server, '7F3C0000')).patients).toEqual(patients);
});

test('ranks the best match first, then the latest', async () => {
  const server = await start();
  await storeRecord(server, 'text-1', narrative('lung'));
  await storeRecord(server, 'inner-1', { title: 'Ablungung' });
  await storeRecord(server, 'word-1', { title: 'Rest of lung care' });
  await storeRecord(server, 'name-1', { title: 'Lung care' });
  await storeRecord(server, 'name-2', { title: 'Lungs' });
  await storeRecord(server, 'lung', {});
  expect(listIds(await find(server, 'lung'))).toEqual([
    'lung',
    'name-2',
    'name-1',
    'word-1',
    'inner-1',
    'text-1',
  ]);
  await storeRecord(server, 'name-1', { title: 'Lung care again' });
  expect(listIds(await find(server, 'lung', '&limit=2'))).toEqual(['lung', 'name-1']);
});

test('does not find a record by its previous content', async () => {
  const server = await start();
  await storeRecord(server, 'a', { title: 'Before', ...narrative('former') });
  expect(listIds(await find(server, 'former'))).toEqual(['a']);
  await storeRecord(server, 'a', { title: 'After' });
  for (const query of ['before', 'efor', 'former']) expect(listIds(await find(server, query))).toEqual([]);
  expect(listIds(await find(server, 'after'))).toEqual(['a']);
});

test('leaves nothing of an erased record in the index', async () => {
  const server = await start();
  await storeRecord(server, 'other', { title: 'Commonplace' });
  await storeRecord(server, 'a', {
    title: 'Unmistakable',
    subject: { display: 'Xaverius Quillfeather' },
    ...narrative('zymurgyword'),
  });
  expect(listIds(await find(server, 'zymurgy'))).toEqual(['a']);
  const erasureResponse = await server.send(
    'POST',
    '/app/erasures',
    '{"type":"CarePlan","id":"a","reason":"wish"}',
  );
  expect(erasureResponse.status).toBe(201);
  const files = readdirSync(server.dataDir).filter((name) => name.startsWith('text.db'));
  expect(files).toContain('text.db');
  const bytes = files
    .map((name) => readFileSync(join(server.dataDir, name), 'latin1').toLowerCase())
    .join('');
  for (const word of ['unmistakable', 'quillfeather', 'xaverius', 'zymurgyword'])
    expect(bytes).not.toContain(word);
  expect(bytes).toContain('commonplace');
  expect(listIds(await find(server, 'zymurgy'))).toEqual([]);
  // The version number of the erased record is assigned again.
  await storeRecord(server, 'b', { title: 'Later' });
  expect(listIds(await find(server, 'later'))).toEqual(['b']);
});

test.skipIf(onSharedStore)('finds exactly the restored content after a restore', async () => {
  const server = await start();
  await storeRecord(server, 'a', { title: 'Before' });
  expect(listIds(await find(server, 'before'))).toEqual(['a']);
  const { json } = await server.send('POST', '/app/backups');
  await storeRecord(server, 'b', { title: 'Behind' });
  expect(listIds(await find(server, 'behind'))).toEqual(['b']);
  const name = (json as { name: string }).name;
  const storedFiles = readdirSync(server.dataDir, { recursive: true }).map(String);
  expect(storedFiles.filter((file) => basename(file).startsWith('text.db') && file.includes(sep))).toEqual(
    [],
  );
  expect((await server.send('POST', `/app/backups/${encodeURIComponent(name)}/restore`)).status).toBe(200);
  expect(listIds(await find(server, 'behind'))).toEqual([]);
  expect(listIds(await find(server, 'before'))).toEqual(['a']);
});

test('rebuilds a damaged or foreign index', async () => {
  const server = await start();
  await storeRecord(server, 'a', { title: 'Findable' });
  expect(listIds(await find(server, 'findable'))).toEqual(['a']);
  await server.close();
  const path = join(server.dataDir, 'text.db');
  expect(existsSync(path)).toBe(true);
  const intactIndex = readFileSync(path);
  const contents = [
    Buffer.from('This is no database. '.repeat(500)),
    corruptPages(intactIndex),
    intactIndex.subarray(0, intactIndex.length / 2),
    intactIndex.subarray(0, 100),
    withOtherFingerprint(path),
  ];
  for (const content of contents) {
    writeFileSync(path, content);
    await server.restart();
    expect(listIds(await find(server, 'findable'))).toEqual(['a']);
    await server.close();
  }
});

/** Returns an index with another fingerprint, in which nothing is found. */
function withOtherFingerprint(path: string): Buffer {
  const index = connect(path);
  index.exec("UPDATE stand SET stamp = 'another'; DELETE FROM everything; DELETE FROM posting");
  index.close();
  return readFileSync(path);
}

/** Overwrites all pages except the first. */
function corruptPages(file: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, 4096), Buffer.alloc(file.length - 4096, 0x5a)]);
}

test('rejects an invalid query', async () => {
  const server = await start();
  await server.send('POST', plans, carePlan('Patient/1'));
  for (const query of ['q=a&limit=0', 'q=a&limit=x', `q=${'a'.repeat(201)}`]) {
    expect((await server.send('GET', `/app/find?${query}`)).status).toBe(400);
  }
});
