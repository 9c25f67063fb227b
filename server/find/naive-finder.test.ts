import { expect, onTestFinished, test } from 'vitest';
import { FindAnswer } from '../../core/app/find.ts';
import { narrow } from '../../core/api/narrow.ts';
import { Random } from '../demo/random.ts';
import { startTestServer } from '../testing/test-server.ts';

const names = ['Zoë Großmann', 'Ilse O’Brien', 'Łukasz Weiß', 'Max Example', 'Ana María Núñez'];
const titles = ['Wundpflege am Fuß', 'COPD management plan', 'Fall prevention', 'Straße zur Genesung'];
const notes = ['Lösung steril halten', 'oxygen at night', 'naïve patient’s wish', 'Verband wechseln'];
const seed = 20_261_123;

interface Known {
  readonly id: string;
  readonly at: number;
  readonly texts: readonly string[];
  readonly note: string;
}

/** Said apart from the program: letters without their marks, ß as ss, everything else parts words. */
function plain(text: string): string[] {
  const bare = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return bare.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** Whether each word that is asked begins one of the record, or all stand in one text, three letters anywhere. */
function isFound({ texts, note }: Known, question: string): boolean {
  const asked = plain(question);
  const held = [...texts, note].flatMap(plain);
  if (asked.every((word) => held.some((one) => one.startsWith(word)))) return true;
  return texts.some((text) => {
    const joined = plain(text);
    return asked.every((word) =>
      joined.some((one) => (word.length >= 3 ? one.includes(word) : one.startsWith(word))),
    );
  });
}

const written = (text: string) => text.replaceAll('ö', '&ouml;').replaceAll('ï', '&#239;');

function recordOf({ id, at, texts: [title, display, value, author, heading], note }: Known): string {
  const div = `<div xmlns="http://www.w3.org/1999/xhtml"><p>${written(note)}</p></div>`;
  const text = { status: 'generated', div };
  const subject = { reference: 'Patient/p1', display };
  const identifier = { system: 'urn:example', value };
  if (at % 4 > 0) {
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

test('a naive finder finds the same, whatever is typed', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const random = new Random(seed, 0, 0);
  const known = Array.from({ length: 40 }, (_, at): Known => {
    const id = `${(0x5510ee00 + at * 7).toString(16)}-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const author = at % 4 > 0 ? [] : ['Author', 'Notes'];
    const texts = [
      random.pick(titles),
      random.pick(names),
      `FALL-${at}/${random.between(100, 999)}`,
      ...author,
    ];
    return { id, at, texts, note: random.pick(notes) };
  });
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const imported = await server.send(
    'POST',
    '/app/import?keepIds=true',
    known.map(recordOf).join('\n'),
    headers,
  );
  expect(imported.text).toContain('"stored":40');
  await expect
    .poll(async () => narrow((await server.send('GET', '/app/find?q=zzz')).json, FindAnswer).behind)
    .toBe(0);

  for (let round = 0; round < 150; round += 1) {
    const of = random.pick(known);
    const words = [...of.texts, of.note].flatMap((text) => text.split(/[ /-]/));
    const count = random.between(1, 2);
    const cut = Array.from({ length: count }, () => {
      const word = random.pick(words);
      const from = random.chance(25) ? random.between(0, word.length - 1) : 0;
      const part = word.slice(from, random.between(from + 1, word.length));
      return random.chance(50) ? part.toUpperCase() : part.replaceAll('’', "'");
    });
    const question = cut.join(' ');
    const path = `/app/find?limit=50&q=${encodeURIComponent(question)}`;
    const { records, behind } = narrow((await server.send('GET', path)).json, FindAnswer);
    const found = records.flatMap((group) => group.found.map(({ id }) => id));
    const missing = known.filter((one) => isFound(one, question) && !found.includes(one.id));
    const strange = known.filter((one) => found.includes(one.id) && !isFound(one, question));
    expect({ seed, question, behind, missing, strange }).toEqual({
      ...{ seed, question, behind: 0 },
      ...{ missing: [], strange: [] },
    });
  }
  for (const { id } of known) {
    const { records } = narrow((await server.send('GET', `/app/find?q=${id.slice(0, 8)}`)).json, FindAnswer);
    expect(records.flatMap((group) => group.found.map((one) => one.id))).toEqual([id]);
  }
});
