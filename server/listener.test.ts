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

/** Skips the host name check, because the certificate is valid only for 127.0.0.1. */
const withoutNameCheck = { checkServerIdentity: () => undefined };

/** Returns status and body of a response over TLS. The certificate is its own CA. */
async function sendTls(origin: string, options: RequestOptions = {}) {
  const ca = await readFile(cert, 'utf8');
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request(`${origin}/fhir-r4/v1/CarePlan?subject=a`, { ca, ...options })
      .once('error', reject)
      .once('response', (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode, body }));
      })
      .end();
  });
}

describe('with a certificate', () => {
  test('serves only HTTPS, with the same token, host and origin checks', async () => {
    const { origin } = await start('127.0.0.1');
    expect(origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await sendTls(origin, { headers })).status).toBe(200);
    expect((await sendTls(origin)).status).toBe(401);
    expect(
      (await sendTls(origin, { headers: { ...headers, Host: 'evil.example' }, ...withoutNameCheck })).status,
    ).toBe(403);
    expect((await sendTls(origin, { headers: { ...headers, Origin: 'https://evil.example' } })).status).toBe(
      403,
    );
    expect((await sendTls(origin, { headers: { ...headers, Origin: origin } })).status).toBe(200);
    await expect(sendTls(origin, { maxVersion: 'TLSv1.1' })).rejects.toThrow();
  });

  test('does not respond to plain HTTP on the TLS port', async () => {
    const { origin } = await start('127.0.0.1');
    const request = plainRequest(origin.replace('https', 'http'));
    await expect(
      new Promise((resolve, reject) => request.once('response', resolve).once('error', reject).end()),
    ).rejects.toThrow();
  });

  test('responds in JSON to an unsupported Expect header', async () => {
    const { origin } = await start('127.0.0.1');
    const response = await sendTls(origin, { headers: { Expect: 'nonsense' } });
    expect(response.status).toBe(417);
    expect(response.body).toContain('OperationOutcome');
  });

  test('listens on all addresses and accepts only the configured host names', async () => {
    const { origin } = await start('0.0.0.0', ['fhir.example.org']);
    expect(origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const headers = { Authorization: `Bearer ${token}` };
    expect(
      (await sendTls(origin, { headers: { ...headers, Host: 'fhir.example.org' }, ...withoutNameCheck }))
        .status,
    ).toBe(200);
    const { port } = new URL(origin);
    expect(
      (await sendTls(origin, { headers: { ...headers, Host: `0.0.0.0:${port}` }, ...withoutNameCheck }))
        .status,
    ).toBe(403);
  });

  test('accepts the configured address as its host name', async () => {
    const { origin } = await start('127.0.0.2');
    expect(origin).toMatch(/^https:\/\/127\.0\.0\.2:\d+$/);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await sendTls(origin, { headers, ...withoutNameCheck })).status).toBe(200);
    await expect(sendTls(origin, { headers })).rejects.toThrow();
  });
});

test('listens on no other loopback address than the configured one', async () => {
  const { origin } = await start('127.0.0.1');
  const socket = connect(Number(new URL(origin).port), '127.0.0.2');
  await expect(
    new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)),
  ).rejects.toThrow('ECONNREFUSED');
});

test('requires a certificate for an address that other computers can reach', () => {
  for (const address of ['0.0.0.0', '::', '192.0.2.1', '10.0.0.1', '2001:db8::1'])
    expect(() => createListener(() => undefined, address, undefined), address).toThrow(/needs a certificate/);
  for (const address of ['127.0.0.1', '127.0.0.2', '::1'])
    expect(() => createListener(() => undefined, address, undefined), address).not.toThrow();
});

describe('serve exits with 1 and a message', () => {
  const serve = (...flags: string[]) =>
    runCli(['serve', '--port', '0', '--data', join(folder, 'data'), ...flags]);

  test.each(['0.0.0.0', '::', '192.0.2.1'])('if --listen %s has no certificate', async (address) => {
    expect(await serve('--listen', address)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${address} is reachable from other computers and needs a certificate. Use --tls-cert and --tls-key.\n`,
    });
  });

  test('if --listen is not an address', async () => {
    expect((await serve('--listen', 'example.org')).stderr).toMatch(/^--listen: Enter an IP address/);
  });

  test('if certificate or key is missing, mismatched or accessible to others', async () => {
    expect((await serve('--tls-cert', cert)).stderr).toMatch(/Use --tls-cert and --tls-key together/);
    expect((await serve('--tls-cert', join(folder, 'no'), '--tls-key', key)).stderr).toMatch(
      /^--tls-cert: .*no doesn’t exist/,
    );
    await chmod(key, 0o640);
    expect((await serve('--tls-cert', cert, '--tls-key', key)).stderr).toMatch(/chmod 600/);
    await copyFile(join(certificates, 'other.key.pem'), key);
    await chmod(key, 0o600);
    const rejection = await serve('--tls-cert', cert, '--tls-key', key);
    expect(rejection).toMatchObject({ code: 1, stdout: '' });
    expect(rejection.stderr).toMatch(/must be PEM files and belong together/);
  });
});

test('keeps a connection open longer than it announces, to accept late requests', async () => {
  const httpListener = createListener(
    (_request, response) => void response.end('{}'),
    '127.0.0.1',
    undefined,
  );
  const origin = await listen(httpListener, { address: '127.0.0.1', port: 0 }, 'http');
  onTestFinished(() => stop(httpListener));
  const announcedTimeout = /timeout=(\d+)/.exec((await fetch(origin)).headers.get('keep-alive') ?? '')?.[1];
  expect(httpListener.keepAliveTimeout + httpListener.keepAliveTimeoutBuffer).toBeGreaterThanOrEqual(
    Number(announcedTimeout) * 1000 + 10_000,
  );
});

test('responds to a request during the stop and then closes its connection', async () => {
  const httpListener = createListener(
    (_request, response) => void response.end('{}'),
    '127.0.0.1',
    undefined,
  );
  const origin = await listen(httpListener, { address: '127.0.0.1', port: 0 }, 'http');
  const connection = once(httpListener, 'connection') as Promise<[Socket]>;
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
  const [serverSocket] = await connection;
  await expect.poll(() => serverSocket.bytesRead).toBeGreaterThan(0);
  const stopping = stop(httpListener);
  socket.write('\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/);
  await stopping;
});
