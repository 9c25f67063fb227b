import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { startServer, type FaultServer } from '../server.ts';

const requests = { full: 20_000, short: 2000 } as const;
const connections = 20;

/** Local addresses of the flood. Only Linux has more than one by default. */
const sourceCount = process.platform === 'linux' ? 200 : 1;

/** Highest growth of records.db and its log in bytes: a page of entries, and its log frames. */
const maxGrowthBytes = 256 * 1024;

/** A client without a token floods the server with long requests. */
export const strangers: FaultCase = {
  name: 'strangers',
  claim: `Requests without a valid token, however many and long, create an immediate entry for each address and status, and one with their count. From ${sourceCount} addresses the audit log and the write-ahead log grow by less than ${maxGrowthBytes / 1024} KiB.`,
  parallel: true,
  run,
};

async function run({ runLength, folder, tally }: FaultContext): Promise<FaultResult> {
  const server = await startServer(folder);
  const bytesBefore = measureBytes(folder);
  const count = requests[runLength];
  const firstCount = await flood(server, count, () => '127.0.0.1');
  const secondCount = await flood(server, count, (index) => `127.0.0.${1 + (index % sourceCount)}`);
  const growthBytes = measureBytes(folder) - bytesBefore;
  await server.stop();
  const { stdout } = await runCommand(['audit', '--data', folder]);
  const entries = stdout.trim().split('\n').filter(Boolean);
  tally.add('requests', firstCount + secondCount);
  tally.add('KiB grown', Math.ceil(growthBytes / 1024));
  tally.add('entries', entries.length);
  if (growthBytes > maxGrowthBytes)
    throw new FaultError(`The trail and its log grew by ${growthBytes} bytes`);
  const countedRequests = entries.reduce((sum, entry) => sum + countRequests(entry), 0);
  tally.add('requests that the entries tell of', countedRequests);
  if (countedRequests !== firstCount + secondCount)
    throw new FaultError('The entries do not tell of every request');
  if (entries.some((entry) => entry.includes('x'.repeat(100)))) throw new FaultError('A long text was kept');
  return { result: 'passed', figures: tally.figures };
}

/** Sends requests without a token. Returns how many were rejected. */
async function flood(
  server: FaultServer,
  count: number,
  getSource: (index: number) => string,
): Promise<number> {
  const path = `${fhirPath}/CarePlan?subject=${'x'.repeat(8000)}`;
  let sentCount = 0;
  const client = async () => {
    const agents = new Map<string, Agent>();
    for (let index = sentCount; index < count; index = sentCount) {
      sentCount += 1;
      const localAddress = getSource(index);
      const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, maxSockets: 1 });
      agents.set(localAddress, agent);
      const sentRequest = request({ host: '127.0.0.1', port: server.port, path, localAddress, agent }).end();
      const [response] = (await once(sentRequest, 'response')) as [
        NodeJS.ReadableStream & { statusCode?: number },
      ];
      response.resume();
      await once(response, 'end');
      if (response.statusCode !== 401) throw new FaultError(`A stranger was answered ${response.statusCode}`);
    }
    for (const agent of agents.values()) agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
  return sentCount;
}

/** Returns the number of requests that an AuditEvent counts. */
function countRequests(entry: string): number {
  const moreText = /(\d+) more in this minute/.exec(entry)?.[1];
  return moreText === undefined ? 1 : Number(moreText);
}

function measureBytes(folder: string): number {
  return ['records.db', 'records.db-wal'].reduce((sum, name) => {
    return sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}
