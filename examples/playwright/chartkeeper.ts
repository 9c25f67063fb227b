/**
 * Provides a Chartkeeper for each worker, and a page for each test: signed in, with the original demo clinic.
 */
import { test as base } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Fixed time of the server and the page, so that the same records are overdue in each run. */
export const now = '2026-01-15T09:00:00Z';

const program = process.env.CHARTKEEPER ?? resolve(import.meta.dirname, '../../dist/server/cli.js');

/** Sends a request to the server. Returns the JSON of the response, or undefined if it is empty. */
type Ask = (method: string, path: string, body?: unknown) => Promise<any>;

export const test = base.extend<object, { ask: Ask }>({
  ask: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-example-'));
      const demo = ['--demo', '--seed', '7', '--clock', now];
      const server = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', folder, ...demo], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { origin, hash } = new URL(await readPrintedLink(server.stdout));
      const send = (token: string): Ask => {
        return async (method, path, body) => {
          const response = await fetch(origin + path, {
            method,
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          const text = await response.text();
          if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
          return text === '' ? undefined : JSON.parse(text);
        };
      };
      const session = await send('')('POST', '/app/sign-in', { code: hash.replace('#code=', '') });
      await use(send(session.token));
      server.kill();
      await once(server, 'exit');
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  page: async ({ page, ask }, use) => {
    await resetServer(ask);
    await page.clock.setFixedTime(now);
    const { link } = await ask('POST', '/app/sign-in-codes', {});
    await page.goto(link);
    await use(page);
  },
});

/** Restores the records of the seed in their first version, without drafts and open tabs. */
async function resetServer(ask: Ask): Promise<void> {
  const { others: otherRecords } = await ask('GET', '/app/training');
  await ask('POST', '/app/training/reset', { others: otherRecords });
  await ask('POST', '/app/training/clean');
  for (const { id } of await ask('GET', '/app/drafts')) await ask('DELETE', `/app/drafts/${id}`);
  await ask('PUT', '/app/session', { tabs: [], active: -1, recent: [] });
}

async function readPrintedLink(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const link = /^Open (\S+)$/.exec(line)?.[1];
    if (link !== undefined) {
      output.resume();
      return link;
    }
  }
  throw new Error('Chartkeeper ended before it printed its link.');
}

export { expect } from '@playwright/test';
