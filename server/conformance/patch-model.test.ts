/** Sends 1,000 generated patches to the running server and compares the results with an independent model. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createRawClient, inParallel, type RawClient } from './testing/ask.ts';
import { listExpected, type Expected, type Replace } from './testing/patch-model.ts';
import { store } from './testing/records.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20260101);
const lanes = 20;
const patches = 50;

let server: TestServer;
let rawClient: RawClient;
beforeAll(async () => {
  server = await startTestServer();
  rawClient = createRawClient(server, 8);
});
afterAll(async () => {
  rawClient.close();
  await server.remove();
});

/** Value of an unknown element `x`. The default level stores it, so it can contain any JSON. */
const start = {
  a: { 'b/c': [1, { 'd~e': 'f' }], g: [[1, 2], [3]], '': 'blank', '%': true },
  list: ['one', { two: 2 }, ['three']],
  length: 7,
  0: 'zero',
};

const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.stringMatching(/^[a-z ]{1,8}$/));
const value = fc.oneof(
  { arbitrary: scalar, weight: 5 },
  { arbitrary: fc.array(scalar, { minLength: 1, maxLength: 3 }), weight: 3 },
  {
    arbitrary: fc.dictionary(fc.constantFrom('two', 'b/c', 'd~e', '0'), scalar, { minKeys: 1, maxKeys: 3 }),
    weight: 3,
  },
  { arbitrary: fc.constantFrom<unknown>(null, '', [], {}, [null], { a: '' }), weight: 1 },
);

/** Changes of an existing path; most leave it unchanged. */
const pathChanges: readonly ((path: string) => string)[] = [
  ...Array.from({ length: 12 }, () => (path: string) => path),
  (path) => `${path}/nothing`,
  (path) => `${path}/0`,
  (path) => path.replace(/[^/]*$/, 'toString'),
  (path) => path.replace(/[^/]*$/, '__proto__'),
  (path) => path.replace(/[^/]*$/, '-'),
  (path) => path.replace(/\/\d+$/, '/99'),
  (path) => path.replace(/\/(\d+)$/, '/0$1'),
  (path) => path.replace(/\/(\d+)$/, '/+$1'),
  (path) => path.replace(/\/(\d+)$/, '/$1e0'),
  (path) => path.slice(1),
  (path) => `${path}~`,
  (path) => `${path}~2`,
  () => '',
  () => '/id',
  () => '/meta/versionId',
];

const choice = fc.record({
  op: fc.oneof(
    { arbitrary: fc.constant('replace'), weight: 30 },
    fc.constantFrom('add', 'remove', 'test', 'Replace'),
  ),
  /** Index of an existing path, modulo their number. */
  pathIndex: fc.nat(),
  changePath: fc.constantFrom(...pathChanges),
  value,
  isValueMissing: fc.integer({ min: 0, max: 40 }).map((dice) => dice === 0),
});

/** Lists the JSON Pointers of all nodes in a value. */
function pointers(node: Json, path = '/x'): string[] {
  if (typeof node !== 'object' || node === null) return [path];
  return [
    path,
    ...Object.entries(node as object).flatMap(([key, child]) =>
      pointers(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ),
  ];
}

function operationOf(document: Json, { op, pathIndex, changePath, value, isValueMissing }: Json): Replace {
  const paths = pointers(document.x);
  // Skip the root of x: replacing it would leave few paths.
  const path = changePath(paths[1 + (pathIndex % (paths.length - 1))] ?? '/x');
  return isValueMissing ? { op, path } : { op, path, value };
}

const toExpected = (status: number, json: Json): Expected =>
  status === 200 ? { status, document: { x: json.x } } : { status, code: json.issue[0].code };

test(`matches the model for ${lanes * patches} patches of seed ${seed}`, async () => {
  const choices = fc.sample(
    fc.array(fc.array(choice, { minLength: 1, maxLength: 3 }), { minLength: patches, maxLength: patches }),
    { numRuns: lanes, seed },
  );
  const faults: string[] = [];
  const outcomeCounts = new Map<string, number>();
  await inParallel(choices, 8, async (lane) => {
    let { path, text } = await store(server, 'CarePlan', { x: start });
    for (const operationChoices of lane) {
      const document = { x: JSON.parse(text).x };
      if (pointers(document.x).length < 8) ({ path, text } = await store(server, 'CarePlan', { x: start }));
      const current = { x: JSON.parse(text).x };
      const operations = operationChoices.map((operationChoice) => operationOf(current, operationChoice));
      const expected = listExpected(current, operations);
      const headers = { 'Content-Type': 'application/json-patch+json' };
      const answer = await rawClient.send({
        method: 'PATCH',
        path,
        headers,
        body: JSON.stringify(operations),
      });
      const outcome = toExpected(answer.status, JSON.parse(answer.text));
      const key = 'code' in outcome ? `${outcome.status} ${outcome.code}` : '200';
      outcomeCounts.set(key, (outcomeCounts.get(key) ?? 0) + 1);
      if (!expected.some((expectedOutcome) => isEqual(expectedOutcome, outcome)))
        faults.push(JSON.stringify({ operations, expected, outcome, current }));
      const after = (await server.send('GET', path)).text;
      const version = Number(JSON.parse(text).meta.versionId);
      if (outcome.status !== 200 && after !== text)
        faults.push(JSON.stringify({ operations, changed: after }));
      if (JSON.parse(after).meta.versionId > version + 1)
        faults.push(JSON.stringify({ operations, versions: after }));
      text = after;
    }
  });
  expect(faults.slice(0, 10)).toEqual([]);
  expect([...outcomeCounts.keys()]).toEqual(
    expect.arrayContaining([
      '200',
      '400 value',
      '400 required',
      '422 not-supported',
      '422 processing',
      '422 business-rule',
      '422 structure',
    ]),
  );
});

function isEqual(a: Expected, b: Expected): boolean {
  return JSON.stringify(sortMembers(a)) === JSON.stringify(sortMembers(b));
}

function sortMembers(node: Json): Json {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(sortMembers);
  return Object.fromEntries(
    Object.entries(node)
      .toSorted()
      .map(([key, child]) => [key, sortMembers(child)]),
  );
}
