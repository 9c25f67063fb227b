/** Rows 50 to 53 of docs/api-rows.md: the result of a patch, and other patch formats. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import { replace, store } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const section = [
  { title: 'a', text: { status: 'additional', div: '<div xmlns="http://www.w3.org/1999/xhtml">a</div>' } },
];
const results: (readonly [row: string, path: string, value: Json, code: string, expression: string])[] = [
  ['7', '/title', null, 'structure', 'Composition.title'],
  ['7', '/title', '', 'structure', 'Composition.title'],
  ['7', '/section', [], 'structure', 'Composition.section'],
  ['7', '/section/0/text', {}, 'structure', 'Composition.section[0].text'],
  ['7', '/language', null, 'structure', 'Composition.language'],
  ['8', '/title', 5, 'value', 'Composition.title'],
  ['8', '/meta', 'x', 'value', 'Composition.meta'],
  ['7', '/meta', null, 'structure', 'Composition.meta'],
  ['8', '/date', '2026-02-30', 'value', 'Composition.date'],
  ['8', '/subject', 'Patient/1', 'value', 'Composition.subject'],
  ['8', '/language', 'not a tag', 'value', 'Composition.language'],
  ['9', '/status', 'active', 'code-invalid', 'Composition.status'],
  ['10', '/section/0', { title: 'a' }, 'invariant', 'Composition.section[0]'],
];

// Row 50 of docs/api-rows.md.
test.each(results)(
  'rejects a result that breaks row %s (%s to %j) with 422 %s',
  async (_, path, value, code, expression) => {
    const record = await store(server, 'Composition', { section });
    const answer = await server.send('PATCH', record.path, replace(path, value));
    expectRejection(answer, { status: 422, code, expression });
    expect((await server.send('GET', record.path)).text).toBe(record.text);
  },
);

// Row 50 of docs/api-rows.md.
test('returns 422 for a missing or unknown element in the result at strict', async () => {
  const strict = await startTestServer({ validation: 'strict' });
  try {
    const { path } = await store(strict, 'CarePlan', { activity: [{ detail: { status: 'not-started' } }] });
    const send = (value: Json) => strict.send('PATCH', path, replace('/activity/0/detail', value));
    expectRejection(await send({ description: 'a' }), {
      status: 422,
      code: 'required',
      expression: 'CarePlan.activity[0].detail',
    });
    expectRejection(await send({ status: 'not-started', colour: 'red' }), { status: 422, code: 'structure' });
  } finally {
    await strict.remove();
  }
});

// Row 51 of docs/api-rows.md.
test('stores nothing and reports the index if one operation fails', async () => {
  const record = await store(server, 'CarePlan', { title: 'a' });
  const operations = ['/title', '/language', '/nothing', '/status'].map((path) => ({
    op: 'replace',
    path,
    value: 'nb',
  }));
  const answer = await server.send('PATCH', record.path, JSON.stringify(operations));
  expectRejection(answer, { status: 422, code: 'processing', diagnostics: 'op[2]' });
  expect((await server.send('GET', record.path)).text).toBe(record.text);
  expect((await server.send('GET', `${record.path}/_history`)).json.total).toBe(1);
});

// Row 52 of docs/api-rows.md.
test('preserves a generated narrative if another element changes', async () => {
  const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Plan a</div>' };
  const record = await store(server, 'CarePlan', { text, title: 'a' });
  const { status, json } = await server.send('PATCH', record.path, replace('/title', 'b'));
  expect([status, json.title, json.text]).toEqual([200, 'b', text]);
});

// Row 53 of docs/api-rows.md.
test.each([
  'application/merge-patch+json',
  'application/xml-patch+xml',
  'application/fhir+xml',
  'text/plain',
])('returns 415 with Accept-Patch for a patch as %s', async (type) => {
  const { path } = await store(server, 'CarePlan');
  const answer = await server.send('PATCH', path, '{"language":"nb"}', { 'Content-Type': type });
  expectRejection(answer, { status: 415, code: 'not-supported', location: 'http.Content-Type' });
  expect(answer.headers.get('accept-patch')).toBe('application/json-patch+json, application/json');
});
