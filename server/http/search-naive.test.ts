/**
 * Compares every search parameter of every type with a naive search that evaluates R4's expressions with
 * another engine.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { sampleOf } from '../../core/types/testing/samples.ts';
import { generateClinic } from '../demo/generate.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { searchCasesOf, type SearchCase } from './testing/naive-questions.ts';
import { definitionOf, valuesOf } from './testing/naive-values.ts';

/** Parameters of all types in the API decisions. */
const commonParameters = '_id _lastUpdated _profile _security _source _tag';

const realDataFolder = resolve(import.meta.dirname, '../../../shared/data');
/** Enough for every form in real records. */
const maxRealRecords = process.env.LONG_TESTS === undefined ? 60 : 120;

function realRecords(): string[] {
  const files = globSync(join(realDataFolder, '{CarePlan,Composition}/*.json')).sort();
  const texts = files.filter((_, index) => index % Math.ceil(files.length / maxRealRecords) === 0);
  return texts.map((path) => JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))));
}

/** Returns handmade records first, because the tests query their values first. */
function listRecords(): string[] {
  const handmade = resourceTypes.flatMap((type) =>
    sampleOf(type).searched.map((record) => JSON.stringify(record)),
  );
  const demo = [...generateClinic({ patients: 8 })].map(({ text }) => text);
  return [...handmade, ...demo, ...(existsSync(realDataFolder) ? realRecords() : [])];
}

let server: TestServer;
/** Stored records in the order of storing. */
const storedByType = new Map<string, Json[]>();

beforeAll(async () => {
  server = await startTestServer();
  const lines = { 'Content-Type': 'application/x-ndjson' };
  const report = await server.send('POST', '/app/import?level=off', listRecords().join('\n'), lines);
  expect(report.text).toContain('"refused":0');
  for (const type of resourceTypes) {
    const { text } = await server.send('GET', `/app/export?type=${type}`);
    const exportedRecords: Json[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    storedByType.set(
      type,
      exportedRecords.sort((leftRecord, rightRecord) =>
        leftRecord.meta.lastUpdated < rightRecord.meta.lastUpdated ? -1 : 1,
      ),
    );
  }
});
afterAll(() => server.remove());

/** Returns the ids of a search. */
async function findIds(
  type: (typeof resourceTypes)[number],
  pairs: readonly SearchCase[],
): Promise<string[]> {
  const query = pairs.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
  const answer = await server.send('GET', `/fhir-r4/v1/${type}?${query}&_elements=id`);
  if (answer.status !== 200) return [`${answer.status} ${answer.json.issue[0].details.text}`];
  return answer.json.entry.map(({ resource }: Json) => resource.id).sort();
}

describe.each(resourceTypes)('%s', (type) => {
  const sample = sampleOf(type);
  const names = [...commonParameters.split(' '), ...sample.parameters.split(' ')];

  test('supports the parameters of the decisions with R4’s types', async () => {
    const { rest: capabilities } = (await server.send('GET', '/fhir-r4/v1/metadata')).json;
    const { searchParam } = capabilities[0].resource.find((resource: Json) => resource.type === type);
    const supported = searchParam.map((parameter: Json) => `${parameter.name} ${parameter.type}`);
    expect(supported.filter((entry: string) => names.includes(entry.split(' ')[0] ?? '')).sort()).toEqual(
      names.map((name) => `${name} ${definitionOf(type, name).type}`).sort(),
    );
  });

  test.each(names)('finds the results of a naive search by %s', async (name) => {
    const definition = definitionOf(type, name);
    const candidates = (storedByType.get(type) ?? []).map((record) => ({
      id: String(record.id),
      values: valuesOf(record, definition),
    }));
    const values = candidates.flatMap((candidate) => candidate.values);
    expect(values.length, 'no record fills the element').toBeGreaterThan(0);
    const base = `${server.origin}/fhir-r4/v1`;
    const questions = searchCasesOf(definition, values, { base, system: sample.systems[name] });
    const wrong: Json[] = [];
    const compare = async (pairs: readonly SearchCase[]) => {
      const expected = candidates
        .filter((candidate) => pairs.every(({ matches }) => matches(candidate.values)))
        .map(({ id }) => id);
      const ids = await findIds(type, pairs);
      if (JSON.stringify(ids) === JSON.stringify(expected.sort())) return;
      const searchText = pairs.map((pair) => `${pair.name}=${pair.value}`).join('&');
      const missing = expected.filter((id) => !ids.includes(id));
      const unexpected = ids.filter((id) => !expected.includes(id));
      wrong.push({ asked: searchText, missing, more: unexpected });
    };
    for (const question of questions) await compare([question]);
    // Combined with another question, one drives the search and the other filters.
    for (const [index, question] of questions.entries())
      if (index % 7 === 0) await compare([question, questions[index + 1] ?? question]);
    expect(wrong).toEqual([]);
  });
});
