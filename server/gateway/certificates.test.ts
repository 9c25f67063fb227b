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

test('a certificate of an authority of its own is trusted with the CA file alone', async () => {
  const peer = await startSecure('loopback');
  const trusting = await connect(server, { baseUrl: peer.origin, caFile: pathOf('loopback') });
  expect((await trusting.send('GET', '/CarePlan/a')).status).toBe(200);
  for (const others of [{}, { caFile: pathOf('other') }]) {
    const answer = await (
      await connect(server, { baseUrl: peer.origin, ...others })
    ).send('PUT', '/CarePlan/a', '{}');
    expect(answer.status).toBe(502);
    expect(answer.json.issue[0].details.text).toContain('signed by no authority that is known here');
    expect(answer.headers.get('x-chartkeeper-unconfirmed')).toBeNull();
  }
  expect(peer.seen).toHaveLength(1);
  await peer.close();
});

test.each([
  ['other', 'was made for another name'],
  ['expired', 'has expired'],
])('a certificate that does not fit is refused, trusted authority or not: %s', async (name, sentence) => {
  const peer = await startSecure(name);
  const there = await connect(server, { baseUrl: peer.origin, caFile: pathOf(name) });
  const answer = await there.send('GET', '/CarePlan/a');
  expect([answer.status, answer.json.issue[0].details.text]).toEqual([
    502,
    expect.stringContaining(sentence),
  ]);
  expect(peer.seen).toHaveLength(0);
  await peer.close();
});

test('the certificate is checked even where the environment says otherwise', async () => {
  const peer = await startSecure('loopback');
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    const there = await connect(server, { baseUrl: peer.origin });
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(502);
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
  await peer.close();
});

test.each([
  ['a path that is not whole', 'ca.pem', 'Name the CA file with its whole path.'],
  [
    'a file that is not there',
    '/nowhere/ca.pem',
    'The CA file cannot be read: it is not there, or this account may not read it.',
  ],
  ['a folder', folder, 'The CA file is no plain file of at most 1 MB.'],
  [
    'a private key',
    resolve(folder, 'loopback.key.pem'),
    'The CA file holds no certificate in PEM form (BEGIN CERTIFICATE).',
  ],
  ['a device', '/dev/zero', 'The CA file is no plain file of at most 1 MB.'],
])('%s is no CA file', async (_what, caFile, sentence) => {
  const body = JSON.stringify({ name: 'x', baseUrl: 'https://fhir.example', caFile });
  const answer = await server.send('POST', '/app/connections', body);
  expect([answer.status, answer.json.issue]).toEqual([
    400,
    [expect.objectContaining({ details: { text: sentence }, expression: ['caFile'] })],
  ]);
});
