import { copyFile, cp, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { keptOutsideIn } from '../../server/workspace/audit-anchor.ts';
import { flipBit } from '../bits.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { send, startServer } from '../server.ts';
import { waitUntil } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 20, short: 1 } as const;

const writes = 30;

type Damage = (log: string, random: Random) => Promise<void>;

/** Damage to a write-ahead log after kill -9. */
const damages: Readonly<Record<string, Damage>> = {
  'log deleted': (log) => rm(log),
  'log cut in half': async (log) => truncate(log, Math.floor((await stat(log)).size / 2)),
  'bit flipped in the middle': async (log, random) => {
    const { size } = await stat(log);
    await flipBitAt(log, Math.floor(size / 3) + random.integerBetween(0, Math.floor(size / 3)), random);
  },
  // Only index rows follow this write, and those are rebuilt.
  'bit flipped in the last write': async (log, random) =>
    flipBitAt(log, (await readFile(log)).lastIndexOf('"resourceType"'), random),
};

async function flipBitAt(file: string, offset: number, random: Random): Promise<void> {
  const bytes = await readFile(file);
  flipBit(bytes, offset, random);
  await writeFile(file, bytes);
}

/**
 * The latest writes are only in the write-ahead log, which is damaged. The database file itself is intact.
 */
export const logDamage: FaultCase = {
  name: 'log-damage',
  claim:
    'If a write-ahead log is deleted, cut in half, or has a flipped bit after kill -9, verify and the next start report exactly how many acknowledged writes are missing, and the server serves the others. A mere kill is not reported.',
  parallel: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const random = new Random(seed, 0, 7);
  for (let round = 0; round < rounds[runLength]; round += 1) {
    const killedFolder = join(folder, `killed-${round}`);
    await writeAndKill(killedFolder, seed, round);
    tally.add('acknowledged writes', writes);
    const intactFolder = join(folder, 'whole');
    await cp(killedFolder, intactFolder, { recursive: true });
    if ((await countMissing(intactFolder)).missing !== 0)
      throw new FaultError('A kill lost an acknowledged write');
    await rm(intactFolder, { recursive: true });
    tally.add('kills alone, told by nobody', 1);
    for (const [name, damage] of Object.entries(damages)) {
      const damagedFolder = join(folder, 'damaged');
      await cp(killedFolder, damagedFolder, { recursive: true });
      await damage(join(damagedFolder, 'records.db-wal'), random);
      const { missing } = await countMissing(damagedFolder);
      if (missing === 0) throw new FaultError(`${name}: nothing is missing, so that nothing was tried`);
      tally.add(name, 1);
      tally.add('writes missing, as many named by verify and the start', missing);
      await rm(damagedFolder, { recursive: true });
    }
    await rm(killedFolder, { recursive: true });
    if ((round + 1) % 5 === 0) say(`${round + 1} of ${rounds[runLength]} rounds`);
  }
  return { result: 'passed', figures: tally.figures };
}

/**
 * Writes one record after another, waits until the head of the audit log is stored in the workspace, and
 * kills the server.
 */
async function writeAndKill(data: string, seed: number, stream: number): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  const ledger = new Ledger();
  const server = await startServer(data);
  const hasEnough = () => ledger.acknowledged.size >= writes;
  await startWriters({ server, ledger, seed, stream, clients: 1, mixture: { create: 1 }, hasEnough }).done;
  await waitUntil(
    'the end of the trail outside the records',
    async () => (await readStoredVersion(data)) === writes,
    5000,
  );
  await server.kill();
}

/**
 * Returns the number of versions at the last stored audit head. Reads a copy, because the server locks the
 * file.
 */
async function readStoredVersion(data: string): Promise<number> {
  const copy = join(data, '..', 'workspace-copy.db');
  for (const suffix of ['-shm', '-wal', '']) {
    await rm(copy + suffix, { force: true });
    const file = join(data, `workspace.db${suffix}`);
    if (suffix !== '-shm' && existsSync(file)) await copyFile(file, copy + suffix);
  }
  return keptOutsideIn(copy)?.head?.version ?? 0;
}

/**
 * Runs verify and a start on a folder. Returns how many writes are missing, and asserts that both report that
 * number.
 */
async function countMissing(data: string): Promise<{ readonly missing: number }> {
  const verified = await runCommand(['verify', '--data', data]);
  const server = await startServer(data);
  const { counts } = JSON.parse((await send(server, 'GET', '/app/overview')).text) as {
    counts: Record<string, number>;
  };
  const { losses } = JSON.parse((await send(server, 'GET', '/app/losses')).text) as {
    losses: readonly { readonly atLeast: number }[];
  };
  const stderr = server.stderr();
  await server.stop();
  const missing = writes - Object.values(counts).reduce((sum, count) => sum + count, 0);
  const reportedCounts = {
    verify: parseNumber(/^the file lacks at least (\d+) ack/m, verified.stdout),
    stderr: parseNumber(/^At least (\d+) ack/m, stderr),
    '/app/losses': losses.reduce((sum, { atLeast }) => sum + atLeast, 0),
  };
  for (const [source, count] of Object.entries(reportedCounts)) {
    if (count !== missing)
      throw new FaultError(`${missing} writes are missing, and ${source} names ${count}`);
  }
  if ((verified.code === 0) !== (missing === 0)) throw new FaultError(`verify ends with ${verified.code}`);
  if (missing === 0 && stderr !== '') throw new FaultError(`A start behind a kill says: ${stderr}`);
  return { missing };
}

function parseNumber(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}
