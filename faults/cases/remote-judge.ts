import { isDeepStrictEqual } from 'node:util';
import { refuse, startRecordServer } from '../../server/gateway/testing/record-server.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { until } from '../wait.ts';

const counts = { full: 100_000, short: 2000 } as const;

/** Records in one import into the local server. */
const importAtOnce = 10_000;

/** Milliseconds for the whole of a remote. */
const longest = 30 * 60_000;

/** The records of another server are judged while the server is killed twice and the other one fails once. */
export const remoteJudge: FaultCase = {
  name: 'remote-judge',
  claim:
    "A worklist of another server's records that is killed twice, and meets an outage, goes on by itself, and ends with the counts of the same records judged locally.",
  beside: true,
  long: true,
  run,
};

async function run({ extent, folder, tally, say }: FaultContext): Promise<Finding> {
  const count = counts[extent];
  const remote = await startRecordServer();
  try {
    for (let index = 0; index < count; index += 1) remote.store('CarePlan', `p${index}`, plan(index));
    const pages = Math.ceil(count / 200);
    let answered = 0;
    let outage = false;
    remote.before = (response) => {
      answered += 1;
      if (!outage) return false;
      outage = false;
      tally.add('outages', 1);
      refuse(response, 503, 'Closed for a moment.', { 'Retry-After': '1' });
      return true;
    };
    let server = await startServer(folder);
    const made = await send(
      server,
      'POST',
      '/app/connections',
      JSON.stringify({ name: 'Remote', baseUrl: remote.base }),
    );
    const { id } = JSON.parse(made.text) as { id: string };
    const path = `/app/connections/${id}/quality`;
    const begun = performance.now();
    await send(server, 'POST', `${path}/judge`, '{}');
    for (const share of [0.3, 0.6]) {
      await until('A part of the pages', () => answered >= pages * share, longest);
      await server.kill();
      tally.add('kills', 1);
      say(`killed after ${answered} requests`);
      server = await startServer(folder);
      outage = share === 0.3;
    }
    await until(
      'The end of the job',
      async () => (await overview(server, path)).job?.state === 'done',
      longest,
    );
    tally.add('seconds', Math.round((performance.now() - begun) / 1000));
    const found = await overview(server, path);
    const records = [...remote.records.values()].map((record) => JSON.stringify(record));
    for (let at = 0; at < records.length; at += importAtOnce) {
      const body = records.slice(at, at + importAtOnce).join('\n');
      const type = { 'Content-Type': 'application/x-ndjson' };
      await send(server, 'POST', '/app/import?level=off&keepIds=true', body, type);
    }
    const wanted = await overview(server, '/app/quality');
    await server.stop();
    if (!isDeepStrictEqual(counted(found), counted(wanted))) {
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

async function overview(server: FaultServer, path: string): Promise<Overview> {
  return JSON.parse((await send(server, 'GET', path)).text) as Overview;
}

function counted({ records, flagged, groups }: Overview): unknown {
  return { records, flagged, groups };
}

/** A plan with a fault in some: which, its number says. */
function plan(index: number): string {
  const subject = index % 5 === 0 ? '' : `,"subject":{"reference":"Patient/${index % 997}"}`;
  const status = index % 3 === 0 ? 'actve' : 'active';
  return `{"resourceType":"CarePlan","status":"${status}","intent":"plan","title":"Plan ${index}"${subject}}`;
}
