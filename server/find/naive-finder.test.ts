import { expect, onTestFinished, test } from 'vitest';
import { FindAnswer } from '../../core/app/find.ts';
import { narrow } from '../../core/api/narrow.ts';
import { Random } from '../demo/random.ts';
import { startTestServer } from '../testing/test-server.ts';

const names = ['Zoë Großmann', 'Ilse O’Brien', 'Łukasz Weiß', 'Max Example', 'Ana María Núñez'];
const titles = ['Wundpflege am Fuß', 'COPD management plan', 'Fall prevention', 'Straße zur Genesung'];
const notes = ['Lösung steril halten', 'oxygen at night', 'naïve patient’s wish', 'Verband wechseln'];
const seed = 20_261_123;

interface TestRecord {
  readonly id: string;
  readonly index: number;
  readonly texts: readonly string[];
  readonly note: string;
}

/**
 * Folds and splits a text independently of the program: without diacritics, ß as ss, other characters separate words.
 */
function foldWords(text: string): string[] {
  const bare = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return bare.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/**
 * Returns true if each query word starts a word of the record, or if all are in one text: from three letters on
 * anywhere, shorter ones at the start of a word.
 */
function isFound({ texts, note }: TestRecord, query: string): boolean {
  const queryWords = foldWords(query);
  const recordWords = [...texts, note].flatMap(foldWords);
  if (queryWords.every((word) => recordWords.some((recordWord) => recordWord.startsWith(word)))) return true;
  return texts.some((text) => {
    const textWords = foldWords(text);
    return queryWords.every((word) =>
      textWords.some((textWord) => (word.length >= 3 ? textWord.includes(word) : textWord.startsWith(word))),
    );
  });
}

const escapeLetters = (text: string) => text.replaceAll('ö', '&ouml;').replaceAll('ï', '&#239;');

function recordOf({ id, index, texts: [title, display, value, author, heading], note }: TestRecord): string {
  const div = `<div xmlns="http://www.w3.org/1999/xhtml"><p>${escapeLetters(note)}</p></div>`;
  const text = { status: 'generated', div };
  const subject = { reference: 'Patient/p1', display };
  const identifier = { system: 'urn:example', value };
  if (index % 4 > 0) {
    const type = 'CarePlan';
    const shared = { resourceType: type, id, status: 'active', intent: 'plan', title, subject, text };
    return JSON.stringify({ ...shared, identifier: [identifier] });
  }
  const dated = { status: 'final', date: '2026-01-01', author: [{ display: author }] };
  const coded = { type: { coding: [{ system: 'http://loinc.org', code: '60591-5' }] } };
  const section = [{ title: heading, text }];
  return JSON.stringify({
    resourceType: 'Composition',
    id,
    ...dated,
    ...coded,
    title,
    subject,
    identifier,
    section,
  });
}

test('finds the same records as a naive finder for any query', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const random = new Random(seed, 0, 0);
  const testRecords = Array.from({ length: 40 }, (_, index): TestRecord => {
    const id = `${(0x5510ee00 + index * 7).toString(16)}-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const author = index % 4 > 0 ? [] : ['Author', 'Notes'];
    const texts = [
      random.pick(titles),
      random.pick(names),
      `FALL-${index}/${random.integerBetween(100, 999)}`,
      ...author,
    ];
    return { id, index, texts, note: random.pick(notes) };
  });
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const importResponse = await server.send(
    'POST',
    '/app/import?keepIds=true',
    testRecords.map(recordOf).join('\n'),
    headers,
  );
  expect(importResponse.text).toContain('"stored":40');
  await expect
    .poll(async () => narrow((await server.send('GET', '/app/find?q=zzz')).json, FindAnswer).behind)
    .toBe(0);

  for (let round = 0; round < 150; round += 1) {
    const testRecord = random.pick(testRecords);
    const words = [...testRecord.texts, testRecord.note].flatMap((text) => text.split(/[ /-]/));
    const count = random.integerBetween(1, 2);
    const queryParts = Array.from({ length: count }, () => {
      const word = random.pick(words);
      const from = random.chance(25) ? random.integerBetween(0, word.length - 1) : 0;
      const part = word.slice(from, random.integerBetween(from + 1, word.length));
      return random.chance(50) ? part.toUpperCase() : part.replaceAll('’', "'");
    });
    const query = queryParts.join(' ');
    const path = `/app/find?limit=50&q=${encodeURIComponent(query)}`;
    const { records, behind: pendingCount } = narrow((await server.send('GET', path)).json, FindAnswer);
    const foundIds = records.flatMap((group) => group.found.map(({ id }) => id));
    const missing = testRecords.filter(
      (testRecord) => isFound(testRecord, query) && !foundIds.includes(testRecord.id),
    );
    const strange = testRecords.filter(
      (testRecord) => foundIds.includes(testRecord.id) && !isFound(testRecord, query),
    );
    expect({ seed, query, behind: pendingCount, missing, strange }).toEqual({
      seed,
      query,
      behind: 0,
      missing: [],
      strange: [],
    });
  }
  for (const { id } of testRecords) {
    const { records } = narrow((await server.send('GET', `/app/find?q=${id.slice(0, 8)}`)).json, FindAnswer);
    expect(records.flatMap((group) => group.found.map((match) => match.id))).toEqual([id]);
  }
});
