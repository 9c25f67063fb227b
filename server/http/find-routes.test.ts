import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FindAnswer } from '../../core/app/find.ts';
import { connect } from '../store/sqlite/sqlite.ts';
import { carePlan, onSharedStore, startTestServer, type TestServer } from '../testing/test-server.ts';

const plans = '/fhir-r4/v1/CarePlan';

async function start(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  return server;
}

type Send = Pick<TestServer, 'send'>;

async function ask({ send }: Send, q: string, more = ''): Promise<FindAnswer> {
  return (await send('GET', `/app/find?q=${encodeURIComponent(q)}${more}`)).json as FindAnswer;
}

/** What is found once all is indexed that is stored: on a busy machine the first answers say that they are behind. */
async function find(server: Send, q: string, more?: string): Promise<FindAnswer> {
  for (;;) {
    const answer = await ask(server, q, more);
    if (answer.behind === null || answer.behind === 0) return answer;
  }
}

const idsOf = ({ records }: FindAnswer) => records.flatMap(({ found }) => found.map(({ id }) => id));

async function put({ send }: Send, id: string, members: object): Promise<void> {
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

test('a record is found by its names, title, codes, identifiers, narrative and the beginning of its id', async () => {
  const server = await start();
  await put(server, '5510eaa6-0000-4000-8000-000000000001', {
    title: 'Wundpflege am Fuß',
    identifier: [{ system: 'urn:example', value: 'FALL-2026/0815' }],
    subject: { reference: 'urn:uuid:7f3c0000-aaaa-4000-8000-000000000002', display: 'Zoë Großmann-Müller' },
    author: { display: 'Dr. Ilse O’Brien' },
    category: [
      { coding: [{ system: 'http://snomed.info/sct', code: '73211009', display: 'Diabetes mellitus' }] },
    ],
    ...narrative('Verband t&auml;glich wechseln, L&#246;sung steril'),
  });
  const questions = [
    ...[
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
    ],
    ...[
      'diabetes',
      'abete',
      '73211009',
      '5510eaa6',
      'CarePlan/5510eaa6-0000-4000-8000-000000000001/_history/1',
    ],
    ...['taglich', 'lösung', 'muller wechs', 'fuß steril', 'w', 'zo'],
  ];
  for (const question of questions) {
    expect([question, ...idsOf(await find(server, question))]).toEqual([
      question,
      '5510eaa6-0000-4000-8000-000000000001',
    ]);
  }
  for (const none of ['7321100', 'nobody', 'wund nobody', 'aglich', '§CarePlan', '', ' - ']) {
    expect([none, ...idsOf(await find(server, none))]).toEqual([none]);
  }
  const { patients, behind } = await ask(server, 'grossmann');
  expect(patients).toEqual([
    { id: '7f3c0000-aaaa-4000-8000-000000000002', name: 'Zoë Großmann-Müller', records: 1 },
  ]);
  expect(behind).toBe(0);
  expect((await find(server, 'urn:uuid:7f3c0000-aaaa-4000-8000-000000000002')).patients).toEqual(patients);
  expect((await find(server, '7F3C0000')).patients).toEqual(patients);
});

test('the best match comes first, the newest among equals', async () => {
  const server = await start();
  await put(server, 'text-1', narrative('lung'));
  await put(server, 'inner-1', { title: 'Ablungung' });
  await put(server, 'word-1', { title: 'Rest of lung care' });
  await put(server, 'name-1', { title: 'Lung care' });
  await put(server, 'name-2', { title: 'Lungs' });
  await put(server, 'lung', {});
  expect(idsOf(await find(server, 'lung'))).toEqual([
    'lung',
    'name-2',
    'name-1',
    'word-1',
    'inner-1',
    'text-1',
  ]);
  await put(server, 'name-1', { title: 'Lung care again' });
  expect(idsOf(await find(server, 'lung', '&limit=2'))).toEqual(['lung', 'name-1']);
});

test('what a record says no more does not find it', async () => {
  const server = await start();
  await put(server, 'a', { title: 'Before', ...narrative('former') });
  expect(idsOf(await find(server, 'former'))).toEqual(['a']);
  await put(server, 'a', { title: 'After' });
  for (const gone of ['before', 'efor', 'former']) expect(idsOf(await find(server, gone))).toEqual([]);
  expect(idsOf(await find(server, 'after'))).toEqual(['a']);
});

test('an erased record leaves nothing in the index', async () => {
  const server = await start();
  await put(server, 'other', { title: 'Commonplace' });
  await put(server, 'a', {
    title: 'Unmistakable',
    subject: { display: 'Xaverius Quillfeather' },
    ...narrative('zymurgyword'),
  });
  expect(idsOf(await find(server, 'zymurgy'))).toEqual(['a']);
  const erased = await server.send('POST', '/app/erasures', '{"type":"CarePlan","id":"a","reason":"wish"}');
  expect(erased.status).toBe(201);
  const files = readdirSync(server.dataDir).filter((name) => name.startsWith('text.db'));
  expect(files).toContain('text.db');
  const bytes = files
    .map((name) => readFileSync(join(server.dataDir, name), 'latin1').toLowerCase())
    .join('');
  for (const word of ['unmistakable', 'quillfeather', 'xaverius', 'zymurgyword'])
    expect(bytes).not.toContain(word);
  expect(bytes).toContain('commonplace');
  expect(idsOf(await find(server, 'zymurgy'))).toEqual([]);
  // The number of the erased version is given again.
  await put(server, 'b', { title: 'Later' });
  expect(idsOf(await find(server, 'later'))).toEqual(['b']);
});

test.skipIf(onSharedStore)('a restore brings back what was found then, and no more', async () => {
  const server = await start();
  await put(server, 'a', { title: 'Before' });
  expect(idsOf(await find(server, 'before'))).toEqual(['a']);
  const { json } = await server.send('POST', '/app/backups');
  await put(server, 'b', { title: 'Behind' });
  expect(idsOf(await find(server, 'behind'))).toEqual(['b']);
  const name = (json as { name: string }).name;
  const stored = readdirSync(server.dataDir, { recursive: true }).map(String);
  expect(stored.filter((file) => basename(file).startsWith('text.db') && file.includes(sep))).toEqual([]);
  expect((await server.send('POST', `/app/backups/${encodeURIComponent(name)}/restore`)).status).toBe(200);
  expect(idsOf(await find(server, 'behind'))).toEqual([]);
  expect(idsOf(await find(server, 'before'))).toEqual(['a']);
});

test('an index that is damaged, or of other records, is made anew', async () => {
  const server = await start();
  await put(server, 'a', { title: 'Findable' });
  expect(idsOf(await find(server, 'findable'))).toEqual(['a']);
  await server.close();
  const path = join(server.dataDir, 'text.db');
  expect(existsSync(path)).toBe(true);
  const whole = readFileSync(path);
  const contents = [
    Buffer.from('This is no database. '.repeat(500)),
    broken(whole),
    whole.subarray(0, whole.length / 2),
    whole.subarray(0, 100),
    ofAnotherStamp(path),
  ];
  for (const content of contents) {
    writeFileSync(path, content);
    await server.again();
    expect(idsOf(await find(server, 'findable'))).toEqual(['a']);
    await server.close();
  }
});

/** An index that another program has made, and in which nothing is found. */
function ofAnotherStamp(path: string): Buffer {
  const index = connect(path);
  index.exec("UPDATE stand SET stamp = 'another'; DELETE FROM everything; DELETE FROM posting");
  index.close();
  return readFileSync(path);
}

/** The same with its pages overwritten, but for the first. */
function broken(file: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, 4096), Buffer.alloc(file.length - 4096, 0x5a)]);
}

test('a question that is none is refused', async () => {
  const server = await start();
  await server.send('POST', plans, carePlan('Patient/1'));
  for (const query of ['q=a&limit=0', 'q=a&limit=x', `q=${'a'.repeat(201)}`]) {
    expect((await server.send('GET', `/app/find?${query}`)).status).toBe(400);
  }
});
