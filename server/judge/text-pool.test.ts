/** Large bodies are worked on in threads: to a client they end as small ones do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { doHere, type Run } from '../fhir/jobs.ts';
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

test('while a large body is judged others are answered', async () => {
  const { path } = await store(carePlan('Patient/1'));
  const hostile = carePlan(
    'Patient/1',
    `,"note":[${Array(limits.values - 20)
      .fill('{}')
      .join()}]`,
  );
  let judged: number | undefined;
  const judging = server.send('POST', `${type}/$validate`, hostile).then(({ status }) => (judged = status));
  let answered = 0;
  while (judged === undefined) {
    expect((await server.send('GET', path)).status).toBe(200);
    answered += 1;
  }
  await judging;
  expect(judged).toBe(200);
  // On the same thread two or three would be.
  expect(answered).toBeGreaterThan(10);
});

test('a large record is created, changed and compared as a small one', async () => {
  const { path, json } = await store(large());
  expect(json).toMatchObject({ meta: { versionId: '1' }, description });
  const same = await server.send('PUT', path, JSON.stringify(json), { 'If-Match': 'W/"1"' });
  expect([same.status, same.headers.get('etag')]).toEqual([200, 'W/"1"']);
  const changed = await server.send('PUT', path, JSON.stringify({ ...json, title: 'b' }), {
    'If-Match': 'W/"1"',
  });
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, 'W/"2"']);
  const late = await server.send('PUT', path, JSON.stringify({ ...json, title: 'c' }), {
    'If-Match': 'W/"1"',
  });
  expect([late.status, late.headers.get('etag')]).toEqual([412, 'W/"2"']);
  const found = await server.send('GET', `${type}?_id=${json.id}`);
  expect(found.json.entry[0].resource).toEqual(changed.json);
});

test('a small patch of a large record is worked on beside the others', async () => {
  const { path } = await store(large(',"title":"a"'));
  const patch = (value: string) =>
    server.send('PATCH', path, `[{"op":"replace","path":"/title","value":"${value}"}]`);
  expect((await patch('b')).json).toMatchObject({ title: 'b', description, meta: { versionId: '2' } });
  const refused = await patch('');
  expect([refused.status, refused.json.issue[0].expression]).toEqual([422, ['CarePlan.title']]);
});

test('faults of a large body are told as those of a small one', async () => {
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

test('If-None-Exist answers the large record that matches', async () => {
  const identifier = ',"identifier":[{"system":"s","value":"once"}]';
  const first = await store(large(identifier));
  const again = await store(large(identifier), { 'If-None-Exist': 'identifier=s|once' });
  expect([again.status, again.json]).toEqual([200, first.json]);
});

test('large records are imported, once', async () => {
  const body = large().replace('{', '{"id":"imported",');
  const send = async (text: string): Promise<Json> => {
    const answer = await server.send('POST', '/app/import?keepIds=true', text, {
      'Content-Type': 'application/x-ndjson',
    });
    return JSON.parse(answer.text.split('\n')[0] ?? '').result;
  };
  expect([await send(body), await send(body)]).toEqual(['stored', 'unchanged']);
  expect(await send(body.replace('"plan"', '"order"'))).toBe('refused');
});

test('an erased record stays away, however large what asks for it is', async () => {
  const { path, json } = await store(large());
  const { id } = json;
  const erased = await server.send(
    'POST',
    '/app/erasures',
    JSON.stringify({ type: 'CarePlan', id, reason: 'asked for' }),
  );
  expect(erased.status).toBe(201);
  const changed = await server.send('PUT', path, JSON.stringify(json));
  expect([changed.status, changed.json.issue[0].code]).toEqual([410, 'deleted']);
  const imported = await server.send('POST', '/app/import?keepIds=true', JSON.stringify(json), {
    'Content-Type': 'application/x-ndjson',
  });
  expect(imported.text).toContain('"refused":1');
  expect((await server.send('GET', path)).status).toBe(410);
});

const first = (text: string) =>
  [
    {
      ...({ operation: 'create', level: 'standard', id: 'a', number: 1, now: 0 } as const),
      request: { type: 'CarePlan', text, author: 'somebody' },
    },
  ] as const;

test('a small text comes to the same here and beside', async () => {
  const pool = textPool(true);
  const outcomeOf = async (text: string, shared: boolean) => {
    try {
      return await pool.run('first', [...first(text)], shared);
    } catch (error) {
      return error;
    }
  };
  try {
    // It is worked on here until the thread can work.
    const ask = () => pool.run('typeOf', [carePlan('Patient/1')], true);
    await vi.waitFor(() => expect(ask()).toBeInstanceOf(Promise), { timeout: 60_000 });
    const whole = carePlan('Patient/1');
    for (const text of [whole, carePlan('Patient/1', ',"title":""'), whole.slice(0, -1)]) {
      expect(await outcomeOf(text, true)).toEqual(await outcomeOf(text, false));
    }
    expect(pool.run('typeOf', [whole])).toBe('CarePlan');
  } finally {
    await pool.close();
  }
});

test('with one processor small texts stay here', () => {
  expect(textPool(false).run('typeOf', [carePlan('Patient/1')], true)).toBe('CarePlan');
});

test('texts of writes that come together are shared out, that of a write alone is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-shared-'));
  const asked: unknown[] = [];
  const run: Run = (job, given, shared) => {
    asked.push([job, shared]);
    return doHere(job, given);
  };
  const { store, service } = await openRecords(folder, { run });
  const create = () => service.create({ type: 'CarePlan', text: carePlan('Patient/1'), author: 'somebody' });
  await create();
  await Promise.all([create(), create()]);
  await create();
  await store.close();
  rmSync(folder, { recursive: true });
  expect(asked).toEqual([false, false, true, false].map((shared) => ['first', shared]));
});
