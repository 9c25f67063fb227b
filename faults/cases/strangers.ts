import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { startServer, type FaultServer } from '../server.ts';

const requests = { full: 20_000, short: 2000 } as const;
const connections = 20;

/** Addresses of this machine that a flood comes from; other systems than Linux have one. */
const sources = process.platform === 'linux' ? 200 : 1;

/** Bytes that records.db and its log may grow by: a page of entries, and the frames that tell of it. */
const mostBytes = 256 * 1024;

/** Who has no token floods the server with what is long. */
export const strangers: FaultCase = {
  name: 'strangers',
  claim: `Requests without a valid token, however many and long, make an entry for each address and status at once, and one with their number; from ${sources} addresses the trail and its log grow by less than ${mostBytes / 1024} KiB.`,
  beside: true,
  run,
};

async function run({ extent, folder, tally }: FaultContext): Promise<Finding> {
  const server = await startServer(folder);
  const before = bytesOf(folder);
  const count = requests[extent];
  const one = await flood(server, count, () => '127.0.0.1');
  const many = await flood(server, count, (index) => `127.0.0.${1 + (index % sources)}`);
  const grown = bytesOf(folder) - before;
  await server.stop();
  const { stdout } = await runCommand(['audit', '--data', folder]);
  const entries = stdout.trim().split('\n').filter(Boolean);
  tally.add('requests', one + many);
  tally.add('KiB grown', Math.ceil(grown / 1024));
  tally.add('entries', entries.length);
  if (grown > mostBytes) throw new FaultError(`The trail and its log grew by ${grown} bytes`);
  const counted = entries.reduce((sum, entry) => sum + numberIn(entry), 0);
  tally.add('requests that the entries tell of', counted);
  if (counted !== one + many) throw new FaultError('The entries do not tell of every request');
  if (entries.some((entry) => entry.includes('x'.repeat(100)))) throw new FaultError('A long text was kept');
  return { result: 'passed', figures: tally.figures };
}

/** Answers how many requests were refused. */
async function flood(
  server: FaultServer,
  count: number,
  sourceOf: (index: number) => string,
): Promise<number> {
  const path = `${fhirPath}/CarePlan?subject=${'x'.repeat(8000)}`;
  let sent = 0;
  const client = async () => {
    const agents = new Map<string, Agent>();
    for (let index = sent; index < count; index = sent) {
      sent += 1;
      const localAddress = sourceOf(index);
      const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, maxSockets: 1 });
      agents.set(localAddress, agent);
      const asked = request({ host: '127.0.0.1', port: server.port, path, localAddress, agent }).end();
      const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { statusCode?: number }];
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode !== 401) throw new FaultError(`A stranger was answered ${answer.statusCode}`);
    }
    for (const agent of agents.values()) agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
  return sent;
}

/** How many requests an AuditEvent tells of. */
function numberIn(entry: string): number {
  const more = /(\d+) more in this minute/.exec(entry)?.[1];
  return more === undefined ? 1 : Number(more);
}

function bytesOf(folder: string): number {
  return ['records.db', 'records.db-wal'].reduce((sum, name) => {
    return sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}
