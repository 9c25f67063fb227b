/** 1,000 generated patches through the running server, against a model that knows nothing of its code. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { asker, inParallel, type Asker } from './testing/ask.ts';
import { expectedOf, type Expected, type Replace } from './testing/patch-model.ts';
import { store } from './testing/records.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20260101);
const lanes = 20;
const patches = 50;

let server: TestServer;
let below: Asker;
beforeAll(async () => {
  server = await startTestServer();
  below = asker(server, 8);
});
afterAll(async () => {
  below.close();
  await server.remove();
});

/** Stands in an unknown element, which the default level keeps: any JSON may be there. */
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

/** What a patch does to a path that exists: nothing, mostly. */
const bends: readonly ((path: string) => string)[] = [
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
  /** Which of the paths that exist, counted round. */
  at: fc.nat(),
  bend: fc.constantFrom(...bends),
  value,
  without: fc.integer({ min: 0, max: 40 }).map((dice) => dice === 0),
});

/** The pointers of all that is in a value. */
function pointers(node: Json, path = '/x'): string[] {
  if (typeof node !== 'object' || node === null) return [path];
  return [
    path,
    ...Object.entries(node as object).flatMap(([key, child]) =>
      pointers(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ),
  ];
}

function operationOf(document: Json, { op, at, bend, value, without }: Json): Replace {
  const paths = pointers(document.x);
  // The whole of x is replaced seldom, lest nothing be left to address.
  const path = bend(paths[1 + (at % (paths.length - 1))] ?? '/x');
  return without ? { op, path } : { op, path, value };
}

const found = (status: number, json: Json): Expected =>
  status === 200 ? { status, document: { x: json.x } } : { status, code: json.issue[0].code };

test(`${lanes * patches} patches of seed ${seed} end as the model says`, async () => {
  const choices = fc.sample(
    fc.array(fc.array(choice, { minLength: 1, maxLength: 3 }), { minLength: patches, maxLength: patches }),
    { numRuns: lanes, seed },
  );
  const faults: string[] = [];
  const tally = new Map<string, number>();
  await inParallel(choices, 8, async (lane) => {
    let { path, text } = await store(server, 'CarePlan', { x: start });
    for (const chosen of lane) {
      const document = { x: JSON.parse(text).x };
      if (pointers(document.x).length < 8) ({ path, text } = await store(server, 'CarePlan', { x: start }));
      const current = { x: JSON.parse(text).x };
      const operations = chosen.map((one) => operationOf(current, one));
      const expected = expectedOf(current, operations);
      const headers = { 'Content-Type': 'application/json-patch+json' };
      const answer = await below.ask({ method: 'PATCH', path, headers, body: JSON.stringify(operations) });
      const outcome = found(answer.status, JSON.parse(answer.text));
      const key = 'code' in outcome ? `${outcome.status} ${outcome.code}` : '200';
      tally.set(key, (tally.get(key) ?? 0) + 1);
      if (!expected.some((one) => same(one, outcome)))
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
  expect([...tally.keys()]).toEqual(
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

function same(left: Expected, right: Expected): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(node: Json): Json {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(sorted);
  return Object.fromEntries(
    Object.entries(node)
      .toSorted()
      .map(([key, child]) => [key, sorted(child)]),
  );
}
