import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fhirPath } from '../../core/api/contract.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { send, startServer, type Answer, type FaultServer } from '../server.ts';

const rounds = { full: 200, short: 10 } as const;

/** Milliseconds that a connection may take; a lie is noticed long before. */
const limit = 60;

const stolen = 'SOMEONE-ELSE';
const other = JSON.stringify({
  resourceType: 'CarePlan',
  id: stolen,
  subject: { reference: `Patient/${stolen}` },
});
const listed = (resource: string) => `{"resourceType":"Bundle","entry":[{"resource":${resource}}]}`;

interface Lie {
  readonly method: 'GET' | 'PUT' | 'PATCH';
  readonly place: string;
  /** What is answered: a body, or a whole head. */
  readonly body?: string;
  readonly redirect?: string;
  readonly raw?: string;
}

const lies: Readonly<Record<string, Lie>> = {
  'read of another record': { method: 'GET', place: '/CarePlan/a', body: other },
  'read of another type': {
    method: 'GET',
    place: '/CarePlan/a',
    body: `{"resourceType":"Patient","id":"a","x":"${stolen}"}`,
  },
  'read of two ids': {
    method: 'GET',
    place: '/CarePlan/a',
    body: `{"resourceType":"CarePlan","id":"a","id":"${stolen}"}`,
  },
  'read of no JSON': {
    method: 'GET',
    place: '/CarePlan/a',
    body: `{"resourceType" this is not json ${stolen}}`,
  },
  'version of another record': { method: 'GET', place: '/CarePlan/a/_history/1', body: other },
  'history of another record': { method: 'GET', place: '/CarePlan/a/_history', body: listed(other) },
  'search of another type': { method: 'GET', place: '/Composition?status=final', body: listed(other) },
  'answer of PUT': { method: 'PUT', place: '/CarePlan/a', body: other },
  'answer of PATCH': { method: 'PATCH', place: '/CarePlan/a', body: other },
  'redirect to another record': { method: 'GET', place: '/CarePlan/a', redirect: `/fhir/CarePlan/${stolen}` },
  'redirect to another type': { method: 'GET', place: '/CarePlan/a', redirect: '/fhir/Patient/1?x=y' },
  'switch of protocols, read': {
    method: 'GET',
    place: '/CarePlan/a',
    raw: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  },
  'switch of protocols, write': {
    method: 'PUT',
    place: '/CarePlan/a',
    raw: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  },
};

/** A server that answers something other than what it was asked for. */
export const lyingRemote: FaultCase = {
  name: 'lying-remote',
  claim: `Another server that answers another record, another type, no JSON, a redirect elsewhere or a switch of protocols is told as 502 before the time limit of ${limit} s: nothing of its answer comes through, a write is called unconfirmed, and nothing else is asked of it.`,
  beside: true,
  run,
};

async function run({ extent, folder, tally }: FaultContext): Promise<Finding> {
  const server = await startServer(folder);
  const liar = await startLiar();
  const connection = JSON.stringify({
    name: 'Liar',
    mode: 'normal',
    baseUrl: `${liar.origin}/fhir`,
    timeoutSeconds: limit,
  });
  const made = await send(server, 'POST', '/app/connections', connection);
  const { id } = JSON.parse(made.text) as { id: string };
  const base = `/app/connections/${id}${fhirPath}`;
  try {
    for (let round = 0; round < rounds[extent]; round += 1) {
      for (const [what, lie] of Object.entries(lies)) {
        liar.tell(lie);
        await expectRefused(server, `${base}${lie.place}`, lie, what);
        tally.add('lies', 1);
      }
    }
    const asked = liar.asked();
    tally.add('requests that the other server got', asked);
    if (asked !== rounds[extent] * Object.keys(lies).length)
      throw new FaultError('It was asked for something else too');
  } finally {
    liar.server.close();
    liar.server.closeAllConnections();
  }
  await server.stop();
  return { result: 'passed', figures: tally.figures };
}

async function expectRefused(server: FaultServer, path: string, lie: Lie, what: string): Promise<void> {
  const body = { GET: undefined, PUT: '{}', PATCH: '[]' }[lie.method];
  const started = performance.now();
  const answer: Answer = await send(server, lie.method, path, body);
  if (answer.status !== 502) throw new FaultError(`${what} was answered ${answer.status}`);
  if (answer.text.includes(stolen)) throw new FaultError(`${what}: something of it came through`);
  const unconfirmed = answer.headers.get('X-Chartkeeper-Unconfirmed') === 'true';
  if (unconfirmed !== (lie.method !== 'GET')) throw new FaultError(`${what}: unconfirmed is ${unconfirmed}`);
  if (performance.now() - started > (limit * 1000) / 2)
    throw new FaultError(`${what} held the time limit up`);
}

interface Liar {
  readonly server: Server;
  readonly origin: string;
  tell(lie: Lie): void;
  asked(): number;
}

async function startLiar(): Promise<Liar> {
  let told: Lie | undefined;
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    if (told?.raw !== undefined) response.socket?.write(told.raw);
    else if (told?.redirect !== undefined) response.writeHead(302, { Location: told.redirect }).end();
    else response.writeHead(200, { 'Content-Type': 'application/fhir+json', ETag: 'W/"7"' }).end(told?.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    origin: `http://127.0.0.1:${port}`,
    tell(lie) {
      told = lie;
    },
    asked: () => count,
  };
}
