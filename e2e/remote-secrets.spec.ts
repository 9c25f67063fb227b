/** Secrets of other servers: typed once, stored only by the gateway. */
import type { CDPSession, Page, Request } from '@playwright/test';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { proxyTo, startIdentityProvider } from '../server/gateway/testing/identity-provider.ts';
import { expect, test } from './fixtures.ts';
import { Connections } from './remote-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';

const canary = 'canary-secret-7f3a91c2';

/** Returns every string in the memory of the page. */
async function readHeap(session: CDPSession): Promise<string> {
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return chunks.join('');
}

async function readStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const caches = await window.caches.keys();
    return JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
      databases,
      caches,
    ]);
  });
}

async function readFiles(folder: string): Promise<{ name: string; text: string }[]> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  return Promise.all(
    names.map(async (entry) => {
      const name = join(entry.parentPath, entry.name);
      return { name, text: await readFile(name, 'latin1') };
    }),
  );
}

// Each server has its own secrets.
test.use({ flags: ['--log-requests'], servers: 1 });

test('leaves a secret in no memory, storage, request, log or database after it was entered @remote', async ({
  workbench,
  server,
}) => {
  const { page } = workbench;
  const dataDir = await makeDataDir();
  const hospital = await startTestServer(dataDir);
  const idp = await startIdentityProvider(proxyTo(hospital.origin, hospital.token));
  idp.clients.set('ward', { secret: canary });
  await storePlan(hospital);
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));

  const connections = new Connections(page);
  await connections.add({
    name: 'Ward',
    baseUrl: idp.base,
    writes: 'Write without asking',
    authentication: 'OAuth 2 client credentials',
    fields: { 'Client ID': 'ward', 'Client secret': canary },
  });
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('As agreed', 'By the ward');
  await record.startReview();
  await record.save();
  await expect(record.review).toBeHidden();
  const secrets = [canary, ...idp.issuedTokens];
  expect(secrets.length).toBeGreaterThan(1);

  // The secret was sent once, to the address that stores it. Tokens never reached the page.
  const secretRequests = requests.filter((request) =>
    `${request.url()} ${request.postData() ?? ''}`.includes(canary),
  );
  expect(secretRequests.map((request) => new URL(request.url()).pathname)).toEqual([
    expect.stringMatching(/^\/app\/connections\/[^/]+\/secret$/),
  ]);
  const answers = await Promise.all(
    requests.map(async (request) => {
      const answer = await request.response();
      const headers = JSON.stringify([await request.allHeaders(), await answer?.allHeaders()]);
      return `${headers}${(await answer?.text().catch(() => '')) ?? ''}`;
    }),
  );
  const heap = await readHeap(await page.context().newCDPSession(page));
  // The snapshot contains the visible content of the page.
  expect(heap).toContain('By the ward');
  const places = { heap, storage: await readStorage(page), answers: answers.join(), lines: lines.join() };
  await server.stop();
  const log = server.log();
  expect(log).toContain('PUT /app/connections/:id/secret 204');
  const files = await readFiles(server.dataDir);
  expect(files.map(({ name }) => name).join()).toContain('workspace.db');
  for (const secret of secrets) {
    for (const [place, text] of Object.entries({ ...places, log }))
      expect(text.includes(secret), place).toBe(false);
    for (const { name, text } of files) expect(text.includes(secret), name).toBe(false);
  }

  await idp.peer.close();
  await hospital.stop();
  await removeDataDir(dataDir);
});
