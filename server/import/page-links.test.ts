/** Links between the requests of one import, as the page sends them. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { sendAsPage, sendImport } from './testing/documents.ts';

const runs = { numRuns: process.env.LONG_TESTS === undefined ? 15 : 1_000, seed: 46 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const uuid = (number: number) => `0d1e2f3a-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** How a file states the addresses of its records. */
const kinds = ['none', 'base', 'urn', 'urn of another id'] as const;
type Kind = (typeof kinds)[number];

const urlOf = (kind: Kind, number: number): string | undefined => {
  if (kind === 'base') return `http://a.example/fhir/CarePlan/r${number}`;
  return kind === 'none' ? undefined : `urn:uuid:${uuid(number)}`;
};
const idOf = (kind: Kind, number: number) => (kind === 'urn' ? uuid(number) : `r${number}`);

interface PlannedRecord {
  readonly kind: Kind;
  readonly targets: readonly (readonly [index: number, isRelative: boolean])[];
}

/** Writes a file for each record, which refers to others by their addresses or by type and id. */
function writeFiles(records: readonly PlannedRecord[]): string[] {
  return records.map(({ kind, targets }, number) => {
    const references = targets.map(([index, isRelative]) => {
      const target = index % records.length;
      const targetKind = records[target]?.kind ?? 'none';
      const url = urlOf(targetKind, target);
      return isRelative || url === undefined ? `CarePlan/${idOf(targetKind, target)}` : url;
    });
    const resource = {
      resourceType: 'CarePlan',
      id: idOf(kind, number),
      title: `r${number}`,
      partOf: references.map((reference) => ({ reference })),
    };
    const fullUrl = urlOf(kind, number);
    return JSON.stringify({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [{ ...(fullUrl !== undefined && { fullUrl }), resource }],
    });
  });
}

/** Returns the titles of the records that each record leads to, or the literals that lead nowhere. */
async function readLinks(lines: readonly Json[]): Promise<unknown> {
  const plans = await Promise.all(
    lines.map(async ({ record }) => (await server.send('GET', `/fhir-r4/v1/${record}`)).json),
  );
  const titles = new Map(plans.map(({ id, title }) => [`CarePlan/${id}`, title]));
  return Object.fromEntries(
    plans.map(({ title, partOf = [] }) => [
      title,
      partOf.map(({ reference }: Json) => titles.get(reference) ?? reference),
    ]),
  );
}

const plannedRecords = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    targets: fc.array(fc.tuple(fc.nat(7), fc.boolean()), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 7 },
);

test('rewrites the links between files in any order as those within one request', async () => {
  await fc.assert(
    fc.asyncProperty(plannedRecords, fc.nat(7), async (records, shift) => {
      const files = writeFiles(records);
      const whole = `[${files.join(',')}]`;
      const expected = await readLinks(await sendImport(server, whole, 'keepIds=false'));
      const turned = [...files.slice(shift), ...files.slice(0, shift)];
      expect(await readLinks(await sendAsPage(server, turned, 'keepIds=false', 1))).toEqual(expected);
    }),
    runs,
  );
});

test('links no reference that records of several files could mean', async () => {
  const planOf = (title: string, partOf: readonly Json[]) =>
    JSON.stringify({ resourceType: 'CarePlan', id: title === 'child' ? 'c' : 'same', title, partOf });
  const files = [planOf('1', []), planOf('child', [{ reference: 'CarePlan/same' }]), planOf('2', [])];
  const lines = await sendAsPage(server, files, 'keepIds=false', 1);
  expect(new Set(lines.map(({ record }) => record)).size).toBe(3);
  expect(await readLinks(lines)).toEqual({ 1: [], 2: [], child: ['CarePlan/same'] });
});

test('stores a record once if a request of an import is repeated', async () => {
  const batch = 'keepIds=false&batch=0d1e2f3a-0000-4000-8000-00000000000b';
  const body = writeFiles([{ kind: 'base', targets: [] }])[0] ?? '';
  const [first] = await sendImport(server, body, batch);
  const [second] = await sendImport(server, body, batch);
  expect([first.result, second.result, second.record]).toEqual(['stored', 'unchanged', first.record]);
});

test('takes an entry that only reads a record for no second one, in a request of its own', async () => {
  const addressOf = (id: string) => `http://a.example/fhir/CarePlan/${id}`;
  const planOf = (title: string, partOf: readonly Json[]) => ({
    resourceType: 'CarePlan',
    id: title,
    title,
    partOf,
  });
  const entry = [
    { fullUrl: addressOf('r0'), resource: planOf('r0', []) },
    { fullUrl: addressOf('r0'), request: { method: 'GET', url: 'CarePlan/r0' } },
    { fullUrl: addressOf('child'), resource: planOf('child', [{ reference: 'CarePlan/r0' }]) },
  ];
  const body = JSON.stringify({ resourceType: 'Bundle', type: 'batch', entry });
  const lines = await sendImport(server, body, 'keepIds=false');
  expect(await readLinks(lines.filter(({ record }) => record !== undefined))).toEqual({
    r0: [],
    child: ['r0'],
  });
});
