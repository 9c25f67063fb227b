import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fhirPath } from '../../core/api/contract.ts';
import { expectAgreement } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { gaps, pagesOf } from '../load/walk.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { readStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** How far off the server's clock is in each round; before the last it starts anew. */
const shifts = [0, -1000, -hour, -3 * day, hour / 2, -365 * day];

/** Writes of a round. */
const writes = { full: 1000, short: 80 } as const;

const token = { name: 'clock', scopes: ['system/*.*'], expiresIn: (30 * day) / 1000 };

/** The machine's clock is set back, and forward, while clients write and page. */
export const loadClock: FaultCase = {
  name: 'load-clock',
  claim:
    'However the clock is set, lastUpdated grows within each record, paging meets every record and version once, and tokens and the audit trail go on.',
  beside: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const data = join(folder, 'data');
  const clock = join(folder, 'shift');
  await mkdir(data, { mode: 0o700 });
  const start = async (shift: number) => {
    await writeFile(clock, String(shift));
    const preload = pathToFileURL(resolve(import.meta.dirname, '../load/shifted-clock.ts')).href;
    return startServer(data, { nodeFlags: ['--import', preload], env: { CLOCK_SHIFT: clock } });
  };
  let server = await start(0);
  const ledger = new Ledger();
  const minted = await mint(server);
  for (const [round, shift] of shifts.entries()) {
    if (round === shifts.length - 1) {
      await server.stop();
      server = await start(shift);
    }
    await writeFile(clock, String(shift));
    await expectClock(server, shift);
    await passRound(server, ledger, { seed, stream: round, writes: writes[extent] });
    for (const holder of [minted, await mint(server)]) {
      const { status } = await send({ ...server, token: holder }, 'GET', `${fhirPath}/Composition?_count=1`);
      if (status !== 200)
        throw new FaultError(`A token was answered ${status} with the clock off by ${shift}`);
    }
    tally.add('audit entries', await auditEntries(server, tally.figures['audit entries']));
    tally.add('settings of the clock', 1);
    say(`${shift / 1000} s off`);
  }
  tally.add('acknowledged writes', ledger.acknowledged.size);
  await server.stop();
  tally.add('records', ledger.addresses.length);
  expectGrowth(data);
  await expectAgreement(data, ledger);
  return { result: 'passed', figures: tally.figures };
}

interface Round {
  readonly seed: number;
  readonly stream: number;
  readonly writes: number;
}

/** Clients write between the first and the second page of a search; the whole history is walked behind them. */
async function passRound(server: FaultServer, ledger: Ledger, { writes, ...round }: Round): Promise<void> {
  const ofType = (keys: Iterable<string>) => [...keys].filter((key) => key.startsWith('Composition/'));
  const there = new Set(ofType(ledger.addresses));
  const pages = pagesOf(server, `${fhirPath}/Composition?_sort=-_lastUpdated&_count=7`);
  const met = ((await pages.next()).value ?? []) as string[];
  const target = ledger.acknowledged.size + writes;
  const enough = () => ledger.acknowledged.size >= target;
  await startWriters({ server, ledger, ...round, clients: 4, enough }).ended;
  for await (const page of pages) met.push(...page);
  const records = met.map((version) => version.slice(0, version.indexOf('/_history/')));
  const versions: string[] = [];
  for await (const page of pagesOf(server, `${fhirPath}/Composition/_history?_count=50`))
    versions.push(...page);
  const found = [
    ...gaps('A search that others wrote beside', records, there),
    ...gaps('The history', versions, new Set(ofType(ledger.acknowledged.keys()))),
  ];
  if (found.length > 0) throw new FaultError(found.join('; '));
}

async function mint(server: FaultServer): Promise<string> {
  const { status, text } = await send(server, 'POST', '/app/tokens', JSON.stringify(token));
  if (status >= 300) throw new FaultError(`A new token was answered ${status}`);
  return (JSON.parse(text) as { token: string }).token;
}

/** The server's answers bear the date of the clock that it was given. */
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
  const created = Date.parse(list.find((one) => one.id === id)?.created ?? '');
  if (!(Math.abs(created - Date.now() - shift) < 60_000))
    throw new FaultError(`The server's clock is not off by ${shift} ms`);
}

/** How many entries the trail has more than before; it must be whole. */
async function auditEntries(server: FaultServer, before: number | string = 0): Promise<number> {
  const { status, text } = await send(server, 'POST', '/app/audit/verify');
  if (status !== 200) throw new FaultError(`The audit trail's check was answered ${status}`);
  const { entries, broken } = JSON.parse(text) as { entries: number; broken?: { reason: string } };
  if (broken) throw new FaultError(`The audit trail is broken: ${broken.reason}`);
  if (entries <= Number(before)) throw new FaultError('The audit trail does not go on');
  return entries - Number(before);
}

/** Within a record, each version is later than the one before it. */
function expectGrowth(data: string): void {
  const times = new Map<string, Map<number, string>>();
  for (const { key, text } of readStore(data).held) {
    const [address = '', version] = key.split('/_history/');
    const { meta } = JSON.parse(text) as { meta: { lastUpdated: string } };
    times.set(
      address,
      (times.get(address) ?? new Map<number, string>()).set(Number(version), meta.lastUpdated),
    );
  }
  for (const [address, versions] of times) {
    for (const [version, time] of versions) {
      const before = versions.get(version - 1);
      if (before !== undefined && !(before < time))
        throw new FaultError(`${address} version ${version} is of ${time}, the one before it of ${before}`);
    }
  }
}
