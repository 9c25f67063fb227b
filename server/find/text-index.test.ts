import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFull } from '../sqlite/sqlite.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { carePlan, startTestServer } from '../testing/test-server.ts';
import { fileSource } from './file-source.ts';
import type { SourceRow, TextSource } from './text-source.ts';
import { TextIndex } from './text-index.ts';

/** Creates a server and a separate index of its records. `wrapSource` changes the records that the index reads. */
async function createIndexed(wrapSource = (file: TextSource): TextSource => file) {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const text = join(server.dataDir, 'index-of-this-test.db');
  const index = new TextIndex(text, () => wrapSource(fileSource(join(server.dataDir, 'records.db'))));
  onTestFinished(() => index.close());
  return { server, text, index };
}

test('keeps a partial index on a full disk and continues with space (not run without mounts)', async ({
  skip,
}) => {
  const disk = smallDisk('4m', skip);
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const words = Array.from({ length: 150 }, (_, wordIndex) => `${word}${index}x${wordIndex}`).join(' ');
      return carePlan('Patient/p', `,"description":"${words}"`);
    }).join('\n');
  const add = async (word: string, count: number) => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const { text } = await server.send('POST', '/app/import', lines(word, count), headers);
    expect(text).toContain(`"stored":${count}`);
  };
  const text = join(disk, 'text.db');
  const index = new TextIndex(text, () => fileSource(join(server.dataDir, 'records.db')));
  onTestFinished(() => index.close());
  const find = (word: string) => index.search({ text: word, limit: 8 });
  const count = async (word: string) =>
    (await find(word)).records.flatMap(({ found: recordMatches }) => recordMatches).length;

  await add('first', 1);
  while (await index.step());
  expect(await count('first0x1')).toBe(1);
  const { ino } = statSync(text);
  const ballast = join(disk, 'ballast');
  const { error } = spawnSync('sh', ['-c', `cat /dev/zero > ${ballast}`]);
  expect(error).toBeUndefined();
  await add('second', 200);
  const fill = async () => {
    while (await index.step());
  };
  await expect(fill()).rejects.toSatisfy(isFull);
  expect(statSync(text).ino).toBe(ino);
  expect(await count('first0x1')).toBe(1);
  expect((await find('first0x1')).behind).toBeGreaterThan(0);
  await index.close();
  expect(await count('first0x1')).toBe(1);
  writeFileSync(ballast, '');
  await fill();
  const { behind: pendingCount } = await find('second');
  expect([pendingCount, await count('second199x149'), await count('first0x1')]).toEqual([0, 1, 1]);
});

test('indexes no words of a damaged text and all words of others', async () => {
  // One flipped bit in the header of a row makes SQLite return bytes instead of a text.
  const damageRow = (row: SourceRow) =>
    row.body?.includes('damaged') === true
      ? { ...row, body: Buffer.from(row.body) as unknown as string }
      : row;
  const { server, index } = await createIndexed((file) => ({
    ...file,
    next: async (place) => {
      const { rows, ...position } = await file.next(place);
      return { ...position, rows: rows.map(damageRow) };
    },
    before: async (maxKey) => (await file.before(maxKey)).map(damageRow),
  }));
  for (const word of ['damaged', 'sound']) {
    await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"description":"${word}"`));
  }
  while (await index.step());
  const count = async (text: string) => {
    const { records, behind: pendingCount } = await index.search({ text, limit: 8 });
    return [records.flatMap(({ found: recordMatches }) => recordMatches).length, pendingCount];
  };
  expect(await count('sound')).toEqual([1, 0]);
  expect(await count('damaged')).toEqual([0, 0]);
});

test('removes all words of all versions of an erased record from the file', async () => {
  const { server, index, text } = await createIndexed();
  const isInFile = (word: string) => readFileSync(text).includes(word);
  const countMatches = async (...words: string[]) => {
    const answers = words.map((word) => index.search({ text: word, limit: 8 }));
    return (await Promise.all(answers)).map(
      ({ records }) => records.flatMap(({ found: rows }) => rows).length,
    );
  };
  const createPlan = (word: string) =>
    carePlan('Patient/p', `,"title":"Plan ${word}","description":"${word}"`);

  const keptResponse = await server.send('POST', '/fhir-r4/v1/CarePlan', createPlan('wombatstays'));
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', createPlan('quokkafirst'));
  while (await index.step());
  await server.send('PUT', `/fhir-r4/v1/CarePlan/${json.id}`, createPlan('numbatsecond'));
  while (await index.step());
  expect(await countMatches('quokkafirst', 'numbatsecond', 'wombatstays')).toEqual([0, 1, 1]);
  await index.close();
  // The start of a word may be stored with the previous word.
  const tails = ['kkafirst', 'mbatsecond', 'mbatstays'];
  expect(tails.map(isInFile)).toEqual([true, true, true]);
  const erasure = JSON.stringify({ type: 'CarePlan', id: json.id, reason: 'Asked for.' });
  expect((await server.send('POST', '/app/erasures', erasure)).status).toBe(201);
  await index.erase([{ type: 'CarePlan', id: json.id }]);
  expect(await countMatches('quokkafirst', 'numbatsecond', 'wombatstays')).toEqual([0, 0, 1]);
  await index.close();
  expect(tails.map(isInFile)).toEqual([false, false, true]);
  expect(keptResponse.status).toBe(201);
});

test('finds new records at once: by three letters anywhere in a word, or the start of a word', async () => {
  const { server, index } = await createIndexed();
  const plan = carePlan('Patient/p', ',"title":"Quokka at dusk"');
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', plan);
  const findIds = async (words: string) => {
    const { records, behind: pendingCount } = await index.search({ text: words, limit: 8 });
    return [records.flatMap((group) => group.found.map(({ id }) => id)), pendingCount];
  };
  for (const words of ['quokka', 'uokk', 'uokk du']) expect(await findIds(words)).toEqual([[json.id], 0]);
  expect(await findIds('uokk us')).toEqual([[], 0]);
});

const patientName = (name: string) => ({ resourceType: 'Patient', id: 'p1', name: [{ text: name }] });

/** A plan of a source with the ids of every other one, and its patient. */
const createPlan = (source: string, patient: object) => {
  const plan = {
    resourceType: 'CarePlan',
    id: 'c1',
    status: 'active',
    intent: 'plan',
    title: `Plan of ${source}`,
    subject: { reference: 'Patient/p1' },
  };
  const entry = [plan, patient].map((resource) => ({
    fullUrl: `https://${source}.example/fhir/${(resource as typeof plan).resourceType}/${(resource as typeof plan).id}`,
    resource,
  }));
  return JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
};

test('finds patients by the names of their own resources, and names records from their own source', async () => {
  const { server, index, text: indexPath } = await createIndexed();
  const find = (text: string) => index.search({ text, limit: 8 });
  const add = (source: string, name: string) =>
    server.send('POST', '/app/import', createPlan(source, patientName(name)));
  await add('north', 'Zoë Quillfeather');
  expect((await find('quillf zoe')).patients).toEqual([{ id: 'p1', name: 'Zoë Quillfeather', records: 1 }]);
  const patientsOf = async (text: string) =>
    (await find(text)).records.flatMap(({ found }) =>
      found.map(({ title, patient }) => [title, patient.name]),
    );
  expect(await patientsOf('plan north')).toEqual([['Plan of north', 'Zoë Quillfeather']]);

  await add('south', 'Ben Oakfield');
  expect(await patientsOf('plan')).toEqual([
    ['Plan of south', 'Ben Oakfield'],
    ['Plan of north', 'Zoë Quillfeather'],
  ]);
  // A replaced patient has a new name.
  await add('north', 'Zoë Marshwillow');
  expect((await find('quillfeather')).patients).toEqual([]);
  expect((await find('marshwillow')).patients).toHaveLength(1);

  // An erasure leaves no name in the file.
  const erasure = { type: 'Patient', id: 'p1', source: 'https://north.example/fhir', reason: 'Test' };
  const erased = await server.send('POST', '/app/erasures', JSON.stringify(erasure));
  expect(erased.status).toBe(201);
  await index.erase([]);
  expect((await find('marshwillow')).patients).toEqual([]);
  await index.close();
  expect(readFileSync(indexPath, 'latin1').toLowerCase()).not.toContain('marshwillow');
});

test('forgets patients that were removed in any other way', async () => {
  const { server, index } = await createIndexed();
  await server.send('POST', '/app/import', createPlan('north', patientName('Ada Quillfeather')));
  const find = async () => (await index.search({ text: 'quillfeather', limit: 8 })).patients;
  expect(await find()).toHaveLength(1);
  const practitioner = { resourceType: 'Practitioner', id: 'd1' };
  await server.send('POST', '/app/import', JSON.stringify(practitioner));
  expect(await find()).toHaveLength(1);
  expect((await server.send('DELETE', '/app/companions/Patient')).status).toBe(200);
  expect(await find()).toEqual([]);
  await server.send('POST', '/app/import', createPlan('south', patientName('Ben Quillfeather')));
  expect((await server.send('DELETE', '/app/companions')).status).toBe(200);
  expect(await find()).toEqual([]);
});
