/**
 * Signs in by code, stores records, damages one in the database file, and checks that all others are
 * returned: `node examples/after-a-fault.ts`. Written only from docs/api.md.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const data = mkdtempSync('/tmp/after-a-fault-');
const plans = '/fhir-r4/v1/CarePlan';
const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/p' },
};

type SendRequest = (method: string, path: string, body?: object) => Promise<any>;

async function withServer(runRequests: (ask: SendRequest) => Promise<void>) {
  const server = spawn(process.execPath, ['dist/server/cli.js', 'serve', '--port', '0', '--data', data]);
  let [, origin, code]: (string | undefined)[] = [];
  for await (const line of createInterface(server.stdout)) {
    [, origin, code] = /^Open (.+)\/#code=(.+)$/.exec(line) ?? [];
    if (code) break;
  }
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  const sendRequest: SendRequest = async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { ...((await response.json()) as object), status: response.status };
  };
  headers.Authorization = `Bearer ${(await sendRequest('POST', '/app/sign-in', { code })).token}`;
  await runRequests(sendRequest).finally(() => server.kill());
  await once(server, 'exit');
}

const ids: string[] = [];
await withServer(async (sendRequest) => {
  for (let number = 0; number < 50; number += 1)
    ids.push((await sendRequest('POST', plans, { ...plan, title: `Number ${number};` })).id);
});
const file = readFileSync(`${data}/records.db`);
file.write('M', file.indexOf('Number 17;'));
writeFileSync(`${data}/records.db`, file);
await withServer(async (sendRequest) => {
  const responses = await Promise.all(ids.map((id) => sendRequest('GET', `${plans}/${id}`)));
  assert.deepEqual(
    responses.flatMap(({ status }, number) => (status === 200 ? [] : [number])),
    [17],
  );
  const { entry } = await sendRequest('GET', `${plans}?subject=p`);
  assert.equal(entry.filter(({ search }: any) => search.mode === 'match').length, 49);
  assert.equal((await sendRequest('GET', `${plans}/_history?_count=99`)).entry.length, 50);
  assert.equal((await sendRequest('POST', plans, plan)).status, 201);
  assert.equal((await sendRequest('GET', '/app/damage')).records[0].id, ids[17]);
  assert.equal((await sendRequest('PUT', `${plans}/${ids[17]}`, { ...plan, id: ids[17] })).status, 200);
  assert.equal((await sendRequest('GET', `${plans}/${ids[17]}`)).meta.versionId, '2');
});
rmSync(data, { recursive: true });
process.stdout.write('One record was damaged: all others answered, it was named, and it was mended.\n');
