import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fhirPath } from '../../core/api/contract.ts';
import { expectAgreement } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { findGaps, readPages } from '../load/walk.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { readStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Offsets of the server's clock by round, in milliseconds. The server restarts before the last. */
const shifts = [0, -1000, -hour, -3 * day, hour / 2, -365 * day];

/** Writes of a round. */
const writes = { full: 1000, short: 80 } as const;

const token = { name: 'clock', scopes: ['system/*.*'], expiresIn: (30 * day) / 1000 };

/** The clock of the machine is set back and forward while clients write and page. */
export const loadClock: FaultCase = {
  name: 'load-clock',
  claim:
    'Whatever the clock shows, lastUpdated increases within each record, paging returns every record and version once, and tokens and the audit log continue to work.',
  parallel: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const data = join(folder, 'data');
  const shiftFile = join(folder, 'shift');
  await mkdir(data, { mode: 0o700 });
  const start = async (shift: number) => {
    await writeFile(shiftFile, String(shift));
    const preload = pathToFileURL(resolve(import.meta.dirname, '../load/shifted-clock.ts')).href;
    return startServer(data, { nodeFlags: ['--import', preload], env: { CLOCK_SHIFT: shiftFile } });
  };
  let server = await start(0);
  const ledger = new Ledger();
  const firstToken = await createToken(server);
  for (const [round, shift] of shifts.entries()) {
    if (round === shifts.length - 1) {
      await server.stop();
      server = await start(shift);
    }
    await writeFile(shiftFile, String(shift));
    await expectClock(server, shift);
    await runRound(server, ledger, { seed, stream: round, writes: writes[runLength] });
    for (const testToken of [firstToken, await createToken(server)]) {
      const { status } = await send(
        { ...server, token: testToken },
        'GET',
        `${fhirPath}/Composition?_count=1`,
      );
      if (status !== 200)
        throw new FaultError(`A token was answered ${status} with the clock off by ${shift}`);
    }
    tally.add('audit entries', await countNewEntries(server, tally.figures['audit entries']));
    tally.add('settings of the clock', 1);
    say(`${shift / 1000} s off`);
  }
  tally.add('acknowledged writes', ledger.acknowledged.size);
  await server.stop();
  tally.add('records', ledger.addresses.length);
  expectIncreasingTimes(data);
  await expectAgreement(data, ledger);
  return { result: 'passed', figures: tally.figures };
}

interface Round {
  readonly seed: number;
  readonly stream: number;
  readonly writes: number;
}

/** Clients write between the first and the second page of a search. Then the whole history is read. */
async function runRound(server: FaultServer, ledger: Ledger, { writes, ...round }: Round): Promise<void> {
  const filterCompositions = (keys: Iterable<string>) =>
    [...keys].filter((key) => key.startsWith('Composition/'));
  const existing = new Set(filterCompositions(ledger.addresses));
  const pages = readPages(server, `${fhirPath}/Composition?_sort=-_lastUpdated&_count=7`);
  const visited = ((await pages.next()).value ?? []) as string[];
  const target = ledger.acknowledged.size + writes;
  const hasEnough = () => ledger.acknowledged.size >= target;
  await startWriters({ server, ledger, ...round, clients: 4, hasEnough }).done;
  for await (const page of pages) visited.push(...page);
  const records = visited.map((version) => version.slice(0, version.indexOf('/_history/')));
  const versions: string[] = [];
  for await (const page of readPages(server, `${fhirPath}/Composition/_history?_count=50`))
    versions.push(...page);
  const problems = [
    ...findGaps('A search that others wrote beside', records, existing),
    ...findGaps('The history', versions, new Set(filterCompositions(ledger.acknowledged.keys()))),
  ];
  if (problems.length > 0) throw new FaultError(problems.join('; '));
}

async function createToken(server: FaultServer): Promise<string> {
  const { status, text } = await send(server, 'POST', '/app/tokens', JSON.stringify(token));
  if (status >= 300) throw new FaultError(`A new token was answered ${status}`);
  return (JSON.parse(text) as { token: string }).token;
}

/** Asserts that the server uses the shifted clock. */
async function expectClock(server: FaultServer, shift: number): Promise<void> {
  const { text } = await send(
    server,
    'POST',
    '/app/tokens',
    JSON.stringify({ ...token, name: `at ${shift}` }),
  );
  const { id } = JSON.parse(text) as { id: string };
  const list = JSON.parse((await send(server, 'GET', '/app/tokens')).text) as {
    id: string;
    created: string;
  }[];
  const created = Date.parse(list.find((listedToken) => listedToken.id === id)?.created ?? '');
  if (!(Math.abs(created - Date.now() - shift) < 60_000))
    throw new FaultError(`The server's clock is not off by ${shift} ms`);
}

/** Returns how many entries the audit log has gained. It must be intact. */
async function countNewEntries(server: FaultServer, entriesBefore: number | string = 0): Promise<number> {
  const { status, text } = await send(server, 'POST', '/app/audit/verify');
  if (status !== 200) throw new FaultError(`The audit trail's check was answered ${status}`);
  const { entries, broken: chainBreak } = JSON.parse(text) as {
    entries: number;
    broken?: { reason: string };
  };
  if (chainBreak) throw new FaultError(`The audit trail is broken: ${chainBreak.reason}`);
  if (entries <= Number(entriesBefore)) throw new FaultError('The audit trail does not go on');
  return entries - Number(entriesBefore);
}

/** Asserts that each version of a record is later than the previous one. */
function expectIncreasingTimes(data: string): void {
  const times = new Map<string, Map<number, string>>();
  for (const { key, text } of readStore(data).versions) {
    const [address = '', version] = key.split('/_history/');
    const { meta } = JSON.parse(text) as { meta: { lastUpdated: string } };
    times.set(
      address,
      (times.get(address) ?? new Map<number, string>()).set(Number(version), meta.lastUpdated),
    );
  }
  for (const [address, versions] of times) {
    for (const [version, time] of versions) {
      const previousTime = versions.get(version - 1);
      if (previousTime !== undefined && !(previousTime < time))
        throw new FaultError(
          `${address} version ${version} is of ${time}, the one before it of ${previousTime}`,
        );
    }
  }
}
