import { expect, test } from 'vitest';
import type { BulkOperation } from './bulk.ts';
import type { Compute, ComputeQuestion } from './bulk-computed.ts';
import { examine, resultOf } from './bulk-replace.ts';

const record =
  '{"resourceType":"CarePlan","status":"draft","intent":"plan","subject":{"reference":"Patient/a"},"activity":[{"detail":{"status":"doing","quantity":{"value":1.00}}},{"reference":{"reference":"Task/1"}},{"detail":{"status":"scheduled"}}]}';

/** What an expression made of each place. */
const asked: ComputeQuestion[] = [];
let answers: Awaited<ReturnType<Compute>> = [];
const compute: Compute = (question) => {
  asked.push(question);
  return Promise.resolve(answers);
};
const options = { level: 'standard', today: '2026-01-01', compute } as const;

const run = (...operations: BulkOperation[]) => examine(record, 'CarePlan', operations, options);

test('a change is told with the patch that makes it, old and new value', async () => {
  expect(await run({ path: '/status', value: '"active"' })).toEqual({
    ...{ state: 'ready', method: 'patch' },
    body: '[{"op":"replace","path":"/status","value":"active"}]',
    changes: [{ pointer: '/status', before: '"draft"', after: '"active"' }],
    warnings: [],
  });
});

test('a star is each item of a list that holds the element', async () => {
  const all = await run({ path: '/activity/*/detail/status', value: '"completed"' });
  expect(all).toMatchObject({
    changes: [{ before: '"doing"' }, { before: '"scheduled"', after: '"completed"' }],
  });
});

test('only where the given value stands, compared by its digits', async () => {
  const only = await run({ path: '/activity/*/detail/status', value: '"in-progress"', now: '"doing"' });
  expect(only).toMatchObject({ changes: [{ pointer: '/activity/0/detail/status' }] });
  const path = '/activity/*/detail/quantity/value';
  expect(await run({ path, value: '2.0', now: '1.0' })).toMatchObject({ state: 'unchanged' });
  expect(await run({ path, value: '2.0', now: '1.00' })).toMatchObject({ changes: [{ after: '2.0' }] });
});

test('what the record already holds is unchanged', async () => {
  expect(await run({ path: '/status', value: '"draft"' })).toMatchObject({ state: 'unchanged' });
});

test.each([
  ['/title', '"x"'],
  ['/note/*/text', '"x"'],
  ['/id', '"x"'],
  ['status', '"active"'],
])('%s cannot be replaced, and the reason is said', async (path, value) => {
  const { state, detail } = { detail: '', ...(await run({ path, value })) };
  expect(state).toBe('cannot');
  expect(detail).not.toBe('');
});

test('a result with a new error would be refused; an old error is no reason', async () => {
  expect(await run({ path: '/status', value: '"actve"' })).toMatchObject({
    state: 'refused',
    detail: expect.stringContaining('CarePlan.status'),
  });
  expect(await run({ path: '/activity/0/detail/status', value: '"going"' })).toMatchObject({
    state: 'refused',
    detail: expect.stringContaining('CarePlan.activity[0].detail.status'),
  });
  expect(await run({ path: '/status', value: '"active"' })).toMatchObject({ state: 'ready' });
  const off = { ...options, level: 'off' } as const;
  expect(await examine(record, 'CarePlan', [{ path: '/status', value: '"x"' }], off)).toMatchObject({
    state: 'ready',
  });
});

test('a fix that moves what is still wrong is ready, and brings no warning', async () => {
  const orphan = '{"resourceType":"Goal","id":"o"}';
  const goal = '{"resourceType":"Goal","id":"g","lifecycleStatus":"on"}';
  const faulty = record.replace(
    '"status"',
    `"contained":[${orphan},${goal}],"goal":[{"reference":"#g"}],"status"`,
  );
  const strict = { ...options, level: 'strict' } as const;
  expect(await examine(faulty, 'CarePlan', [{ kind: 'fix', fix: 'dom-3' }], strict)).toMatchObject({
    ...{ state: 'ready', body: faulty.replace(`${orphan},`, ''), warnings: [] },
  });
});

test('a narrative that is left behind is a warning', async () => {
  const told = record.replace(
    '"status":"draft"',
    '"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">Draft</div>"},"status":"draft"',
  );
  const examined = await examine(told, 'CarePlan', [{ path: '/status', value: '"active"' }], options);
  expect(examined).toMatchObject({ state: 'ready', warnings: [expect.stringContaining('CarePlan.text')] });
});

test('a computed value is asked for where the given value stands, and replaces that alone', async () => {
  asked.length = 0;
  answers = [{ value: 'in-progress' }];
  const computed = await run({
    ...{ kind: 'compute', path: '/activity/*/detail/status', expression: 'x', now: '"doing"' },
  });
  expect(asked).toEqual([
    {
      ...{ expression: 'x', record },
      places: [{ pointer: '/activity/0/detail/status', base: 'CarePlan.activity.detail.status' }],
    },
  ]);
  expect(computed).toMatchObject({
    ...{ state: 'ready', method: 'patch' },
    body: '[{"op":"replace","path":"/activity/0/detail/status","value":"in-progress"}]',
  });
  if (computed.state !== 'ready') throw new Error('It is ready.');
  expect(resultOf(record, 'CarePlan', computed)).toBe(record.replace('"doing"', '"in-progress"'));
});

test.each([
  [
    'what the expression cannot make',
    '/status',
    [{ cannot: 'It gives a number.' }],
    'It gives a number. (/status)',
  ],
  ['a record that takes too long', '/status', { cannot: 'Too long.' }, 'Too long.'],
  ['a number', '/activity/0/detail/quantity/value', [{ value: '2' }], 'is no text'],
  ['a structure', '/subject', [{ value: 'Patient/b' }], 'is no text'],
  ['nothing', '/title', [{ value: 'x' }], 'The record has nothing at /title.'],
])('%s is not written', async (_, path, given, detail) => {
  answers = given;
  expect(await run({ kind: 'compute', path, expression: 'x' })).toEqual({
    state: 'cannot',
    detail: expect.stringContaining(detail),
  });
});

test('yes or no is computed', async () => {
  const given = record.replace('"status":"doing"', '"doNotPerform":true');
  answers = [{ value: false }];
  const operation = { kind: 'compute', path: '/activity/0/detail/doNotPerform', expression: 'x' } as const;
  expect(await examine(given, 'CarePlan', [operation], { ...options, level: 'off' })).toMatchObject({
    changes: [{ before: 'true', after: 'false' }],
  });
});

test('a computed value that already stands there changes nothing, not even its escapes', async () => {
  const escaped = record.replace('"draft"', '"\\u0064raft"');
  answers = [{ value: 'draft' }];
  const operation = { kind: 'compute', path: '/status', expression: 'x' } as const;
  expect(await examine(escaped, 'CarePlan', [operation], options)).toMatchObject({ state: 'unchanged' });
});

test('a fix that removes an element is sent as the whole record, with every other character as it was', async () => {
  const orphaned = record.replace('"status"', '"contained":[{"resourceType":"Goal","id":"g"}],"status"');
  const mended = await examine(orphaned, 'CarePlan', [{ kind: 'fix', fix: 'dom-3' }], options);
  expect(mended).toMatchObject({ state: 'ready', method: 'put', body: record });
});

test('a fix mends what the replacements beside it leave', async () => {
  const orphaned = record.replace('"status"', '"contained":[{"resourceType":"Goal","id":"g"}],"status"');
  const both = [
    { path: '/status', value: '"active"' },
    { kind: 'fix', fix: 'dom-3' },
  ] as const;
  const mended = await examine(orphaned, 'CarePlan', both, options);
  expect(mended).toMatchObject({ method: 'put', body: record.replace('"draft"', '"active"') });
});

test('a fix that mends nothing leaves the record', async () => {
  expect(await run({ kind: 'fix', fix: 'none' })).toMatchObject({ state: 'unchanged' });
});

test('the zone of the steward’s machine is taken where that way was chosen, and UTC where none was', async () => {
  const record = '{"resourceType":"CarePlan","period":{"start":"2026-01-01T10:00"}}';
  const options = {
    level: 'off',
    today: '2026-11-22',
    zoneOf: () => '+01:00',
    compute: () => Promise.resolve([]),
  } as const;
  const sent = async (fix: string) => {
    const found = await examine(record, 'CarePlan', [{ kind: 'fix', fix }], options);
    return found.state === 'ready' ? found.body : found.detail;
  };
  expect(await sent('date-time-zone=local')).toContain('"2026-01-01T10:00:00+01:00"');
  expect(await sent('date-time-zone')).toContain('"2026-01-01T10:00:00Z"');
  expect(await sent('every')).toContain('"2026-01-01T10:00:00Z"');
});
