import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../start.ts';

let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-page-'));
  const pageFolder = join(folder, 'page');
  await mkdir(pageFolder);
  await writeFile(join(pageFolder, '.hidden'), 'hidden');
  await writeFile(join(pageFolder, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(pageFolder, 'code.js'), 'export {};');
  const options = { port: 0, token: 'a-token-of-the-test', log: () => undefined };
  server = await startServer({ ...options, dataDir: join(folder, 'data'), pageFolder });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Returns the directives of a policy by name. */
function parseDirectives(policy: string | null): Record<string, string> {
  const parts = (policy ?? '').split(';').map((part) => part.trim().split(' '));
  return Object.fromEntries(parts.map(([name = '', ...sources]) => [name, sources.join(' ')]));
}

test.each(['/', '/index.html', '/code.js'])(
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

test.each(['/', '/code.js', '/nowhere', '/fhir-r4/v1/metadata', '/app/overview'])(
  'forbids caching, framing, sniffing and cross-site reads of %s',
  async (path) => {
    const { headers } = await fetch(server.origin + path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);

test.each(['/../data/records.db', '/%2e%2e/data/records.db', '/..%2fdata/records.db', '/.hidden'])(
  'serves no path outside the page or hidden: %s',
  async (path) => {
    const { hostname, port } = new URL(server.origin);
    // Unlike fetch, `request` sends the path unchanged.
    const sentRequest = request({ hostname, port, path }).end();
    const [answer] = (await once(sentRequest, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).not.toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
  },
);
