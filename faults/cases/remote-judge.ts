import { isDeepStrictEqual } from 'node:util';
import { refuse, startRecordServer } from '../../server/gateway/testing/record-server.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { waitUntil } from '../wait.ts';

const counts = { full: 100_000, short: 2000 } as const;

/** Records of one import into the local server. */
const importSize = 10_000;

/** Time limit in milliseconds for the whole validation. */
const timeoutMs = 30 * 60_000;

/**
 * The records of another server are validated while the server is killed twice and the other server fails
 * once.
 */
export const remoteJudge: FaultCase = {
  name: 'remote-judge',
  claim:
    "The validation of another server's records, killed twice and interrupted by an outage, resumes without a request, and ends with the counts of the same records validated locally.",
  parallel: true,
  long: true,
  run,
};

async function run({ runLength, folder, tally, say }: FaultContext): Promise<FaultResult> {
  const count = counts[runLength];
  const remote = await startRecordServer();
  try {
    for (let index = 0; index < count; index += 1) remote.store('CarePlan', `p${index}`, createPlan(index));
    const pages = Math.ceil(count / 200);
    let responseCount = 0;
    let isOutageDue = false;
    remote.before = (response) => {
      responseCount += 1;
      if (!isOutageDue) return false;
      isOutageDue = false;
      tally.add('outages', 1);
      refuse(response, 503, 'Closed for a moment.', { 'Retry-After': '1' });
      return true;
    };
    let server = await startServer(folder);
    const createResponse = await send(
      server,
      'POST',
      '/app/connections',
      JSON.stringify({ name: 'Remote', baseUrl: remote.base }),
    );
    const { id } = JSON.parse(createResponse.text) as { id: string };
    const path = `/app/connections/${id}/quality`;
    const startTime = performance.now();
    await send(server, 'POST', `${path}/judge`, '{}');
    for (const share of [0.3, 0.6]) {
      await waitUntil('A part of the pages', () => responseCount >= pages * share, timeoutMs);
      await server.kill();
      tally.add('kills', 1);
      say(`killed after ${responseCount} requests`);
      server = await startServer(folder);
      isOutageDue = share === 0.3;
    }
    await waitUntil(
      'The end of the job',
      async () => (await fetchOverview(server, path)).job?.state === 'done',
      timeoutMs,
    );
    tally.add('seconds', Math.round((performance.now() - startTime) / 1000));
    const remoteOverview = await fetchOverview(server, path);
    const records = [...remote.records.values()].map((record) => JSON.stringify(record));
    for (let offset = 0; offset < records.length; offset += importSize) {
      const body = records.slice(offset, offset + importSize).join('\n');
      const type = { 'Content-Type': 'application/x-ndjson' };
      await send(server, 'POST', '/app/import?level=off&keepIds=true', body, type);
    }
    const localOverview = await fetchOverview(server, '/app/quality');
    await server.stop();
    if (!isDeepStrictEqual(pickCounts(remoteOverview), pickCounts(localOverview))) {
      throw new FaultError('Other counts than of the same records judged locally.', tally.figures);
    }
    tally.add('records', count);
    return { result: 'passed', figures: tally.figures };
  } finally {
    await remote.peer.close();
  }
}

interface Overview {
  readonly records: unknown;
  readonly flagged: unknown;
  readonly groups: unknown;
  readonly job?: { readonly state: string };
}

async function fetchOverview(server: FaultServer, path: string): Promise<Overview> {
  return JSON.parse((await send(server, 'GET', path)).text) as Overview;
}

function pickCounts({ records, flagged: flaggedCounts, groups }: Overview): unknown {
  return { records, flagged: flaggedCounts, groups };
}

/** Creates a plan. The index decides if it has an error, and which. */
function createPlan(index: number): string {
  const subject = index % 5 === 0 ? '' : `,"subject":{"reference":"Patient/${index % 997}"}`;
  const status = index % 3 === 0 ? 'actve' : 'active';
  return `{"resourceType":"CarePlan","status":"${status}","intent":"plan","title":"Plan ${index}"${subject}}`;
}
