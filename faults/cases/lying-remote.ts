import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fhirPath } from '../../core/api/contract.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { send, startServer, type Answer, type FaultServer } from '../server.ts';

const rounds = { full: 200, short: 10 } as const;

/** Time limit of a connection in seconds. A lie is detected much earlier. */
const timeoutSeconds = 60;

const stolen = 'SOMEONE-ELSE';
const otherRecord = JSON.stringify({
  resourceType: 'CarePlan',
  id: stolen,
  subject: { reference: `Patient/${stolen}` },
});
const createBundle = (resource: string) => `{"resourceType":"Bundle","entry":[{"resource":${resource}}]}`;

interface Lie {
  readonly method: 'GET' | 'PUT' | 'PATCH';
  readonly place: string;
  /** The false response: a body, a redirect, or a raw response head. */
  readonly body?: string;
  readonly redirect?: string;
  readonly raw?: string;
}

const lies: Readonly<Record<string, Lie>> = {
  'read of another record': { method: 'GET', place: '/CarePlan/a', body: otherRecord },
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
  'version of another record': { method: 'GET', place: '/CarePlan/a/_history/1', body: otherRecord },
  'history of another record': {
    method: 'GET',
    place: '/CarePlan/a/_history',
    body: createBundle(otherRecord),
  },
  'search of another type': {
    method: 'GET',
    place: '/Composition?status=final',
    body: createBundle(otherRecord),
  },
  'answer of PUT': { method: 'PUT', place: '/CarePlan/a', body: otherRecord },
  'answer of PATCH': { method: 'PATCH', place: '/CarePlan/a', body: otherRecord },
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

/** A server that responds with something other than the request asked for. */
export const lyingRemote: FaultCase = {
  name: 'lying-remote',
  claim: `A response of another server with another record, another type, no JSON, a redirect elsewhere or a protocol switch is reported as 502 before the time limit of ${timeoutSeconds} s: none of its content is returned, a write is reported as unconfirmed, and no other request is sent.`,
  parallel: true,
  run,
};

async function run({ runLength, folder, tally }: FaultContext): Promise<FaultResult> {
  const server = await startServer(folder);
  const liar = await startLiar();
  const connection = JSON.stringify({
    name: 'Liar',
    mode: 'normal',
    baseUrl: `${liar.origin}/fhir`,
    timeoutSeconds,
  });
  const createResponse = await send(server, 'POST', '/app/connections', connection);
  const { id } = JSON.parse(createResponse.text) as { id: string };
  const base = `/app/connections/${id}${fhirPath}`;
  try {
    for (let round = 0; round < rounds[runLength]; round += 1) {
      for (const [description, lie] of Object.entries(lies)) {
        liar.tell(lie);
        await expectRefused(server, `${base}${lie.place}`, lie, description);
        tally.add('lies', 1);
      }
    }
    const requestCount = liar.countRequests();
    tally.add('requests that the other server got', requestCount);
    if (requestCount !== rounds[runLength] * Object.keys(lies).length)
      throw new FaultError('It was asked for something else too');
  } finally {
    liar.server.close();
    liar.server.closeAllConnections();
  }
  await server.stop();
  return { result: 'passed', figures: tally.figures };
}

async function expectRefused(
  server: FaultServer,
  path: string,
  lie: Lie,
  description: string,
): Promise<void> {
  const body = { GET: undefined, PUT: '{}', PATCH: '[]' }[lie.method];
  const startTime = performance.now();
  const response: Answer = await send(server, lie.method, path, body);
  if (response.status !== 502) throw new FaultError(`${description} was answered ${response.status}`);
  if (response.text.includes(stolen)) throw new FaultError(`${description}: something of it came through`);
  const isUnconfirmed = response.headers.get('X-Chartkeeper-Unconfirmed') === 'true';
  if (isUnconfirmed !== (lie.method !== 'GET'))
    throw new FaultError(`${description}: unconfirmed is ${isUnconfirmed}`);
  if (performance.now() - startTime > (timeoutSeconds * 1000) / 2)
    throw new FaultError(`${description} held the time limit up`);
}

interface Liar {
  readonly server: Server;
  readonly origin: string;
  tell(lie: Lie): void;
  countRequests(): number;
}

async function startLiar(): Promise<Liar> {
  let currentLie: Lie | undefined;
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    if (currentLie?.raw !== undefined) response.socket?.write(currentLie.raw);
    else if (currentLie?.redirect !== undefined)
      response.writeHead(302, { Location: currentLie.redirect }).end();
    else
      response
        .writeHead(200, { 'Content-Type': 'application/fhir+json', ETag: 'W/"7"' })
        .end(currentLie?.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    origin: `http://127.0.0.1:${port}`,
    tell(lie) {
      currentLie = lie;
    },
    countRequests: () => count,
  };
}
