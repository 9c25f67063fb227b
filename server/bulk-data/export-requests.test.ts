/** Files of an export that a server sends only in part. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../core/app/connections.ts';
import { createGateway } from '../gateway/gateway.ts';
import { sessionSecrets } from '../gateway/secrets.ts';
import type { ExportJob } from './export-job.ts';
import { createExportRequests, FileFault } from './export-requests.ts';
import { startBulkDataServer } from './testing/bulk-data-server.ts';

const file = { list: 'output', url: '/f', name: 'f.ndjson', state: 'open' } as const;

/** Saves the file of a server that breaks its connection in the first responses. */
async function saveBroken(brokenResponses: number) {
  const source = await startBulkDataServer();
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-export-'));
  const gateway = createGateway({
    secrets: sessionSecrets(),
    proxies: { getDefaultProxy: () => ({ kind: 'none' }), system: () => Promise.resolve(undefined) },
    base: () => '',
  });
  onTestFinished(async () => {
    gateway.close();
    await source.peer.close();
    await rm(folder, { recursive: true });
  });
  source.token = undefined;
  source.files.set('/f', 'the whole file\n');
  source.next.set(
    'GET /f',
    Array.from({ length: brokenResponses }, () => (response) => {
      response.writeHead(200, { 'Content-Length': '15' }).write('the who');
      setImmediate(() => response.destroy());
    }),
  );
  const pausesMs: number[] = [];
  const connection: Connection = {
    id: 'c',
    name: 'C',
    baseUrl: source.base,
    mode: 'normal',
    timeoutSeconds: 10,
    authentication: { kind: 'none' },
    proxy: { kind: 'none' },
  } as unknown as Connection;
  const requests = createExportRequests({
    gateway,
    connection: () => Promise.resolve(connection),
    clock: () => 0,
    wait: (ms) => Promise.resolve(void pausesMs.push(ms)),
    onWait: () => undefined,
  });
  const job = { baseUrl: source.base, allowed: [], files: [file] } as unknown as ExportJob;
  const path = join(folder, 'f');
  const saving = requests.save(job, file, path, new AbortController().signal);
  return { saving, pausesMs, path };
}

test('reads a file again whose connection broke', async () => {
  const { saving, pausesMs, path } = await saveBroken(2);
  expect(await saving).toBe(15);
  expect(await readFile(path, 'utf8')).toBe('the whole file\n');
  expect(pausesMs).toEqual([1000, 2000]);
});

test('gives up a file after three broken connections', async () => {
  const { saving } = await saveBroken(9);
  await expect(saving).rejects.toThrow(FileFault);
});
