/**
 * Signs in by code, stores records, damages one behind the server's back, and finds that everything else answers:
 * `node examples/after-a-fault.ts`. Written against docs/api.md alone.
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

type Ask = (method: string, path: string, body?: object) => Promise<any>;

async function served(work: (ask: Ask) => Promise<void>) {
  const server = spawn(process.execPath, ['dist/server/cli.js', 'serve', '--port', '0', '--data', data]);
  let [, origin, code]: (string | undefined)[] = [];
  for await (const line of createInterface(server.stdout)) {
    [, origin, code] = /^Open (.+)\/#code=(.+)$/.exec(line) ?? [];
    if (code) break;
  }
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  const ask: Ask = async (method, path, body) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as object), status: answer.status };
  };
  headers.Authorization = `Bearer ${(await ask('POST', '/app/sign-in', { code })).token}`;
  await work(ask).finally(() => server.kill());
  await once(server, 'exit');
}

const ids: string[] = [];
await served(async (ask) => {
  for (let n = 0; n < 50; n += 1) ids.push((await ask('POST', plans, { ...plan, title: `Number ${n};` })).id);
});
const file = readFileSync(`${data}/records.db`);
file.write('M', file.indexOf('Number 17;'));
writeFileSync(`${data}/records.db`, file);
await served(async (ask) => {
  const read = await Promise.all(ids.map((id) => ask('GET', `${plans}/${id}`)));
  assert.deepEqual(
    read.flatMap(({ status }, n) => (status === 200 ? [] : [n])),
    [17],
  );
  const { entry } = await ask('GET', `${plans}?subject=p`);
  assert.equal(entry.filter(({ search }: any) => search.mode === 'match').length, 49);
  assert.equal((await ask('GET', `${plans}/_history?_count=99`)).entry.length, 50);
  assert.equal((await ask('POST', plans, plan)).status, 201);
  assert.equal((await ask('GET', '/app/damage')).records[0].id, ids[17]);
  assert.equal((await ask('PUT', `${plans}/${ids[17]}`, { ...plan, id: ids[17] })).status, 200);
  assert.equal((await ask('GET', `${plans}/${ids[17]}`)).meta.versionId, '2');
});
rmSync(data, { recursive: true });
process.stdout.write('One record was damaged: all others answered, it was named, and it was mended.\n');
