/** Every search parameter of every type, beside a naive search that reads R4's own expressions with another engine. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { sampleOf } from '../../core/types/testing/samples.ts';
import { generateClinic } from '../demo/generate.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { questionsOf, type Question } from './testing/naive-questions.ts';
import { definitionOf, valuesOf } from './testing/naive-values.ts';

/** Of all types, as the decisions on the API list them. */
const common = '_id _lastUpdated _profile _security _source _tag';

const real = resolve(import.meta.dirname, '../../../shared/data');
/** Enough to meet every form that real records have. */
const mostReal = process.env.LONG_TESTS === undefined ? 60 : 120;

function realRecords(): string[] {
  const files = globSync(join(real, '{CarePlan,Composition}/*.json')).sort();
  const texts = files.filter((_, index) => index % Math.ceil(files.length / mostReal) === 0);
  return texts.map((path) => JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))));
}

/** Records that are made by hand first: what they hold is asked for first. */
function records(): string[] {
  const made = resourceTypes.flatMap((type) => sampleOf(type).searched.map((one) => JSON.stringify(one)));
  const demo = [...generateClinic({ patients: 8 })].map(({ text }) => text);
  return [...made, ...demo, ...(existsSync(real) ? realRecords() : [])];
}

let server: TestServer;
/** As they are stored, in the order in which they were. */
const stored = new Map<string, Json[]>();

beforeAll(async () => {
  server = await startTestServer();
  const lines = { 'Content-Type': 'application/x-ndjson' };
  const report = await server.send('POST', '/app/import?level=off', records().join('\n'), lines);
  expect(report.text).toContain('"refused":0');
  for (const type of resourceTypes) {
    const { text } = await server.send('GET', `/app/export?type=${type}`);
    const all: Json[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    stored.set(
      type,
      all.sort((one, other) => (one.meta.lastUpdated < other.meta.lastUpdated ? -1 : 1)),
    );
  }
});
afterAll(() => server.remove());

/** The ids that a search finds. */
async function found(type: (typeof resourceTypes)[number], pairs: readonly Question[]): Promise<string[]> {
  const query = pairs.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
  const answer = await server.send('GET', `/fhir-r4/v1/${type}?${query}&_elements=id`);
  if (answer.status !== 200) return [`${answer.status} ${answer.json.issue[0].details.text}`];
  return answer.json.entry.map(({ resource }: Json) => resource.id).sort();
}

describe.each(resourceTypes)('%s', (type) => {
  const sample = sampleOf(type);
  const names = [...common.split(' '), ...sample.parameters.split(' ')];

  test('the parameters that are offered are those of the decisions, with R4’s types', async () => {
    const { rest } = (await server.send('GET', '/fhir-r4/v1/metadata')).json;
    const { searchParam } = rest[0].resource.find((one: Json) => one.type === type);
    const offered = searchParam.map((one: Json) => `${one.name} ${one.type}`);
    expect(offered.filter((one: string) => names.includes(one.split(' ')[0] ?? '')).sort()).toEqual(
      names.map((name) => `${name} ${definitionOf(type, name).type}`).sort(),
    );
  });

  test.each(names)('%s finds what a naive search finds', async (name) => {
    const definition = definitionOf(type, name);
    const all = (stored.get(type) ?? []).map((record) => ({
      id: String(record.id),
      values: valuesOf(record, definition),
    }));
    const values = all.flatMap((one) => one.values);
    expect(values.length, 'no record fills the element').toBeGreaterThan(0);
    const base = `${server.origin}/fhir-r4/v1`;
    const questions = questionsOf(definition, values, { base, system: sample.systems[name] });
    const wrong: Json[] = [];
    const compare = async (pairs: readonly Question[]) => {
      const expected = all.filter((one) => pairs.every(({ holds }) => holds(one.values))).map(({ id }) => id);
      const ids = await found(type, pairs);
      if (JSON.stringify(ids) === JSON.stringify(expected.sort())) return;
      const asked = pairs.map((pair) => `${pair.name}=${pair.value}`).join('&');
      const missing = expected.filter((id) => !ids.includes(id));
      const more = ids.filter((id) => !expected.includes(id));
      wrong.push({ asked, missing, more });
    };
    for (const one of questions) await compare([one]);
    // Together with another, one of them is looked for and the other tested.
    for (const [at, one] of questions.entries())
      if (at % 7 === 0) await compare([one, questions[at + 1] ?? one]);
    expect(wrong).toEqual([]);
  });
});
