/** The table "Headers and conventions" of the specification, and properties of every response. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createRawClient, type RawClient } from './testing/ask.ts';
import { listRejectionFaults } from './testing/outcome.ts';
import {
  toPath,
  replace,
  statusOf,
  store,
  text,
  types,
  unknownId,
  type StoredRecord,
} from './testing/records.ts';

let server: TestServer;
let rawClient: RawClient;
beforeAll(async () => {
  server = await startTestServer({ failureLimit: Infinity });
  rawClient = createRawClient(server);
});
afterAll(async () => {
  rawClient.close();
  await server.remove();
});

describe.each(types)('%s', (type) => {
  let record: StoredRecord;
  beforeEach(async () => {
    record = await store(server, type);
  });

  test('returns ETag and Last-Modified that match meta on reads and writes', async () => {
    const answers = [
      record.answer,
      await server.send('GET', record.path),
      await server.send('GET', `${record.path}/_history/1`),
      await server.send('PUT', record.path, text(type, { language: 'nb' })),
      await server.send('PATCH', record.path, replace('/language', 'nn')),
      await server.send('GET', record.path),
      await server.send('GET', `${record.path}/_history/2`),
    ];
    expect(answers.map(({ json }) => json.meta.versionId)).toEqual(['1', '1', '1', '2', '3', '3', '2']);
    for (const { headers, json } of answers) {
      expect(headers.get('etag')).toBe(`W/"${json.meta.versionId}"`);
      expect(headers.get('last-modified')).toBe(new Date(json.meta.lastUpdated).toUTCString());
      expect(json.meta.lastUpdated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/);
    }
  });

  test('increases lastUpdated with each of many updates in one millisecond', async () => {
    const times: number[] = [Date.parse(record.json.meta.lastUpdated)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        server.send('PATCH', record.path, replace('/language', `x-${index}`)),
      ),
    );
    const byVersion = answers.map(({ json }) => json.meta).sort((a, b) => a.versionId - b.versionId);
    times.push(...byVersion.map(({ lastUpdated }) => Date.parse(lastUpdated)));
    expect(byVersion.map(({ versionId }) => versionId)).toEqual(answers.map((_, index) => String(index + 2)));
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
  });

  test('preserves digits on create, patch, update, search and history, and stores another digit', async () => {
    const digits = (firstNumber: string) =>
      `"x":{"a":${firstNumber},"b":12345678901234567890.10,"c":-0.0,"d":1E400}`;
    const bodyWith = (firstNumber: string) => `${text(type).slice(0, -1)},${digits(firstNumber)}}`;
    const patchTo = (firstNumber: string) => `[{"op":"replace","path":"/x/a","value":${firstNumber}}]`;
    const created = await server.send('POST', toPath(type), bodyWith('1.00'));
    const path = toPath(type, String(created.json.id));
    const answers = [
      [created, '1.00', 1],
      [await server.send('PATCH', path, patchTo('1.00')), '1.00', 1],
      [await server.send('PATCH', path, patchTo('1.0')), '1.0', 2],
      [await server.send('PUT', path, bodyWith('1.0')), '1.0', 2],
      [await server.send('PUT', path, bodyWith('1.000')), '1.000', 3],
      [await server.send('GET', path), '1.000', 3],
      [await server.send('GET', `${path}/_history/2`), '1.0', 2],
      [await server.send('GET', `${toPath(type)}?_id=${String(created.json.id)}`), '1.000', undefined],
    ] as const;
    for (const [answer, firstNumber, version] of answers) {
      expect(answer.text).toContain(digits(firstNumber));
      if (version !== undefined) expect(answer.headers.get('etag')).toBe(`W/"${version}"`);
    }
  });

  test('returns the URL of the version in Location on creates only', async () => {
    const location = record.answer.headers.get('location') ?? '';
    expect(location).toBe(`${server.origin}${record.path}/_history/1`);
    expect((await server.send('GET', location.slice(server.origin.length))).text).toBe(record.text);
    const updated = await server.send('PUT', record.path, text(type, { language: 'nb' }));
    expect(updated.headers.get('location')).toBeNull();
  });

  test.each(['minimal', 'representation', 'OperationOutcome'])(
    'honors Prefer: return=%s on create, update and patch',
    async (value) => {
      const headers = { Prefer: `return=${value}` };
      const answers = [
        [201, await server.send('POST', toPath(type), text(type), headers)],
        [200, await server.send('PUT', record.path, text(type, { language: 'nb' }), headers)],
        [200, await server.send('PATCH', record.path, replace('/language', 'nn'), headers)],
      ] as const;
      for (const [status, answer] of answers) {
        expect(answer.status).toBe(status);
        expect(answer.headers.get('content-type')).toContain('application/json');
        expect(answer.headers.get('etag')).toMatch(/^W\/"\d+"$/);
        expect(answer.headers.get('preference-applied')).toContain(`return=${value}`);
        if (value === 'minimal') expect(answer.text).toBe('');
        else expect(answer.json.resourceType).toBe(value === 'representation' ? type : 'OperationOutcome');
      }
    },
  );

  test('returns Preference-Applied only for a preference that it understands', async () => {
    const path = `${toPath(type)}?subject=a&colour=red`;
    const lenient = await server.send('GET', path, undefined, { Prefer: 'handling=lenient' });
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([200, 'handling=lenient']);
    expect((await server.send('GET', path, undefined, { Prefer: 'handling=strict' })).status).toBe(400);
    expect(record.answer.headers.get('preference-applied')).toBeNull();
    const unknownPreference = await server.send('POST', toPath(type), text(type), {
      Prefer: 'return=everything, x=y',
    });
    expect([
      unknownPreference.status,
      unknownPreference.json.resourceType,
      unknownPreference.headers.get('preference-applied'),
    ]).toEqual([201, type, null]);
  });

  test('returns searchsets with type, total, absolute self link, fullUrl and matches', async () => {
    const reference = `Patient/${randomUUID()}`;
    const { id } = await store(server, type, { subject: { reference } });
    const { json } = await server.send('GET', `${toPath(type)}?subject=${reference}&_count=5`);
    expect([json.resourceType, json.type, json.total]).toEqual(['Bundle', 'searchset', 1]);
    expect(json.entry).toMatchObject([
      { fullUrl: `${server.origin}${toPath(type, id)}`, search: { mode: 'match' }, resource: { id } },
    ]);
    const self = json.link.find(({ relation }: Json) => relation === 'self').url;
    expect(self.startsWith(`${server.origin}${toPath(type)}?`)).toBe(true);
    const selfResponse = await server.send('GET', self.slice(server.origin.length));
    expect(selfResponse.json.entry).toEqual(json.entry);
  });

  test.each(['', '/_history', '/ID', '/ID/_history', '/ID/_history/1'])(
    'returns the headers of GET and no body for HEAD of %s',
    async (suffix) => {
      const path = `${toPath(type)}${suffix.replace('ID', record.id)}?${suffix === '' ? 'subject=nobody' : ''}`;
      const get = await server.send('GET', path);
      const head = await server.send('HEAD', path);
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-type', 'etag', 'last-modified', 'cache-control', 'content-length']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
    },
  );

  test('returns 404 without a body for HEAD of an unknown ID', async () => {
    const head = await server.send('HEAD', toPath(type, unknownId));
    expect([head.status, head.text]).toEqual([404, '']);
    expect(head.headers.get('content-type')).toContain('application/json');
  });

  test('returns JSON with no-store and a unique request ID', async () => {
    const answers = await Promise.all([
      server.send('GET', record.path),
      server.send('GET', `${toPath(type)}?subject=a`),
      server.send('POST', toPath(type), text(type)),
      server.send('POST', toPath(type), text(type), { Prefer: 'return=minimal' }),
      server.send('PUT', record.path, text(type)),
      server.send('PATCH', record.path, '[]'),
      server.send('OPTIONS', record.path),
      server.send('GET', `${record.path}/_history`),
      server.send('GET', '/fhir-r4/v1/metadata'),
      server.send('GET', '/openapi.json'),
      server.send('GET', '/nowhere'),
      server.send('GET', toPath(type, unknownId)),
      server.send('POST', toPath(type), '{'),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toContain('application/json');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
    }
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(answers.length);
    expect(ids).not.toContain(null);
  });

  test('never echoes a sent value in an error', async () => {
    const canary = 'kanarifugl7';
    const c = encodeURIComponent(canary);
    const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
      rawClient.send({
        method,
        path,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body }),
      });
    const answers = await Promise.all([
      send('GET', toPath(type, c)),
      send('GET', `${record.path}/_history/${c}`),
      send('GET', `${record.path}/_history?_since=${c}`),
      send('GET', `${toPath(type)}?colour=${c}&subject=a`),
      send('GET', `${toPath(type)}?_count=${c}&subject=a`),
      send('GET', `${toPath(type)}?date=${c}&subject=a`),
      send('GET', `${toPath(type)}?_sort=${c}&subject=a`),
      send('GET', `${toPath(type)}?_cursor=${c}&subject=a`),
      send('GET', `${toPath(type)}?_format=${c}&subject=a`),
      send('GET', `/${c}/x`),
      send('GET', record.path, undefined, { Accept: `text/${canary}` }),
      send('GET', record.path, undefined, { Authorization: `Bearer ${canary}` }),
      send('GET', record.path, undefined, { Authorization: `${canary} x` }),
      send('GET', record.path, undefined, { Host: `${canary}.example` }),
      send('GET', record.path, undefined, { Origin: `http://${canary}.example` }),
      send('POST', toPath(type), text(type), { 'Content-Type': `text/${canary}` }),
      send('POST', toPath(type), text(type), { 'Content-Encoding': canary }),
      send('POST', toPath(type), text(type), { 'If-None-Exist': `colour=${canary}` }),
      send('PUT', record.path, text(type), { 'If-Match': canary }),
      send('POST', toPath(type), `{"a":"${canary}"`),
      send('POST', toPath(type), canary),
      send('POST', toPath(type), `"${canary}"`),
      send('POST', toPath(type), text(type, { resourceType: canary })),
      send('POST', toPath(type), `{"resourceType":"${type}","a":"${canary}","a":"${canary}"}`),
      send('POST', toPath(type), text(type, { [statusOf(type)]: canary })),
      send('POST', toPath(type), text(type, { language: `${canary} x` })),
      send('POST', toPath(type), text(type, { implicitRules: `${canary} x` })),
      send('POST', toPath(type), text(type, { subject: { reference: `#${canary}` } })),
      send('POST', toPath(type), text(type, { text: { status: 'additional', div: `<div>${canary}` } })),
      send('PUT', record.path, text(type, { id: canary })),
      send('PATCH', record.path, `"${canary}"`),
      send('PATCH', record.path, `[{"op":"${canary}","path":"/language","value":"a"}]`),
      send('PATCH', record.path, replace(canary, 'a')),
      send('PATCH', record.path, replace(`/${statusOf(type)}`, canary)),
      send('PATCH', record.path, replace('/meta/versionId', canary)),
      send(canary.toUpperCase(), record.path).catch(() => undefined),
    ]);
    for (const [index, answer] of answers.entries()) {
      if (!answer) continue;
      const { status, headers, text: body } = answer;
      const faults = listRejectionFaults({ status, header: (name) => headers[name] as string, text: body });
      expect([index, status >= 400 && status < 500, faults]).toEqual([index, true, []]);
      expect([index, `${body}${JSON.stringify(headers)}`.toLowerCase().includes(canary)]).toEqual([
        index,
        false,
      ]);
    }
  });
});

test.each([
  ['DELETE', '/fhir-r4/v1/CarePlan/x', 405, 'not-supported'],
  ['POST', '/fhir-r4/v1', 405, 'not-supported'],
  ['POST', '/fhir-r4/v1/', 405, 'not-supported'],
  ['POST', '/fhir-r4/v1/CarePlan/$everything', 404, 'not-supported'],
  ['GET', '/fhir-r4/v1/CarePlan/$everything', 404, 'not-supported'],
  ['GET', '/fhir-r4/v1/CarePlan/x/$everything', 404, 'not-supported'],
  ['POST', '/fhir-r4/v1/$validate', 404, 'not-supported'],
  ['GET', '/fhir-r4/v1/CarePlan?subject=%zz', 400, 'structure'],
])('responds to %s %s with %i %s', async (method, path, status, code) => {
  const answer = await server.send(method, path, method === 'POST' ? '{}' : undefined);
  expect([answer.status, answer.json.issue[0].code]).toEqual([status, code]);
  expect(answer.headers.has('allow')).toBe(status === 405);
});
