/** Rows 17 to 24 of docs/api-rows.md: read, conditional read, vread and history. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createRawClient, type RawClient } from './testing/ask.ts';
import { expectRejection } from './testing/outcome.ts';
import {
  toPath,
  getOtherType,
  sample,
  store,
  types,
  unknownId,
  type StoredRecord,
  type Type,
} from './testing/records.ts';

let server: TestServer;
let rawClient: RawClient;
beforeAll(async () => {
  server = await startTestServer();
  rawClient = createRawClient(server);
});
afterAll(async () => {
  rawClient.close();
  await server.remove();
});

const get = (path: string, headers?: Record<string, string>) => server.send('GET', path, undefined, headers);

/** Stores three versions of a record with the languages nb, nn and se. */
async function storeThreeVersions(type: Type): Promise<StoredRecord & { readonly versions: string[] }> {
  const firstVersion = await store(server, type, { language: 'nb' });
  const versions = [firstVersion.text];
  for (const language of ['nn', 'se']) {
    const body = JSON.stringify(sample(type, { language }));
    versions.push((await server.send('PUT', firstVersion.path, body)).text);
  }
  return { ...firstVersion, versions };
}

describe.each(types)('%s', (type) => {
  let record: StoredRecord;
  beforeEach(async () => {
    record = await store(server, type, { language: 'nb' });
  });

  // Row 17 of docs/api-rows.md.
  test('returns 200 with the text and headers of the create', async () => {
    const { status, headers, text } = await get(record.path);
    expect([status, text]).toEqual([200, record.text]);
    for (const name of ['etag', 'last-modified', 'content-type']) {
      expect([name, headers.get(name)]).toEqual([name, record.answer.headers.get(name)]);
    }
  });

  // Row 18 of docs/api-rows.md.
  test('returns 404 not-found for an unknown ID', async () => {
    expectRejection(await get(toPath(type, unknownId)), { status: 404, code: 'not-found' });
  });

  // Row 18 of docs/api-rows.md.
  test('returns 404 not-found for the ID of a record of another type', async () => {
    const otherType = getOtherType(type);
    expectRejection(await get(toPath(otherType, record.id)), { status: 404, code: 'not-found' });
  });

  // Row 19 of docs/api-rows.md.
  test.each([
    'x',
    '1',
    'a%20b',
    'a%2Fb',
    '%00',
    '%F0%9F%A6%8A',
    "'%20OR%201=1",
    '%25',
    'x'.repeat(4000),
    '!',
  ])('returns 404 not-found for the ID %s', async (id) => {
    const { status, text } = await rawClient.send({ method: 'GET', path: toPath(type, id) });
    expect([status, JSON.parse(text).issue[0].code]).toEqual([404, 'not-found']);
  });

  // Row 19 of docs/api-rows.md.
  test.each(['%', '%zz', '%e9', '%c3%28', '%ff', 'a%2'])(
    'returns 400 structure for the invalid escape in %s',
    async (id) => {
      const { status, text } = await rawClient.send({ method: 'GET', path: toPath(type, id) });
      expect([status, JSON.parse(text).issue[0].code]).toEqual([400, 'structure']);
    },
  );

  // Row 21 of docs/api-rows.md.
  test.each(['W/"1"', '"1"', 'W/"9", W/"1"', '*', 'W/"1-gzip"', '"1--gzip"'])(
    'returns 304 with the ETag and no body for If-None-Match: %s',
    async (tags) => {
      const { status, headers, text } = await get(record.path, { 'If-None-Match': tags });
      expect([status, text, headers.get('etag')]).toEqual([304, '', 'W/"1"']);
    },
  );

  // Row 21 of docs/api-rows.md.
  test.each(['W/"2"', 'W/"11"', '"x"', 'W/"2-gzip"'])('returns 200 for If-None-Match: %s', async (tags) => {
    expect((await get(record.path, { 'If-None-Match': tags })).status).toBe(200);
  });

  // Row 21 of docs/api-rows.md.
  test('returns 304 for If-Modified-Since at and after Last-Modified, 200 before', async () => {
    const time = Date.parse(record.answer.headers.get('last-modified') ?? '');
    const since = async (seconds: number) => {
      const date = new Date(time + seconds * 1000).toUTCString();
      return get(record.path, { 'If-Modified-Since': date });
    };
    const [responseBefore, responseAt, responseAfter] = [await since(-1), await since(0), await since(60)];
    expect([responseBefore.status, responseAt.status, responseAfter.status]).toEqual([200, 304, 304]);
    expect([responseAt.text, responseAfter.text]).toEqual(['', '']);
  });

  // Row 21 of docs/api-rows.md.
  test('prefers If-None-Match to If-Modified-Since, and ignores invalid dates', async () => {
    const date = record.answer.headers.get('last-modified') ?? '';
    const headers = { 'If-None-Match': 'W/"2"', 'If-Modified-Since': date };
    expect((await get(record.path, headers)).status).toBe(200);
    for (const invalidDate of ['yesterday', '2094-11-06', '2094-11-06T08:49:37Z', '4000000000000']) {
      expect((await get(record.path, { 'If-Modified-Since': invalidDate })).status).toBe(200);
    }
  });

  // Row 60 of docs/api-rows.md.
  test.each(['', '/_history/1'])(
    'ignores an unknown parameter of a read%s only with handling=lenient',
    async (suffix) => {
      const path = `${record.path}${suffix}?colour=red`;
      expectRejection(await get(path), { status: 400, code: 'not-supported', location: 'http.colour' });
      expect((await get(path, { Prefer: 'handling=lenient' })).text).toBe(record.text);
    },
  );

  // Row 22 of docs/api-rows.md.
  test('returns each version as stored, with its ETag', async () => {
    const { path, versions } = await storeThreeVersions(type);
    for (const [index, text] of versions.entries()) {
      const answer = await get(`${path}/_history/${index + 1}`);
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([
        200,
        text,
        `W/"${index + 1}"`,
      ]);
    }
  });

  // Row 22 of docs/api-rows.md.
  test.each(['2', '0', '-1', '01', '1.0', 'x', '99999999999999999999', '%31x'])(
    'returns 404 not-found for the version %s of a record with one version',
    async (version) => {
      const answer = await get(`${record.path}/_history/${version}`);
      expectRejection(answer, { status: 404, code: 'not-found' });
    },
  );

  // Row 22 of docs/api-rows.md.
  test('returns 404 not-found for a version of an unknown ID', async () => {
    expectRejection(await get(`${toPath(type, unknownId)}/_history/1`), { status: 404, code: 'not-found' });
  });

  // Row 23 of docs/api-rows.md.
  test('returns each version in the history of a record, latest first', async () => {
    const { path, id, versions } = await storeThreeVersions(type);
    const { status, json } = await get(`${path}/_history`);
    expect([status, json.resourceType, json.type, json.total]).toEqual([200, 'Bundle', 'history', 3]);
    expect(json.entry.map(({ resource }: Json) => resource)).toEqual(
      versions.toReversed().map((versionText) => JSON.parse(versionText)),
    );
    for (const entry of json.entry) {
      expect(entry.fullUrl).toBe(`${server.origin}${toPath(type, id)}`);
      expect(entry.search).toBeUndefined();
    }
    expect(json.entry.map(({ request }: Json) => request?.method)).toEqual(['PUT', 'PUT', 'POST']);
    expect(json.entry.map(({ response }: Json) => response?.etag)).toEqual(['W/"3"', 'W/"2"', 'W/"1"']);
  });

  // Row 23 of docs/api-rows.md.
  test('pages the history by _count, each version once', async () => {
    const { path } = await storeThreeVersions(type);
    const versionIds: string[] = [];
    let next: string | undefined = `${path}/_history?_count=2`;
    for (let page = 0; next !== undefined && page < 5; page += 1) {
      const { json } = await get(next);
      expect(json.total).toBe(3);
      versionIds.push(...json.entry.map(({ resource }: Json) => resource.meta.versionId));
      const link = json.link.find(({ relation }: Json) => relation === 'next');
      next = link?.url.slice(server.origin.length);
    }
    expect(versionIds).toEqual(['3', '2', '1']);
    expect((await get(`${path}/_history?_count=0`)).json).toMatchObject({ total: 3, entry: [] });
  });

  // Row 23 of docs/api-rows.md.
  test('leaves versions before _since out', async () => {
    const { path, versions } = await storeThreeVersions(type);
    const { lastUpdated } = JSON.parse(versions[1] ?? '').meta;
    const { json } = await get(`${path}/_history?_since=${encodeURIComponent(lastUpdated)}`);
    expect(json.entry.map(({ resource }: Json) => resource.meta.versionId)).toEqual(['3', '2']);
    const futureHistory = await get(`${path}/_history?_since=2999-01-01T00:00:00Z`);
    expect([futureHistory.status, futureHistory.json.total, futureHistory.json.entry]).toEqual([200, 0, []]);
  });

  // Row 23 of docs/api-rows.md.
  test.each(['_since=yesterday', '_since=', '_count=-1', '_count=x', '_cursor=x'])(
    'returns 400 value for %s',
    async (query) => {
      const location = `http.${query.split('=')[0]}`;
      expectRejection(await get(`${record.path}/_history?${query}`), {
        status: 400,
        code: 'value',
        location,
      });
    },
  );

  // Row 23 of docs/api-rows.md.
  test('returns 400 for an unknown parameter and 404 for the history of an unknown ID', async () => {
    for (const query of ['colour=red', '_sort=date'])
      expectRejection(await get(`${record.path}/_history?${query}`), { status: 400, code: 'not-supported' });
    expectRejection(await get(`${toPath(type, unknownId)}/_history`), { status: 404, code: 'not-found' });
  });

  // Row 24 of docs/api-rows.md.
  test('returns only versions of the type in its history', async () => {
    const { id } = await storeThreeVersions(type);
    const { status, json } = await get(`${toPath(type)}/_history`);
    expect([status, json.type, json.total]).toEqual([200, 'history', json.entry.length]);
    const resources = json.entry.map(({ resource }: Json) => resource);
    expect(new Set(resources.map(({ resourceType }: Json) => resourceType))).toEqual(new Set([type]));
    const versionIds = resources
      .filter((resource: Json) => resource.id === id)
      .map((resource: Json) => resource.meta.versionId);
    expect(versionIds).toEqual(['3', '2', '1']);
    const times = resources.map((resource: Json) => resource.meta.lastUpdated);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

// Row 24 of docs/api-rows.md.
test('returns 404 not-supported for the history of the whole system', async () => {
  expectRejection(await get('/fhir-r4/v1/_history'), { status: 404, code: 'not-supported' });
});
