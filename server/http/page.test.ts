import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../start.ts';
import { getCopyFolder } from './page.ts';

const script = 'export const text = "text";';

let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-page-'));
  const pageFolder = join(folder, 'page');
  await mkdir(pageFolder);
  await writeFile(join(pageFolder, '.hidden'), 'hidden');
  await writeFile(join(pageFolder, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(pageFolder, 'code.js'), 'export {};');
  await mkdir(join(pageFolder, 'assets'));
  await writeFile(join(pageFolder, 'assets/picture-Cd34.png'), 'picture');
  await writeFile(join(pageFolder, 'assets/code-Ab12.js'), script);
  for (const [encoding, copy] of [
    ['br', brotliCompressSync(script)],
    ['gzip', gzipSync(script)],
  ] as const) {
    const copyFolder = join(getCopyFolder(pageFolder, encoding), 'assets');
    await mkdir(copyFolder, { recursive: true });
    await writeFile(join(copyFolder, 'code-Ab12.js'), copy);
  }
  const options = { port: 0, token: 'a-token-of-the-test', log: () => undefined };
  server = await startServer({ ...options, dataDir: join(folder, 'data'), pageFolder });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Sends a request. Unlike fetch, it changes neither path nor headers, and does not decompress. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(server.origin);
  const sentRequest = request({ hostname, port, path, headers, method }).end();
  const [answer] = (await once(sentRequest, 'response')) as [IncomingMessage];
  return { statusCode: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

function decompress(bytes: Buffer, encoding: string | undefined): string {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** Returns the directives of a policy by name. */
function parseDirectives(policy: string | null): Record<string, string> {
  const parts = (policy ?? '').split(';').map((part) => part.trim().split(' '));
  return Object.fromEntries(parts.map(([name = '', ...sources]) => [name, sources.join(' ')]));
}

test.each(['/', '/index.html', '/code.js', '/assets/code-Ab12.js'])(
  'restricts %s to scripts and sources of the page itself',
  async (path) => {
    const { status, headers } = await fetch(server.origin + path);
    expect(status).toBe(200);
    const policy = parseDirectives(headers.get('content-security-policy'));
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    // Inline styles are required by the editor. Nothing else is relaxed, and no source is another host.
    for (const [name, sources] of Object.entries(policy)) {
      if (name !== 'style-src') expect(sources, name).not.toMatch(/unsafe|\*|http/);
    }
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  },
);

const noStore = 'no-store';
const immutable = 'public, max-age=31536000, immutable';

test.each([
  ['/', noStore],
  ['/code.js', noStore],
  ['/nowhere', noStore],
  ['/assets/nowhere-Ab12.js', noStore],
  ['/fhir-r4/v1/metadata', noStore],
  ['/app/overview', noStore],
  ['/assets/code-Ab12.js', immutable],
  ['/assets/picture-Cd34.png', immutable],
])(
  'limits caching and forbids framing, sniffing and cross-site reads of %s: %s',
  async (path, cacheControl) => {
    const { headers } = await fetch(server.origin + path);
    expect(headers.get('cache-control')).toBe(cacheControl);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['*', 'br'],
  ['deflate', undefined],
  ['identity', undefined],
])('sends the smallest copy that the browser accepts: %s', async (accepted, encoding) => {
  const { statusCode, headers, bytes } = await send('/assets/code-Ab12.js', { 'Accept-Encoding': accepted });
  expect(statusCode).toBe(200);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers['content-length']).toBe(String(bytes.length));
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(headers.vary).toContain('Accept-Encoding');
  expect(decompress(bytes, encoding)).toBe(script);
});

test('sends a file without a copy as it is', async () => {
  const { headers, bytes } = await send('/assets/picture-Cd34.png', { 'Accept-Encoding': 'br' });
  expect(headers['content-encoding']).toBeUndefined();
  expect(bytes.toString()).toBe('picture');
});

test('sends only the head of an asset, and a part of it', async () => {
  const head = await send('/assets/code-Ab12.js', {}, 'HEAD');
  expect(head).toMatchObject({ statusCode: 200, headers: { 'content-length': String(script.length) } });
  expect(head.bytes).toHaveLength(0);
  const part = await send('/assets/code-Ab12.js', { Range: 'bytes=-5' });
  expect(part).toMatchObject({ statusCode: 206, headers: { 'cache-control': immutable } });
  expect(part.bytes.toString()).toBe(script.slice(-5));
});

test('refuses other methods than GET and HEAD', async () => {
  const { statusCode, headers } = await send('/', {}, 'POST');
  expect(statusCode).toBe(401);
  expect(headers['content-type']).toContain('application/json');
});

test('keeps running when a file is removed while the server runs', async () => {
  const removed = join(folder, 'page/assets/removed-Ef56.js');
  await writeFile(removed, script);
  expect(await send('/assets/removed-Ef56.js')).toMatchObject({ statusCode: 200 });
  await rm(removed);
  expect(await send('/assets/removed-Ef56.js')).toMatchObject({ headers: { 'cache-control': noStore } });
  expect(await send('/assets/code-Ab12.js')).toMatchObject({ statusCode: 200 });
});

test.each([
  '/../data/records.db',
  '/%2e%2e/data/records.db',
  '/..%2fdata/records.db',
  '/.hidden',
  '/.br/assets/code-Ab12.js',
])('serves no path outside the page or hidden: %s', async (path) => {
  const { statusCode, headers } = await send(path);
  expect(statusCode).not.toBe(200);
  expect(headers['content-type']).toContain('application/json');
});

test('rejects a range outside a compressed file without the headers of the file', async () => {
  const { statusCode, headers, bytes } = await send('/assets/code-Ab12.js', {
    'accept-encoding': 'br',
    range: 'bytes=9999-',
  });
  expect(statusCode).toBe(400);
  expect([headers['content-encoding'], headers['cache-control']]).toEqual([undefined, 'no-store']);
  expect(JSON.parse(bytes.toString())).toMatchObject({ resourceType: 'OperationOutcome' });
});
