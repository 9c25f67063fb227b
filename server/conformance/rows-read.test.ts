/** Rows 17 to 24 of the specification: read, conditional read, vread and history. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { asker, type Asker } from './testing/ask.ts';
import { expectRefusal } from './testing/outcome.ts';
import { at, otherThan, sample, store, types, unknownId, type Stored, type Type } from './testing/records.ts';

let server: TestServer;
let below: Asker;
beforeAll(async () => {
  server = await startTestServer();
  below = asker(server);
});
afterAll(async () => {
  below.close();
  await server.remove();
});

const get = (path: string, headers?: Record<string, string>) => server.send('GET', path, undefined, headers);

/** Three versions of a record: language nb, then nn, then se. */
async function threeVersions(type: Type): Promise<Stored & { readonly versions: string[] }> {
  const first = await store(server, type, { language: 'nb' });
  const versions = [first.text];
  for (const language of ['nn', 'se']) {
    const body = JSON.stringify(sample(type, { language }));
    versions.push((await server.send('PUT', first.path, body)).text);
  }
  return { ...first, versions };
}

describe.each(types)('%s', (type) => {
  let record: Stored;
  beforeEach(async () => {
    record = await store(server, type, { language: 'nb' });
  });

  test('row 17: a record that is there is 200, as create answered it', async () => {
    const { status, headers, text } = await get(record.path);
    expect([status, text]).toEqual([200, record.text]);
    for (const name of ['etag', 'last-modified', 'content-type']) {
      expect([name, headers.get(name)]).toEqual([name, record.answer.headers.get(name)]);
    }
  });

  test('row 18: an unknown id is 404 not-found', async () => {
    expectRefusal(await get(at(type, unknownId)), { status: 404, code: 'not-found' });
  });

  test('row 18: the id of a record of the other type is 404 not-found', async () => {
    const other = otherThan(type);
    expectRefusal(await get(at(other, record.id)), { status: 404, code: 'not-found' });
  });

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
  ])('row 19: the id %s is 404 not-found', async (id) => {
    const { status, text } = await below.ask({ method: 'GET', path: at(type, id) });
    expect([status, JSON.parse(text).issue[0].code]).toEqual([404, 'not-found']);
  });

  test.each(['%', '%zz', '%e9', '%c3%28', '%ff', 'a%2'])(
    'row 19: the escape in %s that cannot be decoded is 400 structure',
    async (id) => {
      const { status, text } = await below.ask({ method: 'GET', path: at(type, id) });
      expect([status, JSON.parse(text).issue[0].code]).toEqual([400, 'structure']);
    },
  );

  test.each(['W/"1"', '"1"', 'W/"9", W/"1"', '*', 'W/"1-gzip"', '"1--gzip"'])(
    'row 21: If-None-Match: %s is 304 without a body, with the ETag',
    async (tags) => {
      const { status, headers, text } = await get(record.path, { 'If-None-Match': tags });
      expect([status, text, headers.get('etag')]).toEqual([304, '', 'W/"1"']);
    },
  );

  test.each(['W/"2"', 'W/"11"', '"x"', 'W/"2-gzip"'])('row 21: If-None-Match: %s is 200', async (tags) => {
    expect((await get(record.path, { 'If-None-Match': tags })).status).toBe(200);
  });

  test('row 21: If-Modified-Since is 304 at and after Last-Modified, 200 before', async () => {
    const time = Date.parse(record.answer.headers.get('last-modified') ?? '');
    const since = async (seconds: number) => {
      const date = new Date(time + seconds * 1000).toUTCString();
      return get(record.path, { 'If-Modified-Since': date });
    };
    const [before, same, after] = [await since(-1), await since(0), await since(60)];
    expect([before.status, same.status, after.status]).toEqual([200, 304, 304]);
    expect([same.text, after.text]).toEqual(['', '']);
  });

  test('row 21: If-None-Match stands above If-Modified-Since; a date that is none is ignored', async () => {
    const date = record.answer.headers.get('last-modified') ?? '';
    const headers = { 'If-None-Match': 'W/"2"', 'If-Modified-Since': date };
    expect((await get(record.path, headers)).status).toBe(200);
    for (const none of ['yesterday', '2094-11-06', '2094-11-06T08:49:37Z', '4000000000000']) {
      expect((await get(record.path, { 'If-Modified-Since': none })).status).toBe(200);
    }
  });

  test.each(['', '/_history/1'])(
    'row 60: a read%s ignores an unknown parameter when lenient alone',
    async (below) => {
      const path = `${record.path}${below}?colour=red`;
      expectRefusal(await get(path), { status: 400, code: 'not-supported', location: 'http.colour' });
      expect((await get(path, { Prefer: 'handling=lenient' })).text).toBe(record.text);
    },
  );

  test('row 22: each version is answered as it was stored, with its ETag', async () => {
    const { path, versions } = await threeVersions(type);
    for (const [index, text] of versions.entries()) {
      const answer = await get(`${path}/_history/${index + 1}`);
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([
        200,
        text,
        `W/"${index + 1}"`,
      ]);
    }
  });

  test.each(['2', '0', '-1', '01', '1.0', 'x', '99999999999999999999', '%31x'])(
    'row 22: the version %s of a record with one is 404 not-found',
    async (version) => {
      const answer = await get(`${record.path}/_history/${version}`);
      expectRefusal(answer, { status: 404, code: 'not-found' });
    },
  );

  test('row 22: a version of an unknown id is 404 not-found', async () => {
    expectRefusal(await get(`${at(type, unknownId)}/_history/1`), { status: 404, code: 'not-found' });
  });

  test('row 23: the history of a record has each version, newest first', async () => {
    const { path, id, versions } = await threeVersions(type);
    const { status, json } = await get(`${path}/_history`);
    expect([status, json.resourceType, json.type, json.total]).toEqual([200, 'Bundle', 'history', 3]);
    expect(json.entry.map(({ resource }: Json) => resource)).toEqual(
      versions.toReversed().map((one) => JSON.parse(one)),
    );
    for (const entry of json.entry) {
      expect(entry.fullUrl).toBe(`${server.origin}${at(type, id)}`);
      expect(entry.search).toBeUndefined();
    }
    expect(json.entry.map(({ request }: Json) => request?.method)).toEqual(['PUT', 'PUT', 'POST']);
    expect(json.entry.map(({ response }: Json) => response?.etag)).toEqual(['W/"3"', 'W/"2"', 'W/"1"']);
  });

  test('row 23: _count pages the history, each version once', async () => {
    const { path } = await threeVersions(type);
    const seen: string[] = [];
    let next: string | undefined = `${path}/_history?_count=2`;
    for (let page = 0; next !== undefined && page < 5; page += 1) {
      const { json } = await get(next);
      expect(json.total).toBe(3);
      seen.push(...json.entry.map(({ resource }: Json) => resource.meta.versionId));
      const link = json.link.find(({ relation }: Json) => relation === 'next');
      next = link?.url.slice(server.origin.length);
    }
    expect(seen).toEqual(['3', '2', '1']);
  });

  test('row 23: _since leaves older versions out', async () => {
    const { path, versions } = await threeVersions(type);
    const { lastUpdated } = JSON.parse(versions[1] ?? '').meta;
    const { json } = await get(`${path}/_history?_since=${encodeURIComponent(lastUpdated)}`);
    expect(json.entry.map(({ resource }: Json) => resource.meta.versionId)).toEqual(['3', '2']);
    const later = await get(`${path}/_history?_since=2999-01-01T00:00:00Z`);
    expect([later.status, later.json.total, later.json.entry]).toEqual([200, 0, []]);
  });

  test.each(['_since=yesterday', '_since=', '_count=-1', '_count=x'])(
    'row 23: %s is 400 value',
    async (query) => {
      const location = `http.${query.split('=')[0]}`;
      expectRefusal(await get(`${record.path}/_history?${query}`), { status: 400, code: 'value', location });
    },
  );

  test('row 23: an unknown parameter is 400, the history of an unknown id 404', async () => {
    expectRefusal(await get(`${record.path}/_history?colour=red`), { status: 400, code: 'not-supported' });
    expectRefusal(await get(`${at(type, unknownId)}/_history`), { status: 404, code: 'not-found' });
  });

  test('row 24: the history of a type holds its versions and none of the other type', async () => {
    const { id } = await threeVersions(type);
    const { status, json } = await get(`${at(type)}/_history`);
    expect([status, json.type, json.total]).toEqual([200, 'history', json.entry.length]);
    const found = json.entry.map(({ resource }: Json) => resource);
    expect(new Set(found.map(({ resourceType }: Json) => resourceType))).toEqual(new Set([type]));
    const own = found.filter((one: Json) => one.id === id).map((one: Json) => one.meta.versionId);
    expect(own).toEqual(['3', '2', '1']);
    const times = found.map((one: Json) => one.meta.lastUpdated);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

test('row 24: the history of the whole system is 404 not-supported', async () => {
  expectRefusal(await get('/fhir-r4/v1/_history'), { status: 404, code: 'not-supported' });
});
