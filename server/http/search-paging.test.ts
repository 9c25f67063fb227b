import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const path = '/fhir-r4/v1/CarePlan';

async function store(subject: string): Promise<string> {
  const { json } = await server.send('POST', path, carePlan(`Patient/${subject}`));
  return String(json.id);
}

const findLink = (json: Json, relation: string): string | undefined =>
  json.link.find((link: Json) => link.relation === relation)?.url.slice(server.origin.length);
const listIds = (json: Json): string[] => json.entry.map((entry: Json) => entry.resource.id);

async function pagesFrom(firstAddress: string, betweenPages?: () => Promise<unknown>): Promise<Json[]> {
  const pages: Json[] = [];
  for (let address: string | undefined = firstAddress; address !== undefined;) {
    const { json, status }: Json = await server.send('GET', address);
    expect(status).toBe(200);
    pages.push(json);
    address = findLink(json, 'next');
    if (address !== undefined) await betweenPages?.();
  }
  return pages;
}

describe('paging', () => {
  test('links first, previous and next with all parameters and no next on the last page', async () => {
    for (let index = 0; index < 7; index += 1) await store('paged');
    const query = '?subject=paged&status=active&_sort=-date&_elements=title&_count=3';
    const pages = await pagesFrom(path + query);
    expect(pages.map(({ link }) => link.map((entry: Json) => entry.relation))).toEqual([
      ['self', 'first', 'next'],
      ['self', 'first', 'previous', 'next'],
      ['self', 'first', 'previous'],
    ]);
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7]);
    for (const { link } of pages) {
      for (const { url } of link) expect(decodeURIComponent(url)).toContain(query);
    }
    const back = await server.send('GET', findLink(pages[2], 'previous') ?? '');
    expect(listIds(back.json)).toEqual(listIds(pages[1]));
    const start = await server.send('GET', findLink(back.json, 'previous') ?? '');
    expect(listIds(start.json)).toEqual(listIds(pages[0]));
    expect(findLink(start.json, 'previous')).toBeUndefined();
    expect(listIds((await server.send('GET', findLink(back.json, 'first') ?? '')).json)).toEqual(
      listIds(pages[0]),
    );
  });

  test('returns each record once while other clients create and update', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) ids.push(await store('busy'));
    let round = 0;
    const changeRecords = () => {
      round += 1;
      const change = `[{"op":"replace","path":"/language","value":"x-${round}"}]`;
      const touched = [ids[round], ids[19 - round], ids[(round * 7) % 20]];
      return Promise.all([
        store('busy'),
        ...touched.map((id) => server.send('PATCH', `${path}/${id ?? ''}`, change)),
      ]);
    };
    for (const sort of ['', '&_sort=_lastUpdated', '&_sort=status']) {
      const pages = await pagesFrom(`${path}?subject=busy&_count=3${sort}`, changeRecords);
      const met = pages.flatMap(listIds);
      expect(new Set(met).size).toBe(met.length);
      expect(ids.filter((id) => !met.includes(id))).toEqual([]);
    }
  });

  test.each(['abc', 'WzFd', '%00', 'W10', 'bnVsbA'])(
    'rejects the foreign cursor %s with 400',
    async (cursor) => {
      const { status, json } = await server.send('GET', `${path}?subject=x&_cursor=${cursor}`);
      expect([status, json.issue[0].code, json.issue[0].location]).toEqual([400, 'value', ['http._cursor']]);
    },
  );

  test('rejects a cursor of another order with 400', async () => {
    const [page] = await pagesFrom(`${path}?subject=paged&_count=3`);
    const cursor = new URL(server.origin + (findLink(page, 'next') ?? '')).searchParams.get('_cursor') ?? '';
    const { status } = await server.send('GET', `${path}?subject=paged&_sort=date&_cursor=${cursor}`);
    expect(status).toBe(400);
  });
});

// Row 23 of docs/api-rows.md.
describe('history', () => {
  let id: string;
  beforeAll(async () => {
    id = await store('past');
    for (const language of ['nb', 'nn', 'en']) {
      await server.send(
        'PATCH',
        `${path}/${id}`,
        `[{"op":"replace","path":"/language","value":"${language}"}]`,
      );
    }
  });

  // Row 23 of docs/api-rows.md.
  test('lists the versions of a record, latest first, with request and response', async () => {
    const { json } = await server.send('GET', `${path}/${id}/_history`);
    expect(json).toMatchObject({ resourceType: 'Bundle', type: 'history', total: 4 });
    expect(json.entry.map((entry: Json) => entry.resource.meta.versionId)).toEqual(['4', '3', '2', '1']);
    expect(json.entry[0]).toMatchObject({
      fullUrl: `${server.origin}${path}/${id}`,
      request: { method: 'PATCH', url: `CarePlan/${id}` },
      response: { status: '200 OK', etag: 'W/"4"', lastModified: json.entry[0].resource.meta.lastUpdated },
    });
    expect(json.entry[3]).toMatchObject({
      request: { method: 'POST', url: 'CarePlan' },
      response: { status: '201 Created', etag: 'W/"1"' },
    });
    expect(json.link).toEqual([{ relation: 'self', url: `${server.origin}${path}/${id}/_history` }]);
  });

  // Row 24 of docs/api-rows.md.
  test('lists all versions of all records of a type', async () => {
    const otherId = await store('past');
    const pages = await pagesFrom(`${path}/_history?_count=7`, () => store('past'));
    const met = pages.flatMap(({ entry }) =>
      entry.map(({ resource }: Json) => `${resource.id}/${resource.meta.versionId}`),
    );
    expect(met[0]).toBe(`${otherId}/1`);
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual(expect.arrayContaining([1, 2, 3, 4].map((version) => `${id}/${version}`)));
    expect(met).toHaveLength(pages[0].total);
  });
});
