/**
 * Signs in by code, stores records, damages one behind the server's back, and finds that everything else answers:
 * `node examples/after-a-fault.ts`. Written against docs/api.md alone.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const data = mkdtempSync(join(tmpdir(), 'after-a-fault-'));

interface Answer {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  readonly token: string;
  readonly entry: readonly { readonly search?: { readonly mode: string } }[];
  readonly records: readonly { readonly id: string }[];
}

async function start() {
  const child = spawn(process.execPath, [
    resolve('dist/server/cli.js'),
    'serve',
    '--port',
    '0',
    '--data',
    data,
  ]);
  const [, origin, code] = await new Promise<string[]>((found) => {
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      const link = /Open (\S+)\/#code=(\S+)/.exec((said += String(text)));
      if (link) found([...link]);
    });
  });
  const post = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  };
  const { token } = (await (await fetch(`${origin}/app/sign-in`, post)).json()) as Answer;
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as Answer };
  };
  const stop = () =>
    new Promise((ended) => {
      child.once('exit', ended);
      child.kill();
    });
  return { ask, stop };
}

const check = (what: string, holds: boolean) => {
  process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${what}\n`);
  if (!holds) process.exitCode = 1;
};
const plan = (title: string) => ({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  title,
  subject: { reference: 'Patient/p' },
});
const base = '/fhir-r4/v1/CarePlan';

let server = await start();
const ids: string[] = [];
for (let n = 0; n < 50; n += 1) ids.push((await server.ask('POST', base, plan(`Plan number ${n}`))).json.id);
await server.stop();
const file = join(data, 'records.db');
const bytes = readFileSync(file);
const at = bytes.indexOf('Plan number 17"');
bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
writeFileSync(file, bytes);

server = await start();
const { ask } = server;
const statuses = await Promise.all(ids.map(async (id) => (await ask('GET', `${base}/${id}`)).status));
check(
  '49 of 50 are read, the damaged one is 500',
  statuses.filter((one) => one === 200).length === 49 && statuses[17] === 500,
);
const { json: found } = await ask('GET', `${base}?subject=p`);
const modes = found.entry.map(({ search }) => search?.mode);
check(
  'a search answers 49 and names one',
  found.total === 50 && modes.filter((mode) => mode === 'outcome').length === 1,
);
check(
  'the history of the type answers',
  (await ask('GET', `${base}/_history?_count=100`)).json.entry.length === 50,
);
check('records are stored', (await ask('POST', base, plan('One more'))).status === 201);
check(
  'Damage names it',
  (await ask('GET', '/app/damage')).json.records.some(({ id }) => id === ids[17]),
);
check(
  'the whole record mends it',
  (await ask('PUT', `${base}/${ids[17]}`, { ...plan('Mended'), id: ids[17] })).status === 200,
);
check('it is read again', (await ask('GET', `${base}/${ids[17]}`)).json.title === 'Mended');
await server.stop();
rmSync(data, { recursive: true });
