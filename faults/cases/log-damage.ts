import { copyFile, cp, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { keptOutsideIn } from '../../server/workspace/kept-trail.ts';
import { flip } from '../bits.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { send, startServer } from '../server.ts';
import { until } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 20, short: 1 } as const;

const writes = 30;

type Damage = (log: string, random: Random) => Promise<void>;

/** What happens to a log behind kill -9. */
const damages: Readonly<Record<string, Damage>> = {
  'log deleted': (log) => rm(log),
  'log cut in half': async (log) => truncate(log, Math.floor((await stat(log)).size / 2)),
  'bit flipped in the middle': async (log, random) => {
    const { size } = await stat(log);
    await flipIn(log, Math.floor(size / 3) + random.between(0, Math.floor(size / 3)), random);
  },
  // What comes behind it are index rows, which are made anew.
  'bit flipped in the last write': async (log, random) =>
    flipIn(log, (await readFile(log)).lastIndexOf('"resourceType"'), random),
};

async function flipIn(file: string, at: number, random: Random): Promise<void> {
  const bytes = await readFile(file);
  flip(bytes, at, random);
  await writeFile(file, bytes);
}

/** The newest work lies in the log beside the database; it is gone, and the file before it is sound. */
export const logDamage: FaultCase = {
  name: 'log-damage',
  claim:
    'Of a write-ahead log that was deleted, cut in half, or lost a bit behind kill -9, verify and the next start name as many acknowledged writes as are missing, and the server serves on; a kill alone is told by nobody.',
  beside: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const random = new Random(seed, 0, 7);
  for (let round = 0; round < rounds[extent]; round += 1) {
    const killed = join(folder, `killed-${round}`);
    await writeAndKill(killed, seed, round);
    tally.add('acknowledged writes', writes);
    const whole = join(folder, 'whole');
    await cp(killed, whole, { recursive: true });
    if ((await told(whole)).missing !== 0) throw new FaultError('A kill lost an acknowledged write');
    await rm(whole, { recursive: true });
    tally.add('kills alone, told by nobody', 1);
    for (const [name, damage] of Object.entries(damages)) {
      const damaged = join(folder, 'damaged');
      await cp(killed, damaged, { recursive: true });
      await damage(join(damaged, 'records.db-wal'), random);
      const { missing } = await told(damaged);
      if (missing === 0) throw new FaultError(`${name}: nothing is missing, so that nothing was tried`);
      tally.add(name, 1);
      tally.add('writes missing, as many named by verify and the start', missing);
      await rm(damaged, { recursive: true });
    }
    await rm(killed, { recursive: true });
    if ((round + 1) % 5 === 0) say(`${round + 1} of ${rounds[extent]} rounds`);
  }
  return { result: 'passed', figures: tally.figures };
}

/** Writes one after the other, waits until the end of the trail is kept outside, and kills the server. */
async function writeAndKill(data: string, seed: number, stream: number): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  const ledger = new Ledger();
  const server = await startServer(data);
  const enough = () => ledger.acknowledged.size >= writes;
  await startWriters({ server, ledger, seed, stream, clients: 1, mixture: { create: 1 }, enough }).ended;
  await until(
    'the end of the trail outside the records',
    async () => (await keptVersion(data)) === writes,
    5000,
  );
  await server.kill();
}

/** How many versions there were when the end was kept last; the file itself is held by its server. */
async function keptVersion(data: string): Promise<number> {
  const copy = join(data, '..', 'workspace-copy.db');
  for (const end of ['-shm', '-wal', '']) {
    await rm(copy + end, { force: true });
    const file = join(data, `workspace.db${end}`);
    if (end !== '-shm' && existsSync(file)) await copyFile(file, copy + end);
  }
  return keptOutsideIn(copy)?.head?.version ?? 0;
}

/** Has verify and a start look at a folder; answers how many writes are missing, which both must have named. */
async function told(data: string): Promise<{ readonly missing: number }> {
  const verified = await runCommand(['verify', '--data', data]);
  const server = await startServer(data);
  const { counts } = JSON.parse((await send(server, 'GET', '/app/overview')).text) as {
    counts: Record<string, number>;
  };
  const { losses } = JSON.parse((await send(server, 'GET', '/app/losses')).text) as {
    losses: readonly { readonly atLeast: number }[];
  };
  const said = server.said();
  await server.stop();
  const missing = writes - Object.values(counts).reduce((sum, count) => sum + count, 0);
  const named = {
    verify: numberIn(/^the file lacks at least (\d+) ack/m, verified.stdout),
    stderr: numberIn(/^At least (\d+) ack/m, said),
    '/app/losses': losses.reduce((sum, { atLeast }) => sum + atLeast, 0),
  };
  for (const [where, count] of Object.entries(named)) {
    if (count !== missing) throw new FaultError(`${missing} writes are missing, and ${where} names ${count}`);
  }
  if ((verified.code === 0) !== (missing === 0)) throw new FaultError(`verify ends with ${verified.code}`);
  if (missing === 0 && said !== '') throw new FaultError(`A start behind a kill says: ${said}`);
  return { missing };
}

function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}
