/**
 * Real servers on real files for the component tests. The server of the test page forwards API requests, as
 * `npm run dev` does. The token of a request selects the server, so that tests can run in parallel.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {} from '@vitest/browser-playwright';
import type { Page, Request } from 'playwright';
import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import type { TestServer } from '../../server/testing/test-server.ts';

const servers = new Map<string, TestServer>();

/** Servers with delayed requests: a function that releases the requests, and a promise of the release. */
const delays = new Map<string, { readonly open: () => void; readonly released: Promise<unknown> }>();

/**
 * Node itself must load the module: in Vite's bundled configuration, the workers of the server would not be
 * found.
 */
async function start(): Promise<TestServer> {
  const { href } = pathToFileURL(resolve(import.meta.dirname, '../../server/testing/test-server.ts'));
  const { startTestServer } = (await import(href)) as {
    startTestServer: (
      settings: object,
      log: (line: string) => void,
      options: { readonly atWindow: boolean },
    ) => Promise<TestServer>;
  };
  // The log of a server explains failures of its test.
  return startTestServer({}, (line) => process.stderr.write(`${line}\n`), { atWindow: true });
}

/** Commands of the page's tests to start and stop a server. */
export const serverCommands = {
  /** Starts a server on an empty store. Returns its token and its origin. */
  startServer: (async () => {
    const server = await start();
    const { token, origin } = server;
    servers.set(token, server);
    return { token, origin };
  }) satisfies BrowserCommand,
  /** Delays requests to a server until {@link serverCommands.releaseRequests}. */
  holdRequests: ((_context, token: string) => {
    const { promise, resolve: open } = Promise.withResolvers<undefined>();
    delays.set(token, { open: () => open(undefined), released: promise });
  }) satisfies BrowserCommand<[token: string]>,
  releaseRequests: ((_context, token: string) => {
    delays.get(token)?.open();
    delays.delete(token);
  }) satisfies BrowserCommand<[token: string]>,
  removeServer: (async (_context, token: string) => {
    delays.get(token)?.open();
    delays.delete(token);
    const server = servers.get(token);
    servers.delete(token);
    await server?.remove();
  }) satisfies BrowserCommand<[token: string]>,
};

const requestsByPage = new WeakMap<Page, Request[]>();

const messagesByPage = new WeakMap<Page, string[]>();

/** Addresses that the server of the test page received. */
let receivedUrls: string[] = [];

/** Error of the browser for an external address. Names below `.invalid` never resolve. */
const nameNotResolved = 'net::ERR_NAME_NOT_RESOLVED';

/** Commands that return the network requests of a page, including its frames. */
export const requestCommands = {
  /** Clears the recorded requests and messages. */
  watchRequests: (({ page }) => {
    if (!requestsByPage.has(page)) page.on('request', (request) => requestsByPage.get(page)?.push(request));
    if (!messagesByPage.has(page))
      page.on('console', (message) => messagesByPage.get(page)?.push(message.text()));
    requestsByPage.set(page, []);
    messagesByPage.set(page, []);
    receivedUrls = [];
  }) satisfies BrowserCommand,
  /**
   * Returns the addresses since then: those received here, and external ones that the browser tried to
   * resolve. Requests stopped by a policy are not included, although the browser may announce them first.
   */
  requests: (({ page }) => {
    const externalRequests =
      requestsByPage.get(page)?.filter((request) => request.failure()?.errorText === nameNotResolved) ?? [];
    return [...receivedUrls, ...externalRequests.map((request) => request.url())];
  }) satisfies BrowserCommand,
  /** Returns the console messages since then, including messages of frames. */
  messages: (({ page }) => messagesByPage.get(page) ?? []) satisfies BrowserCommand,
  /** Returns the real records of a type if this machine has them: all, or every tenth in short runs. */
  realRecords: ((_context, type: string, includeAll = false) => {
    const folder = resolve(import.meta.dirname, '../../../shared/data', type);
    const step = includeAll || process.env.LONG_TESTS !== undefined ? 1 : 10;
    return (existsSync(folder) ? readdirSync(folder).sort() : [])
      .filter((_, index) => index % step === 0)
      .map((name) => ({ name, text: readFileSync(resolve(folder, name), 'utf8') }));
  }) satisfies BrowserCommand<[type: string, all?: boolean]>,
};

/** Forwards requests of the page to the server of their token. Responds 401 without a server. */
export const pageServers: Plugin = {
  name: 'page-servers',
  configureServer({ middlewares }) {
    middlewares.use((incoming, response, next) => {
      receivedUrls.push(incoming.url ?? '');
      if (/^\/(?:app|fhir-r4)\//.test(incoming.url ?? '')) void forwardRequest(incoming, response);
      else next();
    });
  },
};

async function forwardRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = incoming.headers.authorization?.replace('Bearer ', '') ?? '';
  await delays.get(token)?.released;
  const server = servers.get(token);
  if (!server) {
    response.writeHead(401).end();
    return;
  }
  const { host } = new URL(server.origin);
  // The server rejects foreign origins. This is the same page at another port.
  const headers = { ...incoming.headers, host, ...(incoming.headers.origin && { origin: server.origin }) };
  const outgoing = request(server.origin + (incoming.url ?? ''), { method: incoming.method, headers });
  outgoing.on('response', (serverResponse) => {
    response.writeHead(serverResponse.statusCode ?? 502, serverResponse.headers);
    serverResponse.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
