/**
 * Tests the gateway with a third-party FHIR server: directly and through the proxy of a hospital network.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect, type Connected } from './testing/connect.ts';
import { startForeignServer, type ForeignServer } from './testing/foreign-server.ts';
import { clientCertificates, demanding, keyFile, passphrase } from './testing/identities.ts';
import { startProxy, type ConnectProxy } from './testing/proxy.ts';

const straight = {};
const { locked, pkcs12 } = clientCertificates;

describe.each([
  ['straight', straight],
  ['through a proxy with a password, by a client certificate', { clientCertificate: locked }],
  ['through a proxy with a password, by a PKCS#12 file', { clientCertificate: pkcs12 }],
])('%s', (_way, settings) => {
  let server: TestServer;
  let foreign: ForeignServer;
  let proxy: ConnectProxy;
  let connected: Connected;
  beforeAll(async () => {
    server = await startTestServer();
    proxy = await startProxy('ward', 'canary-of-the-proxy');
    if (settings === straight) {
      foreign = await startForeignServer();
      connected = await connect(server, { baseUrl: foreign.baseUrl });
      return;
    }
    foreign = await startForeignServer(demanding());
    connected = await connect(
      server,
      {
        baseUrl: foreign.baseUrl,
        caFile: keyFile('loopback.cert.pem'),
        ...settings,
        proxy: { kind: 'address', url: proxy.url, user: 'ward' },
      },
      undefined,
      { proxy: 'canary-of-the-proxy', certificate: passphrase },
    );
  });
  afterAll(async () => {
    expect(proxy.openedTunnels.length > 0).toBe(settings !== straight);
    await Promise.all([server.remove(), foreign.close(), proxy.close()]);
  });

  test('creates, reads, changes and patches a record, rejects a stale write and lists the history', async () => {
    const created = await connected.send('POST', '/CarePlan', carePlan('Patient/p1'));
    expect(created.status).toBe(201);
    const { id } = created.json;
    const etag = created.headers.get('etag') ?? '';
    expect(etag).toBe(`W/"${created.json.meta.versionId}"`);
    const versionPath = `/app/connections/${connected.id}/fhir-r4/v1/CarePlan/${id}/_history/${created.json.meta.versionId}`;
    expect(created.headers.get('location')).toBe(server.origin + versionPath);
    expect((await server.send('GET', versionPath)).json).toEqual(created.json);
    const changedText = JSON.stringify({ ...created.json, status: 'on-hold' });
    const update = await connected.send('PUT', `/CarePlan/${id}`, changedText, { 'If-Match': etag });
    expect([update.status, update.json.status]).toEqual([200, 'on-hold']);
    const stale = await connected.send('PUT', `/CarePlan/${id}`, changedText, { 'If-Match': etag });
    expect([stale.status, stale.json.resourceType]).toEqual([412, 'OperationOutcome']);
    const operations = '[{"op":"replace","path":"/status","value":"completed"}]';
    const patch = await connected.send('PATCH', `/CarePlan/${id}`, operations, {
      'If-Match': update.headers.get('etag') ?? '',
    });
    expect([patch.status, patch.json.status]).toEqual([200, 'completed']);
    expect((await connected.send('GET', `/CarePlan/${id}/_history`)).json.entry).toHaveLength(3);
    expect((await connected.send('GET', '/CarePlan/nobody')).status).toBe(404);
  });

  test('reads further pages at the base through the gateway', async () => {
    for (let n = 0; n < 5; n += 1) await connected.send('POST', '/CarePlan', carePlan('Patient/paged'));
    const ids: string[] = [];
    let page = await connected.send('GET', '/CarePlan?subject=Patient/paged&_count=2');
    for (;;) {
      ids.push(...page.json.entry.map((entry: any) => entry.resource.id));
      const next = page.json.link?.find((link: any) => link.relation === 'next')?.url;
      if (next === undefined) break;
      expect(next).toContain('/fhir?_getpages=');
      page = await server.send(
        'GET',
        `/app/connections/${connected.id}/page?link=${encodeURIComponent(next)}`,
      );
      expect(page.status).toBe(200);
    }
    expect(new Set(ids).size).toBe(5);
  });

  test('reports the server software in a test', async () => {
    const { json } = await server.send('POST', `/app/connections/${connected.id}/test`);
    const announcedFeatures = {
      versioning: 'versioned',
      patch: true,
      history: true,
      create: true,
      update: true,
    };
    expect(json).toEqual({
      ok: true,
      ms: expect.any(Number),
      software: 'Medplum in memory',
      version: '5.2.13',
      fhirVersion: '4.0.1',
      formats: ['application/fhir+json'],
      types: { CarePlan: announcedFeatures, Composition: announcedFeatures },
      remarks: [],
      remarkMessages: [],
      steps: expect.any(Array),
    });
  });
});
