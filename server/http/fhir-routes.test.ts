import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../core/api/contract.ts';
import { carePlan, composition, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const path = (type: string, id = '') => `/fhir-r4/v1/${type}${id === '' ? '' : `/${id}`}`;
const unknownId = '00000000-0000-4000-8000-000000000000';

async function storeRecord(type: 'CarePlan' | 'Composition', subject = 'Patient/stored') {
  const body = type === 'CarePlan' ? carePlan(subject) : composition(subject);
  const answer = await server.send('POST', path(type), body);
  return { id: String(answer.json.id), text: answer.text };
}

describe.each(['CarePlan', 'Composition'] as const)('%s', (type) => {
  test('creates with a new UUID, Location and ETag and ignores the sent id', async () => {
    const body = (type === 'CarePlan' ? carePlan : composition)('Patient/1').replace('{', '{"id":"mine",');
    const answer = await server.send('POST', path(type), body);
    expect(answer.status).toBe(201);
    expect(answer.json.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(answer.json.meta.versionId).toBe('1');
    expect(answer.headers.get('location')).toBe(`${server.origin}${path(type, answer.json.id)}/_history/1`);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  test('reads the created text byte for byte', async () => {
    const { id, text } = await storeRecord(type);
    const response = await server.send('GET', path(type, id));
    expect(response.status).toBe(200);
    expect(response.text).toBe(text);
    expect(new Date(response.headers.get('last-modified') ?? '').getTime()).not.toBeNaN();
  });

  test('updates a record under its id with the next version', async () => {
    const { id, text } = await storeRecord(type);
    const updateResponse = await server.send(
      'PUT',
      path(type, id),
      text.replace('"status":"', '"language":"nb","status":"'),
    );
    expect(updateResponse.status).toBe(200);
    expect(updateResponse.json).toMatchObject({ id, language: 'nb', meta: { versionId: '2' } });
    expect(updateResponse.headers.get('etag')).toBe('W/"2"');
  });

  test('accepts an update without an id and rejects another id with 400', async () => {
    const { id } = await storeRecord(type);
    const body = (type === 'CarePlan' ? carePlan : composition)('Patient/other');
    expect((await server.send('PUT', path(type, id), body)).json).toMatchObject({ id });
    const otherIdResponse = await server.send('PUT', path(type, id), body.replace('{', '{"id":"other",'));
    expect(otherIdResponse.status).toBe(400);
    expect(otherIdResponse.json.issue[0]).toMatchObject({ code: 'value', expression: [`${type}.id`] });
  });

  test('replaces one element with a patch, also a missing /language', async () => {
    const { id } = await storeRecord(type);
    const operation = JSON.stringify([{ op: 'replace', path: '/language', value: 'nn' }]);
    const answer = await server.send('PATCH', path(type, id), operation);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id, language: 'nn', meta: { versionId: '2' } });
  });

  test('returns a Bundle whose total is the number of entries for a search by subject', async () => {
    const subject = `searched-${type}`;
    const { id } = await storeRecord(type, `Patient/${subject}`);
    const answer = await server.send('GET', `${path(type)}?subject=${subject}`);
    expect(answer.json).toMatchObject({ resourceType: 'Bundle', type: 'searchset', total: 1 });
    expect(answer.json.entry).toHaveLength(1);
    expect(answer.json.entry[0]).toMatchObject({
      fullUrl: `${server.origin}${path(type, id)}`,
      resource: { resourceType: type, id },
      search: { mode: 'match' },
    });
  });

  test('returns an empty Bundle for a search without matches', async () => {
    const response = await server.send('GET', `${path(type)}?subject=nobody`);
    expect(response.json).toMatchObject({ total: 0, entry: [] });
  });

  test.each(['GET', 'PUT', 'PATCH'])('rejects %s of an unknown id with 404', async (method) => {
    const bodies: Record<string, string> = { PUT: carePlan('Patient/1'), PATCH: '[]' };
    const answer = await server.send(method, path(type, unknownId), bodies[method]);
    expect(answer.status).toBe(404);
    expect(answer.json.issue[0].code).toBe('not-found');
  });
});

test('rejects each operation without a token with 401 and an OperationOutcome', async () => {
  for (const { method, path: template } of routes.filter(({ access }) => access !== 'open')) {
    const address = `${server.origin}/fhir-r4/v1${template.replace(':type', 'CarePlan').replace(':id', unknownId)}`;
    const answer = await fetch(address, { method, ...(method !== 'GET' && { body: '{}' }) });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="fhir"');
    expect(await answer.json()).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ code: 'login' }],
    });
  }
});

test('rejects an unknown token with 401 invalid_token', async () => {
  const response = await server.send('GET', path('Composition'), undefined, {
    Authorization: 'Bearer wrong',
  });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('preserves digits on create, read, update, patch and search', async () => {
  const numbers = ',"x":1.00,"y":12345678901234567890.10,"z":-0.0,"e":1E400';
  const created = await server.send('POST', path('CarePlan'), carePlan('Patient/digits', numbers));
  const { id } = created.json;
  const patched = await server.send(
    'PATCH',
    path('CarePlan', id),
    '[{"op":"replace","path":"/x","value":2.50}]',
  );
  const updated = await server.send('PUT', path('CarePlan', id), patched.text.replace('active', 'on-hold'));
  const searchResponse = await server.send('GET', `${path('CarePlan')}?subject=digits`);
  expect(created.text).toContain('"x":1.00,"y":12345678901234567890.10,"z":-0.0,"e":1E400');
  for (const { text } of [patched, updated, searchResponse]) {
    expect(text).toContain('"x":2.50,"y":12345678901234567890.10,"z":-0.0,"e":1E400');
  }
});

test('stores no version for an unchanged PUT or PATCH, but for another digit', async () => {
  const { json, text } = await server.send('POST', path('CarePlan'), carePlan('Patient/same', ',"x":1.0'));
  expect((await server.send('PUT', path('CarePlan', json.id), text)).headers.get('etag')).toBe('W/"1"');
  const unchangedPatch = '[{"op":"replace","path":"/x","value":1.0}]';
  expect((await server.send('PATCH', path('CarePlan', json.id), unchangedPatch)).headers.get('etag')).toBe(
    'W/"1"',
  );
  const digit = '[{"op":"replace","path":"/x","value":1.00}]';
  expect((await server.send('PATCH', path('CarePlan', json.id), digit)).headers.get('etag')).toBe('W/"2"');
});

describe('If-Match', () => {
  test('accepts the current ETag and rejects a stale or malformed one', async () => {
    const { id, text } = await storeRecord('CarePlan');
    const change = (language: string, ifMatch: string) =>
      server.send(
        'PUT',
        path('CarePlan', id),
        text.replace('"status"', `"language":"${language}","status"`),
        {
          'If-Match': ifMatch,
        },
      );
    expect((await change('nb', 'W/"1"')).status).toBe(200);
    const stale = await change('nn', 'W/"1"');
    expect(stale.status).toBe(412);
    expect(stale.headers.get('etag')).toBe('W/"2"');
    expect(stale.json.issue[0]).toMatchObject({ code: 'conflict', location: ['http.If-Match'] });
    expect((await change('nn', 'three')).status).toBe(400);
    expect((await server.send('GET', path('CarePlan', id))).json.language).toBe('nb');
  });

  test('stores exactly one of 16 parallel updates with the same ETag', async () => {
    const { id, text } = await storeRecord('CarePlan');
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        server.send(
          'PUT',
          path('CarePlan', id),
          text.replace('"status"', `"language":"x-${index}","status"`),
          {
            'If-Match': 'W/"1"',
          },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 15 }, () => 412),
    ]);
  });

  test('stores all of 16 parallel updates without If-Match', async () => {
    const { id, text } = await storeRecord('CarePlan');
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        server.send(
          'PUT',
          path('CarePlan', id),
          text.replace('"status"', `"language":"x-${index}","status"`),
        ),
      ),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(16);
  });
});

describe('search', () => {
  test.each([
    'Patient/form',
    'Group/form',
    'urn:uuid:form',
    'http://host.example/fhir/Patient/form',
    'Patient/form/_history/3',
    'form',
  ])('a bare id finds a subject written as %s', async (literal) => {
    const id = randomUUID();
    await server.send('POST', path('CarePlan'), carePlan(literal.replace('form', id)));
    expect((await server.send('GET', `${path('CarePlan')}?subject=${id}`)).json.total).toBe(1);
    const otherSearch = await server.send('GET', `${path('CarePlan')}?subject=${id}x`);
    expect(otherSearch.json.total).toBe(0);
  });

  test('excludes groups for patient and filters by type for a typed literal', async () => {
    await server.send('POST', path('CarePlan'), carePlan('Group/herd'));
    const total = async (query: string) =>
      (await server.send('GET', `${path('CarePlan')}?${query}`)).json.total;
    expect(await total('patient=herd')).toBe(0);
    expect(await total('subject=Patient/herd')).toBe(0);
    expect(await total('subject=Group/herd')).toBe(1);
    expect(await total('subject=nobody,herd')).toBe(1);
  });

  test('narrows by encounter and finds Compositions by encounter', async () => {
    await server.send('POST', path('Composition'), composition('Patient/visitor', 'Encounter/v1'));
    await server.send('POST', path('Composition'), composition('Patient/visitor', 'urn:uuid:v2'));
    const total = async (query: string) =>
      (await server.send('GET', `${path('Composition')}?${query}`)).json.total;
    expect(await total('subject=visitor')).toBe(2);
    expect(await total('subject=visitor&encounter=v2')).toBe(1);
    expect(await total('encounter=v1')).toBe(1);
  });

  test('rejects an unknown parameter with 400', async () => {
    const response = await server.send('GET', `${path('CarePlan')}?subject=x&colour=red`);
    expect(response.json.issue[0]).toMatchObject({ code: 'not-supported', location: ['http.colour'] });
  });

  test('pages through each record once, latest first', async () => {
    for (let index = 0; index < 7; index += 1) await storeRecord('CarePlan', 'Patient/paged');
    const ids: string[] = [];
    let address: string | undefined = `${path('CarePlan')}?subject=paged&_count=3`;
    while (address !== undefined) {
      const { json } = await server.send('GET', address);
      expect(json.total).toBe(7);
      ids.push(...json.entry.map((entry: { resource: { id: string } }) => entry.resource.id));
      const next: { url: string } | undefined = json.link.find(
        (link: { relation: string }) => link.relation === 'next',
      );
      address = next?.url.slice(server.origin.length);
    }
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
  });
});
