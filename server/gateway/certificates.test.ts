import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { honest, startPeer } from './testing/peer.ts';

const folder = resolve(import.meta.dirname, 'testing/certificates');
const pathOf = (name: string) => resolve(folder, `${name}.cert.pem`);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

function startSecure(name: string) {
  const tls = { key: readFileSync(resolve(folder, `${name}.key.pem`)), cert: readFileSync(pathOf(name)) };
  return startPeer(honest, tls);
}

test('trusts a certificate of a private authority only with the CA file', async () => {
  const peer = await startSecure('loopback');
  const trusting = await connect(server, { baseUrl: peer.origin, caFile: pathOf('loopback') });
  expect((await trusting.send('GET', '/CarePlan/a')).status).toBe(200);
  for (const otherSettings of [{}, { caFile: pathOf('other') }]) {
    const response = await (
      await connect(server, { baseUrl: peer.origin, ...otherSettings })
    ).send('PUT', '/CarePlan/a', '{}');
    expect(response.status).toBe(502);
    expect(response.json.issue[0].details.text).toContain('from an unknown authority');
    expect(response.headers.get('x-chartkeeper-unconfirmed')).toBeNull();
  }
  expect(peer.requests).toHaveLength(1);
  await peer.close();
});

test.each([
  ['other', 'is for another host name'],
  ['expired', 'has expired'],
])('rejects an invalid certificate of any authority: %s', async (name, sentence) => {
  const peer = await startSecure(name);
  const connected = await connect(server, { baseUrl: peer.origin, caFile: pathOf(name) });
  const response = await connected.send('GET', '/CarePlan/a');
  expect([response.status, response.json.issue[0].details.text]).toEqual([
    502,
    expect.stringContaining(sentence),
  ]);
  expect(peer.requests).toHaveLength(0);
  await peer.close();
});

test('verifies certificates even if the environment disables it', async () => {
  const peer = await startSecure('loopback');
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    const connected = await connect(server, { baseUrl: peer.origin });
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(502);
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
  await peer.close();
});

test.each([
  ['a path that is not whole', 'ca.pem', 'Enter the full path of the CA file.'],
  [
    'a file that is not there',
    '/nowhere/ca.pem',
    'Can’t read the CA file: it doesn’t exist, or you don’t have permission.',
  ],
  ['a folder', folder, 'The CA file must be a regular file of at most 1 MB.'],
  [
    'a private key',
    resolve(folder, 'loopback.key.pem'),
    'The CA file has no PEM certificate (BEGIN CERTIFICATE).',
  ],
  ['a device', '/dev/zero', 'The CA file must be a regular file of at most 1 MB.'],
])('rejects %s as CA file', async (_description, caFile, sentence) => {
  const body = JSON.stringify({ name: 'x', baseUrl: 'https://fhir.example', caFile });
  const response = await server.send('POST', '/app/connections', body);
  expect([response.status, response.json.issue]).toEqual([
    400,
    [
      expect.objectContaining({
        details: expect.objectContaining({ text: sentence }),
        expression: ['caFile'],
      }),
    ],
  ]);
});
