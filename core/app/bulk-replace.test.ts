import { expect, test } from 'vitest';
import type { BulkOperation } from './bulk.ts';
import type { Compute, ComputeQuestion } from './bulk-computed.ts';
import { examine, resultOf } from './bulk-replace.ts';

const record =
  '{"resourceType":"CarePlan","status":"draft","intent":"plan","subject":{"reference":"Patient/a"},"activity":[{"detail":{"status":"doing","quantity":{"value":1.00}}},{"reference":{"reference":"Task/1"}},{"detail":{"status":"scheduled"}}]}';

/** Requests to the compute function. */
const requests: ComputeQuestion[] = [];
let answers: Awaited<ReturnType<Compute>> = [];
const compute: Compute = (question) => {
  requests.push(question);
  return Promise.resolve(answers);
};
const options = { level: 'standard', today: '2026-01-01', compute } as const;

const run = (...operations: BulkOperation[]) => examine(record, 'CarePlan', operations, options);

test('returns the patch of a change with old and new value', async () => {
  expect(await run({ path: '/status', value: '"active"' })).toEqual({
    state: 'ready',
    method: 'patch',
    body: '[{"op":"replace","path":"/status","value":"active"}]',
    changes: [{ pointer: '/status', before: '"draft"', after: '"active"' }],
    warnings: [],
  });
});

test('replaces the element in each item of a list for *', async () => {
  const result = await run({ path: '/activity/*/detail/status', value: '"completed"' });
  expect(result).toMatchObject({
    changes: [{ before: '"doing"' }, { before: '"scheduled"', after: '"completed"' }],
  });
});

test('replaces only elements with the given value, compared by digits', async () => {
  const result = await run({ path: '/activity/*/detail/status', value: '"in-progress"', now: '"doing"' });
  expect(result).toMatchObject({ changes: [{ pointer: '/activity/0/detail/status' }] });
  const path = '/activity/*/detail/quantity/value';
  expect(await run({ path, value: '2.0', now: '1.0' })).toMatchObject({ state: 'unchanged' });
  expect(await run({ path, value: '2.0', now: '1.00' })).toMatchObject({ changes: [{ after: '2.0' }] });
});

test('reports unchanged if the record already has the value', async () => {
  expect(await run({ path: '/status', value: '"draft"' })).toMatchObject({ state: 'unchanged' });
});

test.each([
  ['/title', '"x"'],
  ['/note/*/text', '"x"'],
  ['/id', '"x"'],
  ['status', '"active"'],
])('reports a reason if %s cannot be replaced', async (path, value) => {
  const { state, detail } = { detail: '', ...(await run({ path, value })) };
  expect(state).toBe('cannot');
  expect(detail).not.toBe('');
});

test('refuses a result with a new error, not one with an old error', async () => {
  expect(await run({ path: '/status', value: '"actve"' })).toMatchObject({
    state: 'refused',
    detail: expect.stringContaining('CarePlan.status'),
  });
  expect(await run({ path: '/activity/0/detail/status', value: '"going"' })).toMatchObject({
    state: 'refused',
    detail: expect.stringContaining('CarePlan.activity[0].detail.status'),
  });
  expect(await run({ path: '/status', value: '"active"' })).toMatchObject({ state: 'ready' });
  const optionsWithoutValidation = { ...options, level: 'off' } as const;
  expect(
    await examine(record, 'CarePlan', [{ path: '/status', value: '"x"' }], optionsWithoutValidation),
  ).toMatchObject({
    state: 'ready',
  });
});

test('accepts a fix that moves a remaining error, without a warning', async () => {
  const orphan = '{"resourceType":"Goal","id":"o"}';
  const goal = '{"resourceType":"Goal","id":"g","lifecycleStatus":"on"}';
  const faulty = record.replace(
    '"status"',
    `"contained":[${orphan},${goal}],"goal":[{"reference":"#g"}],"status"`,
  );
  const strict = { ...options, level: 'strict' } as const;
  expect(await examine(faulty, 'CarePlan', [{ kind: 'fix', fix: 'dom-3' }], strict)).toMatchObject({
    state: 'ready',
    body: faulty.replace(`${orphan},`, ''),
    warnings: [],
  });
});

test('warns about a stale narrative', async () => {
  const recordWithNarrative = record.replace(
    '"status":"draft"',
    '"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">Draft</div>"},"status":"draft"',
  );
  const result = await examine(
    recordWithNarrative,
    'CarePlan',
    [{ path: '/status', value: '"active"' }],
    options,
  );
  expect(result).toMatchObject({ state: 'ready', warnings: [expect.stringContaining('CarePlan.text')] });
});

test('computes and replaces only the elements with the given value', async () => {
  requests.length = 0;
  answers = [{ value: 'in-progress' }];
  const computed = await run({
    kind: 'compute',
    path: '/activity/*/detail/status',
    expression: 'x',
    now: '"doing"',
  });
  expect(requests).toEqual([
    {
      expression: 'x',
      record,
      places: [{ pointer: '/activity/0/detail/status', base: 'CarePlan.activity.detail.status' }],
    },
  ]);
  expect(computed).toMatchObject({
    state: 'ready',
    method: 'patch',
    body: '[{"op":"replace","path":"/activity/0/detail/status","value":"in-progress"}]',
  });
  if (computed.state !== 'ready') throw new Error('It is ready.');
  expect(resultOf(record, 'CarePlan', computed)).toBe(record.replace('"doing"', '"in-progress"'));
});

test.each([
  [
    'a value that the expression cannot produce',
    '/status',
    [{ cannot: 'It gives a number.' }],
    'It gives a number. (/status)',
  ],
  ['a record that takes too long', '/status', { cannot: 'Too long.' }, 'Too long.'],
  ['a number', '/activity/0/detail/quantity/value', [{ value: '2' }], 'is not a text'],
  ['a structure', '/subject', [{ value: 'Patient/b' }], 'is not a text'],
  ['nothing', '/title', [{ value: 'x' }], 'Nothing at /title in this record.'],
])('does not write %s', async (_, path, response, detail) => {
  answers = response;
  expect(await run({ kind: 'compute', path, expression: 'x' })).toMatchObject({
    state: 'cannot',
    detail: expect.stringContaining(detail),
  });
});

test('computes a Boolean', async () => {
  const changedRecord = record.replace('"status":"doing"', '"doNotPerform":true');
  answers = [{ value: false }];
  const operation = { kind: 'compute', path: '/activity/0/detail/doNotPerform', expression: 'x' } as const;
  expect(await examine(changedRecord, 'CarePlan', [operation], { ...options, level: 'off' })).toMatchObject({
    changes: [{ before: 'true', after: 'false' }],
  });
});

test('keeps the escapes of an equal computed value', async () => {
  const escaped = record.replace('"draft"', '"\\u0064raft"');
  answers = [{ value: 'draft' }];
  const operation = { kind: 'compute', path: '/status', expression: 'x' } as const;
  expect(await examine(escaped, 'CarePlan', [operation], options)).toMatchObject({ state: 'unchanged' });
});

test('sends the whole record, otherwise unchanged, if a fix removes an element', async () => {
  const orphaned = record.replace('"status"', '"contained":[{"resourceType":"Goal","id":"g"}],"status"');
  const result = await examine(orphaned, 'CarePlan', [{ kind: 'fix', fix: 'dom-3' }], options);
  expect(result).toMatchObject({ state: 'ready', method: 'put', body: record });
});

test('applies a fix to the result of the replacements', async () => {
  const orphaned = record.replace('"status"', '"contained":[{"resourceType":"Goal","id":"g"}],"status"');
  const operations = [
    { path: '/status', value: '"active"' },
    { kind: 'fix', fix: 'dom-3' },
  ] as const;
  const result = await examine(orphaned, 'CarePlan', operations, options);
  expect(result).toMatchObject({ method: 'put', body: record.replace('"draft"', '"active"') });
});

test('reports unchanged if a fix resolves nothing', async () => {
  expect(await run({ kind: 'fix', fix: 'none' })).toMatchObject({ state: 'unchanged' });
});

test('uses the local time zone for a chosen option only, otherwise UTC', async () => {
  const record = '{"resourceType":"CarePlan","period":{"start":"2026-01-01T10:00"}}';
  const options = {
    level: 'off',
    today: '2026-11-22',
    zoneOf: () => '+01:00',
    compute: () => Promise.resolve([]),
  } as const;
  const previewFix = async (fix: string) => {
    const result = await examine(record, 'CarePlan', [{ kind: 'fix', fix }], options);
    return result.state === 'ready' ? result.body : result.detail;
  };
  expect(await previewFix('date-time-zone=local')).toContain('"2026-01-01T10:00:00+01:00"');
  expect(await previewFix('date-time-zone')).toContain('"2026-01-01T10:00:00Z"');
  expect(await previewFix('every')).toContain('"2026-01-01T10:00:00Z"');
});
