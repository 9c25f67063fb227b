/** Runs two public FHIR clients against the running server. */
import { MedplumClient, OperationOutcomeError } from '@medplum/core';
import { Client } from 'fhir-kit-client';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { sample, statusOf, types, unknownId, uuid } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const failure = (promise: Promise<unknown>): Promise<Json> =>
  promise.then(
    () => {
      throw new Error('This was to fail.');
    },
    (error: unknown) => error,
  );

describe.each(types)('fhir-kit-client with %s', (resourceType) => {
  let client: Client;
  const headers = (etag: string) => ({ options: { headers: { 'If-Match': etag } } });
  beforeAll(() => {
    client = new Client({ baseUrl: `${server.origin}/fhir-r4/v1`, bearerToken: server.token });
  });
  const create = (members: Json = {}): Promise<Json> =>
    client.create({ resourceType, body: sample(resourceType, members) });

  test('creates, reads, updates, patches and reads versions', async () => {
    const created = await create();
    expect(created).toMatchObject({
      resourceType,
      id: expect.stringMatching(uuid),
      meta: { versionId: '1' },
    });
    const { id } = created;
    expect(await client.read({ resourceType, id })).toEqual(created);
    const updated: Json = await client.update({ resourceType, id, body: { ...created, language: 'nb' } });
    expect(updated).toMatchObject({ id, language: 'nb', meta: { versionId: '2' } });
    const jsonPatch: Json = [{ op: 'replace', path: '/language', value: 'nn' }];
    const patched: Json = await client.patch({ resourceType, id, jsonPatch });
    expect(patched).toMatchObject({ id, language: 'nn', meta: { versionId: '3' } });
    expect(await client.vread({ resourceType, id, version: '2' })).toEqual(updated);
    const history: Json = await client.history({ resourceType, id });
    expect([history.type, history.total]).toEqual(['history', 3]);
  });

  test('searches and pages forwards and backwards', async () => {
    const subject = randomUUID();
    for (let index = 0; index < 5; index += 1) await create({ subject: { reference: `Patient/${subject}` } });
    let bundle: Json = await client.search({ resourceType, searchParams: { subject, _count: '2' } });
    const pages = [];
    for (; bundle; bundle = await client.nextPage({ bundle })) {
      expect(bundle.total).toBe(5);
      pages.push(bundle);
      if (!bundle.link.some(({ relation }: Json) => relation === 'next')) break;
    }
    expect(pages.map(({ entry }) => entry.length)).toEqual([2, 2, 1]);
    const foundIds = pages.flatMap(({ entry }) => entry.map(({ resource }: Json) => resource.id));
    expect(new Set(foundIds).size).toBe(5);
    const previousPage: Json = await client.prevPage({ bundle: pages[1] });
    expect(previousPage.entry).toEqual(pages[0].entry);
    const posted: Json = await client.resourceSearch({
      resourceType,
      searchParams: { subject },
      options: { postSearch: true },
    });
    expect(posted.total).toBe(5);
  });

  test('receives 404, 412 and 400 as errors with an OperationOutcome', async () => {
    const missing = await failure(client.read({ resourceType, id: unknownId }));
    expect([missing.response.status, missing.response.data.issue[0].code]).toEqual([404, 'not-found']);
    const { id } = await create();
    const body = sample(resourceType, { id, language: 'nb' });
    await client.update({ resourceType, id, body, ...headers('W/"1"') });
    const stale = await failure(client.update({ resourceType, id, body, ...headers('W/"1"') }));
    expect([stale.response.status, stale.response.data.issue[0].code]).toEqual([412, 'conflict']);
    const wrong = await failure(create({ [statusOf(resourceType)]: 'wrong' }));
    expect([wrong.response.status, wrong.response.data.resourceType]).toEqual([400, 'OperationOutcome']);
  });

  test('reads the capability statement and the SMART configuration', async () => {
    const statement: Json = await client.capabilityStatement();
    expect(statement.fhirVersion).toBe('4.0.1');
    const smart: Json = await client.smartAuthMetadata();
    expect(String(smart.tokenUrl)).toBe(`${server.origin}/oauth2/token`);
  });
});

describe.each(types)('@medplum/core with %s', (resourceType) => {
  let client: MedplumClient;
  beforeAll(() => {
    client = new MedplumClient({ baseUrl: server.origin, fhirUrlPath: 'fhir-r4/v1', fetch, cacheTime: 0 });
    client.setAccessToken(server.token);
  });
  const create = (members: Json = {}): Promise<Json> => client.createResource(sample(resourceType, members));

  test('creates, reads, updates, patches and reads versions', async () => {
    const created = await create();
    expect(created).toMatchObject({
      resourceType,
      id: expect.stringMatching(uuid),
      meta: { versionId: '1' },
    });
    const { id } = created;
    expect(await client.readResource(resourceType, id)).toEqual(created);
    const updated: Json = await client.updateResource({ ...created, language: 'nb' });
    expect(updated).toMatchObject({ id, language: 'nb', meta: { versionId: '2' } });
    const unchanged: Json = await client.updateResource(updated);
    expect(unchanged.meta.versionId).toBe('2');
    const patched: Json = await client.patchResource(resourceType, id, [
      { op: 'replace', path: '/language', value: 'nn' },
    ]);
    expect(patched).toMatchObject({ id, language: 'nn', meta: { versionId: '3' } });
    expect(await client.readVersion(resourceType, id, '2')).toEqual(updated);
    expect((await client.readHistory(resourceType, id)).total).toBe(3);
    expect((await client.validateResource(patched)).resourceType).toBe('OperationOutcome');
  });

  test('searches and pages forwards', async () => {
    const subject = randomUUID();
    for (let index = 0; index < 5; index += 1) await create({ subject: { reference: `Patient/${subject}` } });
    const sizes: number[] = [];
    const foundIds = new Set<string>();
    for await (const page of client.searchResourcePages(resourceType, { subject, _count: '2' })) {
      sizes.push(page.length);
      for (const { id } of page) foundIds.add(id);
    }
    expect([sizes, foundIds.size]).toEqual([[2, 2, 1], 5]);
    const [latestRecord] = await client.searchResources(
      resourceType,
      `subject=${subject}&_sort=-_lastUpdated`,
    );
    expect(foundIds).toContain(latestRecord?.id);
  });

  test('creates once with createResourceIfNoneExist', async () => {
    const reference = `Patient/${randomUUID()}`;
    const resource = sample(resourceType, { subject: { reference } });
    const created: Json = await client.createResourceIfNoneExist(resource, `subject=${reference}`);
    const existing: Json = await client.createResourceIfNoneExist(resource, `subject=${reference}`);
    expect(existing).toEqual(created);
  });

  test('receives 404, 412 and 400 as OperationOutcomeError', async () => {
    const missing = await failure(client.readResource(resourceType, unknownId));
    expect(missing).toBeInstanceOf(OperationOutcomeError);
    expect(missing.outcome.issue[0].code).toBe('not-found');
    const { id } = await create();
    const body = sample(resourceType, { id, language: 'nb' });
    const options = { headers: { 'If-Match': 'W/"1"' } };
    await client.updateResource(body, options);
    const stale = await failure(client.updateResource({ ...body, language: 'nn' }, options));
    expect([stale.constructor, stale.outcome.issue[0].code]).toEqual([OperationOutcomeError, 'conflict']);
    const wrong = await failure(create({ [statusOf(resourceType)]: 'wrong' }));
    expect(wrong.outcome.issue[0]).toMatchObject({
      code: 'code-invalid',
      expression: [`${resourceType}.${statusOf(resourceType)}`],
    });
  });
});
