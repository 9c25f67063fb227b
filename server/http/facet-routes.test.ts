import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTraining } from '../import/load-training.ts';
import type { FacetAnswer } from '../../core/app/facets.ts';
import { facetNames } from '../../core/fhir/facet.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

type Pairs = readonly (readonly [string, string])[];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await loadTraining(server.service, 'migration', { author: 'test', seed: 1 });
});
afterAll(() => server.remove());

const query = (pairs: Pairs) =>
  new URLSearchParams(pairs.map((pair): [string, string] => [...pair])).toString();

async function facet(type: ResourceType, name: string, pairs: Pairs = []): Promise<FacetAnswer> {
  const { status, json } = await server.send('GET', `/app/facets/${type}/${name}?count=200&${query(pairs)}`);
  expect(status).toBe(200);
  return json;
}

async function total(type: ResourceType, pairs: Pairs): Promise<number> {
  const { status, json } = await server.send('GET', `/fhir-r4/v1/${type}?_summary=count&${query(pairs)}`);
  expect(status).toBe(200);
  return json.total;
}

const cases = resourceTypes.flatMap((type) =>
  facetNames(type)
    .filter((name) => name !== 'findings')
    .map((name) => [type, name] as const),
);

/** What of the type is searched: all that says whom it is about, and fewer. */
const bases: readonly Pairs[] = [
  [['subject:missing', 'false']],
  [
    ['subject:missing', 'false'],
    ['status:not', 'completed,final'],
  ],
];

describe.each(cases)('%s by %s', (type, name) => {
  test('each value counts as many as the search that it narrows to finds', async () => {
    for (const base of bases) {
      const { values } = await facet(type, name, base);
      for (const { count, pairs } of values.slice(0, 25)) {
        expect([pairs, await total(type, [...base, ...pairs])]).toEqual([pairs, count]);
      }
    }
  });
});

test('there are values of every common element, each called what a record calls it', async () => {
  const { values } = await facet('CarePlan', 'category');
  expect(values.length).toBeGreaterThan(1);
  expect(values.every(({ count }) => count > 0)).toBe(true);
  expect(values.some(({ label, pairs }) => label !== pairs[0]?.[1].split('|')[1])).toBe(true);
  const { values: authors } = await facet('Composition', 'author');
  expect(authors.some(({ label }) => label.includes(' '))).toBe(true);
  const { values: months } = await facet('Composition', 'date');
  expect(months.map(({ label }) => label)).toEqual(
    months
      .map(({ label }) => label)
      .toSorted()
      .toReversed(),
  );
});

test('findings count records, and name their rule', async () => {
  const { values } = await facet('CarePlan', 'findings');
  const { json } = await server.send('GET', '/app/quality?type=CarePlan');
  const groups = json.groups.map(({ rule, text, records }: Record<string, unknown>) => ({
    rule,
    label: text,
    count: records,
  }));
  const found = values.map(({ rule, label, count }) => ({ rule, label, count }));
  expect(found).toHaveLength(groups.length);
  expect(found).toEqual(expect.arrayContaining(groups));
});

test('a write is counted at once, and only that record is read again', async () => {
  const before = await facet('CarePlan', 'status');
  const plan =
    '{"resourceType":"CarePlan","status":"unknown","intent":"plan","subject":{"reference":"Patient/facet"}}';
  const created = await server.send('POST', '/fhir-r4/v1/CarePlan', plan);
  expect(created.status).toBe(201);
  const countOf = ({ values }: FacetAnswer, status: string) =>
    values.find(({ label }) => label === status)?.count ?? 0;
  const after = await facet('CarePlan', 'status');
  expect(countOf(after, 'unknown')).toBe(countOf(before, 'unknown') + 1);
  await server.send(
    'PUT',
    `/fhir-r4/v1/CarePlan/${created.json.id}`,
    JSON.stringify({ ...created.json, status: 'revoked' }),
  );
  const changed = await facet('CarePlan', 'status');
  expect(countOf(changed, 'unknown')).toBe(countOf(before, 'unknown'));
  expect(countOf(changed, 'revoked')).toBe(countOf(before, 'revoked') + 1);
});

test.each([
  ['/app/facets/CarePlan/title', 404, 'it has status, category'],
  ['/app/facets/Patient/status', 404, ''],
  ['/app/facets/CarePlan/status?count=0', 400, 'count is 1 to 200'],
  ['/app/facets/CarePlan/status?nothing=1', 400, 'nothing'],
])('%s is %i and says what is wrong', async (path, status, text) => {
  const answer = await server.send('GET', path);
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
});
