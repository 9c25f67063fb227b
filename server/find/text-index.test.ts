import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFull } from '../store/sqlite/sqlite.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { carePlan, startTestServer } from '../testing/test-server.ts';
import { fileSource } from './file-source.ts';
import type { SourceRow, TextSource } from './text-source.ts';
import { TextIndex } from './text-index.ts';

/** A server, and an index of its records in a file of its own; `changed` is what it sees of them. */
async function indexed(changed = (file: TextSource): TextSource => file) {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const text = join(server.dataDir, 'index-of-this-test.db');
  const index = new TextIndex(text, () => changed(fileSource(join(server.dataDir, 'records.db'))));
  onTestFinished(() => index.close());
  return { server, text, index };
}

test('on a full disk the index keeps what it has, says that it is behind, and goes on with room again (not run where nothing can be mounted)', async ({
  skip,
}) => {
  const disk = smallDisk('4m', skip);
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const words = Array.from({ length: 150 }, (_, of) => `${word}${at}x${of}`).join(' ');
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
  const find = (word: string) => index.ask({ text: word, limit: 8 });
  const count = async (word: string) => (await find(word)).records.flatMap(({ found }) => found).length;

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
  const { behind } = await find('second');
  expect([behind, await count('second199x149'), await count('first0x1')]).toEqual([0, 1, 1]);
});

test('a text that is damaged has no words, and keeps no other from having its own', async () => {
  // What one bit of a row's head does: SQLite hands bytes over where it had a text.
  const spoil = (row: SourceRow) =>
    row.body?.includes('damaged') === true
      ? { ...row, body: Buffer.from(row.body) as unknown as string }
      : row;
  const { server, index } = await indexed((file) => ({
    ...file,
    next: async (place) => {
      const { rows, ...rest } = await file.next(place);
      return { ...rest, rows: rows.map(spoil) };
    },
    before: async (filled) => (await file.before(filled)).map(spoil),
  }));
  for (const word of ['damaged', 'sound']) {
    await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"description":"${word}"`));
  }
  while (await index.step());
  const count = async (text: string) => {
    const { records, behind } = await index.ask({ text, limit: 8 });
    return [records.flatMap(({ found }) => found).length, behind];
  };
  expect(await count('sound')).toEqual([1, 0]);
  expect(await count('damaged')).toEqual([0, 0]);
});

test('of an erased record no word of any version stays in the file', async () => {
  const { server, index, text } = await indexed();
  const holds = (word: string) => readFileSync(text).includes(word);
  const found = async (...words: string[]) => {
    const answers = words.map((word) => index.ask({ text: word, limit: 8 }));
    return (await Promise.all(answers)).map(
      ({ records }) => records.flatMap(({ found: rows }) => rows).length,
    );
  };
  const written = (word: string) => carePlan('Patient/p', `,"title":"Plan ${word}","description":"${word}"`);

  const kept = await server.send('POST', '/fhir-r4/v1/CarePlan', written('wombatstays'));
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', written('quokkafirst'));
  while (await index.step());
  await server.send('PUT', `/fhir-r4/v1/CarePlan/${json.id}`, written('numbatsecond'));
  while (await index.step());
  expect(await found('quokkafirst', 'numbatsecond', 'wombatstays')).toEqual([0, 1, 1]);
  await index.close();
  // A word's beginning may stand with the word before it.
  const tails = ['kkafirst', 'mbatsecond', 'mbatstays'];
  expect(tails.map(holds)).toEqual([true, true, true]);
  const erasure = JSON.stringify({ type: 'CarePlan', id: json.id, reason: 'Asked for.' });
  expect((await server.send('POST', '/app/erasures', erasure)).status).toBe(201);
  await index.erase([{ type: 'CarePlan', id: json.id }]);
  expect(await found('quokkafirst', 'numbatsecond', 'wombatstays')).toEqual([0, 0, 1]);
  await index.close();
  expect(tails.map(holds)).toEqual([false, false, true]);
  expect(kept.status).toBe(201);
});

test('who asks finds what was written just before; three letters anywhere in a word do, fewer begin one', async () => {
  const { server, index } = await indexed();
  const plan = carePlan('Patient/p', ',"title":"Quokka at dusk"');
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', plan);
  const found = async (words: string) => {
    const { records, behind } = await index.ask({ text: words, limit: 8 });
    return [records.flatMap((group) => group.found.map(({ id }) => id)), behind];
  };
  for (const words of ['quokka', 'uokk', 'uokk du']) expect(await found(words)).toEqual([[json.id], 0]);
  expect(await found('uokk us')).toEqual([[], 0]);
});
