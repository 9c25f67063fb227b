/** Large bodies are worked on in threads: to a client they end as small ones do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { doHere, type Run } from '../fhir/drafts.ts';
import { openRecords } from '../start.ts';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { largest, textPool } from './text-pool.ts';

const type = '/fhir-r4/v1/CarePlan';
const description = 'a'.repeat(largest);
const large = (extra = '') => carePlan('Patient/1', `,"description":"${description}"${extra}`);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

async function store(body: string, headers: Record<string, string> = {}): Promise<Json> {
  const { status, json } = await server.send('POST', type, body, headers);
  return { status, json, path: `${type}/${json.id}` };
}

test('serves other requests while a large body is validated', async () => {
  const { path } = await store(carePlan('Patient/1'));
  const hostile = carePlan(
    'Patient/1',
    `,"note":[${Array(limits.values - 20)
      .fill('{}')
      .join()}]`,
  );
  let validateStatus: number | undefined;
  const validation = server
    .send('POST', `${type}/$validate`, hostile)
    .then(({ status }) => (validateStatus = status));
  let answeredCount = 0;
  while (validateStatus === undefined) {
    expect((await server.send('GET', path)).status).toBe(200);
    answeredCount += 1;
  }
  await validation;
  expect(validateStatus).toBe(200);
  // On the same thread two or three would be.
  expect(answeredCount).toBeGreaterThan(10);
});

test('creates, changes and compares a large record like a small one', async () => {
  const { path, json } = await store(large());
  expect(json).toMatchObject({ meta: { versionId: '1' }, description });
  const unchangedResponse = await server.send('PUT', path, JSON.stringify(json), { 'If-Match': 'W/"1"' });
  expect([unchangedResponse.status, unchangedResponse.headers.get('etag')]).toEqual([200, 'W/"1"']);
  const changedResponse = await server.send('PUT', path, JSON.stringify({ ...json, title: 'b' }), {
    'If-Match': 'W/"1"',
  });
  expect([changedResponse.status, changedResponse.headers.get('etag')]).toEqual([200, 'W/"2"']);
  const late = await server.send('PUT', path, JSON.stringify({ ...json, title: 'c' }), {
    'If-Match': 'W/"1"',
  });
  expect([late.status, late.headers.get('etag')]).toEqual([412, 'W/"2"']);
  const searchResponse = await server.send('GET', `${type}?_id=${json.id}`);
  expect(searchResponse.json.entry[0].resource).toEqual(changedResponse.json);
});

test('applies a small patch of a large record in a worker', async () => {
  const { path } = await store(large(',"title":"a"'));
  const patch = (value: string) =>
    server.send('PATCH', path, `[{"op":"replace","path":"/title","value":"${value}"}]`);
  expect((await patch('b')).json).toMatchObject({ title: 'b', description, meta: { versionId: '2' } });
  const rejected = await patch('');
  expect([rejected.status, rejected.json.issue[0].expression]).toEqual([422, ['CarePlan.title']]);
});

test('reports problems of a large body like those of a small one', async () => {
  const syntax = await store(large().slice(0, -1));
  expect([syntax.status, syntax.json.issue[0].diagnostics]).toEqual([
    400,
    expect.stringMatching(/^syntax at line 1/),
  ]);
  const content = await store(large(',"title":""'));
  expect([content.status, content.json.issue[0].expression]).toEqual([400, ['CarePlan.title']]);
  const unknown = await server.send('PUT', `${type}/unknown`, large());
  expect([unknown.status, unknown.json.issue[0].code]).toEqual([404, 'not-found']);
});

test('returns the large record that matches If-None-Exist', async () => {
  const identifier = ',"identifier":[{"system":"s","value":"once"}]';
  const created = await store(large(identifier));
  const repeated = await store(large(identifier), { 'If-None-Exist': 'identifier=s|once' });
  expect([repeated.status, repeated.json]).toEqual([200, created.json]);
});

test('imports large records once', async () => {
  const body = large().replace('{', '{"id":"imported",');
  const send = async (text: string): Promise<Json> => {
    const response = await server.send('POST', '/app/import?keepIds=true', text, {
      'Content-Type': 'application/x-ndjson',
    });
    return JSON.parse(response.text.split('\n')[0] ?? '').result;
  };
  expect([await send(body), await send(body)]).toEqual(['stored', 'unchanged']);
  expect(await send(body.replace('"plan"', '"order"'))).toBe('refused');
});

test('keeps an erased record erased, however large the request', async () => {
  const { path, json } = await store(large());
  const { id } = json;
  const erasure = await server.send(
    'POST',
    '/app/erasures',
    JSON.stringify({ type: 'CarePlan', id, reason: 'asked for' }),
  );
  expect(erasure.status).toBe(201);
  const changedResponse = await server.send('PUT', path, JSON.stringify(json));
  expect([changedResponse.status, changedResponse.json.issue[0].code]).toEqual([410, 'deleted']);
  const importResponse = await server.send('POST', '/app/import?keepIds=true', JSON.stringify(json), {
    'Content-Type': 'application/x-ndjson',
  });
  expect(importResponse.text).toContain('"refused":1');
  expect((await server.send('GET', path)).status).toBe(410);
});

const readFirstLine = (text: string) =>
  [
    {
      ...({ operation: 'create', level: 'standard', id: 'a', number: 1, now: 0 } as const),
      request: { type: 'CarePlan', text, author: 'somebody' },
    },
  ] as const;

test('has the same result for a small text here and in a worker', async () => {
  const pool = textPool(true);
  const outcomeOf = async (text: string, shared: boolean) => {
    try {
      return await pool.run('first', [...readFirstLine(text)], shared);
    } catch (error) {
      return error;
    }
  };
  try {
    // The text is processed here until the thread can work.
    const ask = () => pool.run('typeOf', [carePlan('Patient/1')], true);
    await vi.waitFor(() => expect(ask()).toBeInstanceOf(Promise), { timeout: 60_000 });
    const completePlan = carePlan('Patient/1');
    for (const text of [completePlan, carePlan('Patient/1', ',"title":""'), completePlan.slice(0, -1)]) {
      expect(await outcomeOf(text, true)).toEqual(await outcomeOf(text, false));
    }
    expect(pool.run('typeOf', [completePlan])).toBe('CarePlan');
  } finally {
    await pool.close();
  }
});

test('processes small texts here on a single processor', () => {
  expect(textPool(false).run('typeOf', [carePlan('Patient/1')], true)).toBe('CarePlan');
});

test('distributes texts of concurrent writes, but not of a single write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-shared-'));
  const sharedFlags: unknown[] = [];
  const run: Run = (job, jobArguments, shared) => {
    sharedFlags.push([job, shared]);
    return doHere(job, jobArguments);
  };
  const { store, service } = await openRecords(folder, { run });
  const create = () => service.create({ type: 'CarePlan', text: carePlan('Patient/1'), author: 'somebody' });
  await create();
  await Promise.all([create(), create()]);
  await create();
  await store.close();
  rmSync(folder, { recursive: true });
  expect(sharedFlags).toEqual([false, false, true, false].map((shared) => ['first', shared]));
});
