/**
 * Real servers on real files behind the page of a component's test. The test page's own server passes the API's requests
 * on, as `npm run dev` does; whose token a request bears tells to which of them, so that tests run side by side.
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

/** Of servers that are to answer later: what opens the way to them, and what waits for it. */
const held = new Map<string, { readonly open: () => void; readonly opened: Promise<unknown> }>();

/** Loaded by Node itself: what Vite bundles into its configuration would not find the server's threads. */
async function start(): Promise<TestServer> {
  const { href } = pathToFileURL(resolve(import.meta.dirname, '../../server/testing/test-server.ts'));
  const { startTestServer } = (await import(href)) as {
    startTestServer: (
      settings: object,
      log: (line: string) => void,
      further: { readonly atWindow: boolean },
    ) => Promise<TestServer>;
  };
  // What a server logs is of interest where the test fails for it, and the test sees the answer.
  return startTestServer({}, (line) => process.stderr.write(`${line}\n`), { atWindow: true });
}

/** Commands of the page's tests, by which they begin and end a server. */
export const serverCommands = {
  /** Starts a server on an empty store; the token that was made for it, and where it answers. */
  startServer: (async () => {
    const server = await start();
    const { token, origin } = server;
    servers.set(token, server);
    return { token, origin };
  }) satisfies BrowserCommand,
  /** Keeps requests on their way to a server until {@link serverCommands.releaseRequests}. */
  holdRequests: ((_context, token: string) => {
    const { promise, resolve: open } = Promise.withResolvers<undefined>();
    held.set(token, { open: () => open(undefined), opened: promise });
  }) satisfies BrowserCommand<[token: string]>,
  releaseRequests: ((_context, token: string) => {
    held.get(token)?.open();
    held.delete(token);
  }) satisfies BrowserCommand<[token: string]>,
  removeServer: (async (_context, token: string) => {
    held.get(token)?.open();
    held.delete(token);
    const server = servers.get(token);
    servers.delete(token);
    await server?.remove();
  }) satisfies BrowserCommand<[token: string]>,
};

const asked = new WeakMap<Page, Request[]>();

const said = new WeakMap<Page, string[]>();

/** Addresses that came to the test page's own server. */
let arrived: string[] = [];

/** How the browser tells of an address elsewhere that it looked for: no name below `.invalid` is ever found. */
const notFound = 'net::ERR_NAME_NOT_RESOLVED';

/** Commands by which a test learns what its page asks the network for, frames of it too. */
export const requestCommands = {
  /** Begins the list anew. */
  watchRequests: (({ page }) => {
    if (!asked.has(page)) page.on('request', (request) => asked.get(page)?.push(request));
    if (!said.has(page)) page.on('console', (message) => said.get(page)?.push(message.text()));
    asked.set(page, []);
    said.set(page, []);
    arrived = [];
  }) satisfies BrowserCommand,
  /**
   * Addresses since then: what arrived here, and what the browser looked for elsewhere. What a policy stopped is none of
   * them, although the browser may announce it at first.
   */
  requests: (({ page }) => {
    const sent = asked.get(page)?.filter((request) => request.failure()?.errorText === notFound) ?? [];
    return [...arrived, ...sent.map((request) => request.url())];
  }) satisfies BrowserCommand,
  /** What the console said since then, frames of the page included. */
  messages: (({ page }) => said.get(page) ?? []) satisfies BrowserCommand,
  /** Real records of a type, where this machine has them; all of them, or one of ten where the tests are to be short. */
  realRecords: ((_context, type: string, all = false) => {
    const folder = resolve(import.meta.dirname, '../../../shared/data', type);
    const oneOf = all || process.env.LONG_TESTS !== undefined ? 1 : 10;
    return (existsSync(folder) ? readdirSync(folder).sort() : [])
      .filter((_, at) => at % oneOf === 0)
      .map((name) => ({ name, text: readFileSync(resolve(folder, name), 'utf8') }));
  }) satisfies BrowserCommand<[type: string, all?: boolean]>,
};

/** Passes requests of the page on to the server whose token they bear; without one of them the answer is 401. */
export const pageServers: Plugin = {
  name: 'page-servers',
  configureServer({ middlewares }) {
    middlewares.use((incoming, response, next) => {
      arrived.push(incoming.url ?? '');
      if (/^\/(?:app|fhir-r4)\//.test(incoming.url ?? '')) void passOn(incoming, response);
      else next();
    });
  },
};

async function passOn(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = incoming.headers.authorization?.replace('Bearer ', '') ?? '';
  await held.get(token)?.opened;
  const server = servers.get(token);
  if (!server) {
    response.writeHead(401).end();
    return;
  }
  const { host } = new URL(server.origin);
  // The server refuses foreign origins; this is the same page under another port.
  const headers = { ...incoming.headers, host, ...(incoming.headers.origin && { origin: server.origin }) };
  const outgoing = request(server.origin + (incoming.url ?? ''), { method: incoming.method, headers });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
