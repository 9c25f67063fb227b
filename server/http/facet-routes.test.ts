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

async function readFacet(type: ResourceType, name: string, pairs: Pairs = []): Promise<FacetAnswer> {
  const { status, json } = await server.send('GET', `/app/facets/${type}/${name}?count=200&${query(pairs)}`);
  expect(status).toBe(200);
  return json;
}

async function countMatches(type: ResourceType, pairs: Pairs): Promise<number> {
  const { status, json } = await server.send('GET', `/fhir-r4/v1/${type}?_summary=count&${query(pairs)}`);
  expect(status).toBe(200);
  return json.total;
}

const cases = resourceTypes.flatMap((type) =>
  facetNames(type)
    .filter((name) => name !== 'findings')
    .map((name) => [type, name] as const),
);

/** Base searches per type: all subjects, and fewer. */
const bases: readonly Pairs[] = [
  [['subject:missing', 'false']],
  [
    ['subject:missing', 'false'],
    ['status:not', 'completed,final'],
  ],
];

describe.each(cases)('%s by %s', (type, name) => {
  test('counts the matches of the search that each value narrows to', async () => {
    for (const base of bases) {
      const { values } = await readFacet(type, name, base);
      for (const { count, pairs } of values.slice(0, 25)) {
        expect([pairs, await countMatches(type, [...base, ...pairs])]).toEqual([pairs, count]);
      }
    }
  });
});

test('returns the values of common elements with the display texts of records', async () => {
  const { values } = await readFacet('CarePlan', 'category');
  expect(values.length).toBeGreaterThan(1);
  expect(values.every(({ count }) => count > 0)).toBe(true);
  expect(values.some(({ label, pairs }) => label !== pairs[0]?.[1].split('|')[1])).toBe(true);
  const { values: authors } = await readFacet('Composition', 'author');
  expect(authors.some(({ label }) => label.includes(' '))).toBe(true);
  const { values: months } = await readFacet('Composition', 'date');
  expect(months.map(({ label }) => label)).toEqual(
    months
      .map(({ label }) => label)
      .toSorted()
      .toReversed(),
  );
});

test('counts records per finding and names the rule', async () => {
  const { values } = await readFacet('CarePlan', 'findings');
  const { json } = await server.send('GET', '/app/quality?type=CarePlan');
  const groups = json.groups.map(({ rule, text, records }: Record<string, unknown>) => ({
    rule,
    label: text,
    count: records,
  }));
  const ruleCounts = values.map(({ rule, label, count }) => ({ rule, label, count }));
  expect(ruleCounts).toHaveLength(groups.length);
  expect(ruleCounts).toEqual(expect.arrayContaining(groups));
});

test('counts a write at once and reads only the changed record again', async () => {
  const before = await readFacet('CarePlan', 'status');
  const plan =
    '{"resourceType":"CarePlan","status":"unknown","intent":"plan","subject":{"reference":"Patient/facet"}}';
  const created = await server.send('POST', '/fhir-r4/v1/CarePlan', plan);
  expect(created.status).toBe(201);
  const countOf = ({ values }: FacetAnswer, status: string) =>
    values.find(({ label }) => label === status)?.count ?? 0;
  const after = await readFacet('CarePlan', 'status');
  expect(countOf(after, 'unknown')).toBe(countOf(before, 'unknown') + 1);
  await server.send(
    'PUT',
    `/fhir-r4/v1/CarePlan/${created.json.id}`,
    JSON.stringify({ ...created.json, status: 'revoked' }),
  );
  const facetAfterWrite = await readFacet('CarePlan', 'status');
  expect(countOf(facetAfterWrite, 'unknown')).toBe(countOf(before, 'unknown'));
  expect(countOf(facetAfterWrite, 'revoked')).toBe(countOf(before, 'revoked') + 1);
});

test.each([
  ['/app/facets/CarePlan/title', 404, 'Available: status, category'],
  ['/app/facets/Patient/status', 404, ''],
  ['/app/facets/CarePlan/status?count=0', 400, 'count must be 1 to 200'],
  ['/app/facets/CarePlan/status?nothing=1', 400, 'nothing'],
])('rejects an unknown facet or count: %s', async (path, status, text) => {
  const answer = await server.send('GET', path);
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
});
