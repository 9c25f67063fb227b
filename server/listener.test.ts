import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createToken } from './access/secret.ts';
import { createListener, listen, stop, certificateIn } from './listener.ts';
import { startServer, type RunningServer } from './start.ts';
import { runCli } from './testing/run-cli.ts';

const certificates = resolve(import.meta.dirname, 'gateway/testing/certificates');

let folder: string;
let cert: string;
let key: string;
let server: RunningServer | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-listen-'));
  [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await copyFile(join(certificates, 'loopback.cert.pem'), cert);
  await copyFile(join(certificates, 'loopback.key.pem'), key);
  await chmod(key, 0o600);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

const token = createToken();

async function start(listen: string, allowHosts: string[] = []): Promise<RunningServer> {
  const certificate = await certificateIn(cert, key);
  const options = { dataDir: join(folder, 'data'), port: 0, token, pageFolder: folder, log: () => undefined };
  server = await startServer({ ...options, certificate, settings: { listen, allowHosts } });
  return server;
}

/** The certificate is for 127.0.0.1 alone. */
const anyName = { checkServerIdentity: () => undefined };

/** Status and body of an answer over TLS, the certificate checked against itself. */
async function ask(origin: string, options: RequestOptions = {}) {
  const ca = await readFile(cert, 'utf8');
  return new Promise<{ status: number | undefined; body: string }>((answered, reject) => {
    request(`${origin}/fhir-r4/v1/CarePlan?subject=a`, { ca, ...options })
      .once('error', reject)
      .once('response', (response) => {
        void text(response).then((body) => answered({ status: response.statusCode, body }));
      })
      .end();
  });
}

describe('with a certificate', () => {
  test('HTTPS alone is spoken, behind the same guards', async () => {
    const { origin } = await start('127.0.0.1');
    expect(origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await ask(origin, { headers })).status).toBe(200);
    expect((await ask(origin)).status).toBe(401);
    expect((await ask(origin, { headers: { ...headers, Host: 'evil.example' }, ...anyName })).status).toBe(
      403,
    );
    expect((await ask(origin, { headers: { ...headers, Origin: 'https://evil.example' } })).status).toBe(403);
    expect((await ask(origin, { headers: { ...headers, Origin: origin } })).status).toBe(200);
    await expect(ask(origin, { maxVersion: 'TLSv1.1' })).rejects.toThrow();
  });

  test('a plain request to its port is no request: nothing of it is answered', async () => {
    const { origin } = await start('127.0.0.1');
    const sent = plainRequest(origin.replace('https', 'http'));
    await expect(
      new Promise((answered, reject) => sent.once('response', answered).once('error', reject).end()),
    ).rejects.toThrow();
  });

  test('what never becomes a request is answered in JSON here too', async () => {
    const { origin } = await start('127.0.0.1');
    const answer = await ask(origin, { headers: { Expect: 'nonsense' } });
    expect(answer.status).toBe(417);
    expect(answer.body).toContain('OperationOutcome');
  });

  test('all addresses of the machine are listened on, under the names that were given', async () => {
    const { origin } = await start('0.0.0.0', ['fhir.example.org']);
    expect(origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const headers = { Authorization: `Bearer ${token}` };
    expect(
      (await ask(origin, { headers: { ...headers, Host: 'fhir.example.org' }, ...anyName })).status,
    ).toBe(200);
    const { port } = new URL(origin);
    expect((await ask(origin, { headers: { ...headers, Host: `0.0.0.0:${port}` }, ...anyName })).status).toBe(
      403,
    );
  });

  test('an address that is named is a name of the server', async () => {
    const { origin } = await start('127.0.0.2');
    expect(origin).toMatch(/^https:\/\/127\.0\.0\.2:\d+$/);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await ask(origin, { headers, ...anyName })).status).toBe(200);
    await expect(ask(origin, { headers })).rejects.toThrow();
  });
});

test('without --listen other addresses of the machine are not listened on', async () => {
  const { origin } = await start('127.0.0.1');
  const socket = connect(Number(new URL(origin).port), '127.0.0.2');
  await expect(
    new Promise((done, reject) => socket.once('connect', done).once('error', reject)),
  ).rejects.toThrow('ECONNREFUSED');
});

test('an address that other machines reach is not listened on without a certificate', () => {
  for (const address of ['0.0.0.0', '::', '192.0.2.1', '10.0.0.1', '2001:db8::1'])
    expect(() => createListener(() => undefined, address, undefined), address).toThrow(/needs a certificate/);
  for (const address of ['127.0.0.1', '127.0.0.2', '::1'])
    expect(() => createListener(() => undefined, address, undefined), address).not.toThrow();
});

describe('serve ends with 1 and a sentence', () => {
  const serve = (...flags: string[]) =>
    runCli(['serve', '--port', '0', '--data', join(folder, 'data'), ...flags]);

  test.each(['0.0.0.0', '::', '192.0.2.1'])('where --listen %s has no certificate', async (address) => {
    expect(await serve('--listen', address)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${address} is reachable from other computers and needs a certificate. Use --tls-cert and --tls-key.\n`,
    });
  });

  test('where --listen is no address', async () => {
    expect((await serve('--listen', 'example.org')).stderr).toMatch(/^--listen: Enter an IP address/);
  });

  test('where certificate or key is missing, open to others, or of another pair', async () => {
    expect((await serve('--tls-cert', cert)).stderr).toMatch(/Use --tls-cert and --tls-key together/);
    expect((await serve('--tls-cert', join(folder, 'no'), '--tls-key', key)).stderr).toMatch(
      /^--tls-cert: .*no doesn’t exist/,
    );
    await chmod(key, 0o640);
    expect((await serve('--tls-cert', cert, '--tls-key', key)).stderr).toMatch(/chmod 600/);
    await copyFile(join(certificates, 'other.key.pem'), key);
    await chmod(key, 0o600);
    const refused = await serve('--tls-cert', cert, '--tls-key', key);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/must be PEM files and belong together/);
  });
});

test('a connection is held for longer than its client is told, so that no late request is cut off', async () => {
  const plain = createListener((_request, response) => void response.end('{}'), '127.0.0.1', undefined);
  const origin = await listen(plain, { address: '127.0.0.1', port: 0 }, 'http');
  onTestFinished(() => stop(plain));
  const told = /timeout=(\d+)/.exec((await fetch(origin)).headers.get('keep-alive') ?? '')?.[1];
  expect(plain.keepAliveTimeout + plain.keepAliveTimeoutBuffer).toBeGreaterThanOrEqual(
    Number(told) * 1000 + 10_000,
  );
});

test('a request that comes while the server stops is answered, and its connection is closed behind it', async () => {
  const plain = createListener((_request, response) => void response.end('{}'), '127.0.0.1', undefined);
  const origin = await listen(plain, { address: '127.0.0.1', port: 0 }, 'http');
  const opened = once(plain, 'connection') as Promise<[Socket]>;
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
  const [held] = await opened;
  await expect.poll(() => held.bytesRead).toBeGreaterThan(0);
  const stopped = stop(plain);
  socket.write('\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/);
  await stopped;
});
