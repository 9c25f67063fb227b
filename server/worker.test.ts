import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  SecretRequest,
  ServerOrder,
  ServerReport,
  StartChoice,
  StartReport,
  StoreReport,
} from '../core/app/server-messages.ts';
import { startIdentityProvider, type IdentityProvider } from './gateway/testing/identity-provider.ts';
import { keyFile, readIdentity } from './gateway/testing/identities.ts';
import { sendFhir, honest, startPeer } from './gateway/testing/peer.ts';
import { startProxy } from './gateway/testing/proxy.ts';
import { openRecords } from './start.ts';
import { backupPath } from './sqlite/backup-folder.ts';
import { sealKey } from './store/audit-chain.ts';
import { headIn } from './store/sqlite/audit-loss.ts';

/** Stand-in for the port that Electron sets in a utility process. */
const parentPort = `process.parentPort = {
  on: (event, listener) => process.on(event, (data) => listener({ data })),
  postMessage: (message) => process.send(message),
}`;
const token = 'token-of-this-launch-0123456789';

let folder: string;
let idp: IdentityProvider;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-worker-'));
  idp = await startIdentityProvider((_request, response) =>
    sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}'),
  );
});
afterAll(() => Promise.all([rm(folder, { recursive: true }), idp.peer.close()]));

/** Starts a worker and its shell. The shell stores secrets in a map; its PAC script returns a fixed answer. */
function startWorker(pac = 'DIRECT') {
  const worker: ChildProcess = fork(join(import.meta.dirname, 'worker.ts'), [], {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(parentPort)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const storedSecrets = new Map<string, string>();
  const secretActs: SecretRequest['act'][] = [];
  const origins: string[] = [];
  const order = (message: ServerOrder) => worker.send(message);
  const ready = Promise.withResolvers<StartReport>();
  const checked = Promise.withResolvers<StoreReport>();
  worker.on('message', (report: ServerReport) => {
    if (report.type === 'proxy') {
      origins.push(report.origin);
      order({ type: 'proxy', ask: report.ask, pac });
      return;
    }
    if (report.type === 'checked') {
      checked.resolve(report);
      return;
    }
    if (report.type !== 'secret') {
      ready.resolve(report);
      return;
    }
    secretActs.push(report.act);
    if (report.act === 'set') storedSecrets.set(report.id, report.secret);
    if (report.act === 'delete') storedSecrets.delete(report.id);
    const secret = report.act === 'get' ? storedSecrets.get(report.id) : undefined;
    order({ type: 'secret', ask: report.ask, done: true, ...(secret !== undefined && { secret }) });
  });
  return {
    worker,
    order,
    storedSecrets,
    secretActs,
    origins,
    ready: ready.promise,
    checked: checked.promise,
  };
}

test('follows orders of the shell: stores secrets there, drops tokens and stops', async () => {
  const { worker, order, storedSecrets, secretActs, ready } = startWorker();
  const dataDir = join(folder, 'data');
  order({ type: 'start', dataDir, port: 0, token, secrets: 'system' });
  const report = await ready;
  const origin = report.type === 'ready' ? report.origin : report.message;
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const send = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(origin + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : ((await response.json()) as any);
  };
  idp.clients.set('workbench', { secret: 'canary-secret' });
  const { id } = await send('POST', '/app/connections', {
    name: 'Hospital',
    baseUrl: idp.base,
    mode: 'read-only',
    authentication: { kind: 'client-credentials', clientId: 'workbench' },
  });
  await send('PUT', `/app/connections/${id}/secret`, { secret: 'canary-secret' });
  expect([...storedSecrets]).toEqual([
    ['audit key', expect.any(String)],
    [id, 'canary-secret'],
  ]);
  expect(await send('GET', '/app/connections')).toMatchObject({ secrets: 'system' });

  const readPlan = () => send('GET', `/app/connections/${id}/fhir-r4/v1/CarePlan/a`);
  expect([await readPlan(), await readPlan()]).toMatchObject([{ id: 'a' }, { id: 'a' }]);
  expect(idp.grants).toHaveLength(1);
  order({ type: 'sign-out' });
  await expect
    .poll(async () => {
      await readPlan();
      return idp.grants.length;
    })
    .toBe(2);
  await send('DELETE', `/app/connections/${id}`);
  expect([...storedSecrets.keys()]).toEqual(['audit key']);
  expect(new Set(secretActs)).toEqual(new Set(['set', 'get', 'delete']));

  // Adds an audit entry to be sealed with the key of the shell.
  await send('GET', '/fhir-r4/v1/CarePlan/nobody');
  order({ type: 'stop' });
  expect(await once(worker, 'exit')).toEqual([0, null]);
  const key = sealKey(Buffer.from(storedSecrets.get('audit key') ?? ''));
  expect(headIn(join(dataDir, 'records.db'))?.seal.subarray(0, key.id.length)).toEqual(key.id);
});

test('asks the shell once per origin for the system proxy and uses it', async () => {
  const proxy = await startProxy('', '');
  const peer = await startPeer(honest, readIdentity('loopback'));
  const { worker, order, origins, ready } = startWorker(`PROXY ${new URL(proxy.url).host}; DIRECT`);
  order({ type: 'start', dataDir: join(folder, 'proxy'), port: 0, token, secrets: 'session' });
  const report = await ready;
  const send = (method: string, path: string, body?: object) =>
    fetch(report.type === 'ready' ? report.origin + path : report.message, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const creation = await send('POST', '/app/connections', {
    name: 'Hospital',
    baseUrl: peer.origin,
    caFile: keyFile('loopback.cert.pem'),
    proxy: { kind: 'system' },
  });
  const { id } = (await creation.json()) as { id: string };
  for (const recordId of ['a', 'b']) {
    const response = await send('GET', `/app/connections/${id}/fhir-r4/v1/CarePlan/${recordId}`);
    expect(response.status).toBe(200);
  }
  expect([origins, proxy.openedTunnels]).toEqual([[peer.origin], [new URL(peer.origin).host]]);
  worker.kill();
  await Promise.all([proxy.close(), peer.close()]);
});

test('reports a folder that cannot be opened', async () => {
  const { worker, order, ready } = startWorker();
  const dataDir = join(folder, 'in-the-way');
  await writeFile(dataDir, 'a file');
  order({ type: 'start', dataDir, port: 0, token, secrets: 'session' });
  const report = await ready;
  expect(report).toEqual({ type: 'failed', message: expect.stringContaining('in-the-way') });
  worker.kill();
});

test('names the backups if the records are missing, and continues with the choice', async () => {
  const dataDir = join(folder, 'missing');
  const backups = join(dataDir, 'backups');
  const { store } = await openRecords(dataDir);
  const backup = backupPath(join(dataDir, 'records.db'), 'asked');
  await store.files.backUp(backup);
  await store.close();
  await rm(join(dataDir, 'records.db'));
  const start = async (choice?: StartChoice) => {
    const { worker, order, ready } = startWorker();
    order({ type: 'start', dataDir, port: 0, token, secrets: 'session', ...(choice && { choice }) });
    const report = await ready;
    worker.kill();
    return report;
  };
  const message = expect.stringContaining('its companion files exist');
  expect(await start()).toEqual({ type: 'failed', message, backups: [basename(backup)] });

  // A damaged backup leaves the same choices.
  const bytes = await readFile(backup);
  await writeFile(backup, bytes.subarray(0, 5000));
  expect(await start({ kind: 'restore', name: basename(backup) })).toMatchObject({
    backups: [basename(backup)],
  });
  await writeFile(backup, bytes);
  expect(await start({ kind: 'restore', name: basename(backup) })).toMatchObject({ type: 'ready' });
  await rm(join(dataDir, 'records.db'));
  expect(await start({ kind: 'empty' })).toMatchObject({ type: 'ready' });
  expect(await readdir(backups)).toContain(basename(backup));
});

test('stores a record and reads it back with every digit', async () => {
  const { worker, order, ready, checked } = startWorker();
  order({ type: 'start', dataDir: join(folder, 'checked'), port: 0, token, secrets: 'session' });
  await ready;
  order({ type: 'check' });
  const report = await checked;
  expect(report.sound).toBe(true);
  expect(report.found).toMatch(/^A record came back with every digit: SQLite 3\.[0-9.]+\.$/);
  order({ type: 'stop' });
  await once(worker, 'exit');
});
