/**
 * Moves everything that a store holds from one engine to the other. The destination keeps which move is under way and how far
 * it is, in one transaction with what is written, so that a move that was stopped, however it was, goes on. Called by the
 * command line. Invariant: until everything was compared with the source and is the same, no server starts on the destination;
 * the source is never changed.
 */
import { hash } from 'node:crypto';
import { isKeyed, type SealKey } from '../store/audit-chain.ts';
import { withDestinationDatabase } from './database-destination.ts';
import { withSourceDatabase } from './database-source.ts';
import type { MoveDestination, Source } from './ends.ts';
import { withDestinationFolder } from './folder-destination.ts';
import { withSourceFolder } from './folder-source.ts';
import { kinds } from './kinds.ts';
import type { Compared, MoveState } from './state.ts';

/** Whom a move tells what it does. */
export interface MoveTold {
  /** A sentence, of which nothing is known while it goes on. */
  readonly say: (sentence: string) => void;
  /** How far a part of the work is. */
  readonly reached: (done: number, total: number, unit: string) => void;
}

export interface MoveOrder {
  /** One of the two is a data folder, the other `postgres://…`. */
  readonly from: string;
  readonly to: string;
  readonly key?: SealKey | undefined;
}

/** What everything came to; nothing where something differs, of which the destination is not let loose. */
export type Moved = Compared | undefined;

/**
 * Moves a store, or goes on with it; what was moved already is told again.
 *
 * @throws Error with a sentence, DataFolderError, StoreError: what was written until then stays, and is gone on with.
 */
export async function move({ from, to, key }: MoveOrder, told: MoveTold): Promise<Moved> {
  if (isDatabase(from) === isDatabase(to))
    throw new Error('Of --from and --to one is a data folder, and the other the address of a shared store.');
  const withSource = isDatabase(from) ? withSourceDatabase : withSourceFolder;
  const withDestination = isDatabase(to) ? withDestinationDatabase : withDestinationFolder;
  return withDestination(to, async (destination) => {
    const reached = await withSource(from, (source) => moveRows(source, destination, key, told));
    if (reached === 'differs') return undefined;
    if (reached === 'going on') {
      await destination.derive((done, total) => told.reached(done, total, 'records indexed'));
      await destination.end(key);
    }
    return (await destination.known())?.state.compared;
  });
}

function isDatabase(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/** Copies and compares; answers whether there is more to do. */
async function moveRows(
  source: Source,
  destination: MoveDestination,
  key: SealKey | undefined,
  told: MoveTold,
): Promise<'differs' | 'going on' | 'ended'> {
  refuseOtherKey(await source.seals(), key);
  const known = await destination.known();
  const identity = await identityOf(source);
  if (known && known.state.source !== identity)
    throw new Error(
      `${destination.name} has records of another store, from ${known.state.from}. Name a new place in --to.`,
    );
  if (known?.ended) {
    told.say(`${destination.name} has it already, from ${known.state.from}: nothing was done.`);
    return 'ended';
  }
  if (known) await destination.goOn(known.state);
  else await destination.begin({ source: identity, from: source.name, places: {} });
  if (destination.state.compared) return 'going on';
  await copyAll(source, destination, told);
  const compared = await compareAll(source, destination, key, told);
  if (!compared) return 'differs';
  await destination.save({ ...destination.state, compared });
  return 'going on';
}

/** @throws Error where the trail is sealed with a key that is not this one: what a move says there has to be, too. */
function refuseOtherKey(seals: readonly Buffer[], key: SealKey | undefined): void {
  const keyed = seals.filter(isKeyed);
  if (keyed.every((seal) => key?.id.equals(seal.subarray(0, key.id.length)))) return;
  const other = key ? 'another key than the one in --audit-key-file' : 'a key: name it in --audit-key-file';
  throw new Error(`The audit trail of the source is sealed with ${other}.`);
}

/** What tells a store from any other: its first version, and the first entry of its trail. */
async function identityOf(source: Source): Promise<string> {
  const firsts: (string | null)[] = [];
  for (const kind of kinds.filter(({ name }) => name === 'versions' || name === 'audit entries'))
    firsts.push((await kind.first(source))?.toString('hex') ?? null);
  return hash('sha256', JSON.stringify(firsts));
}

async function copyAll(source: Source, destination: MoveDestination, { reached }: MoveTold): Promise<void> {
  const places = (state: MoveState) => [state.places.versions, state.places['audit entries']] as const;
  const total = await source.left(undefined, undefined);
  let done = total - (await source.left(...places(destination.state)));
  for (const kind of kinds)
    await kind.copy(source, destination, destination.state.places[kind.name], (rows) => {
      done += rows;
      reached(Math.min(done, total), total, 'rows copied');
    });
}

/** Compares everything; answers what it comes to where nothing differs. */
async function compareAll(
  source: Source,
  destination: MoveDestination,
  key: SealKey | undefined,
  { say, reached }: MoveTold,
): Promise<Compared | undefined> {
  const total = await source.left(undefined, undefined);
  let [done, found, different] = [0, 0, 0];
  const damaged = (sentence: string) => {
    found += 1;
    say(`In the source: ${sentence}`);
  };
  const differs = (name: string) => {
    different += 1;
    say(`Different: ${name}.`);
  };
  const digests: string[] = [];
  const counts: [string, number][] = [];
  for (const kind of kinds) {
    const same = await kind.compare(source, destination, {
      ...{ damaged, differs },
      done: (rows) => reached(Math.min((done += rows), total), total, 'rows compared'),
    });
    digests.push(`${kind.name} ${same.digest.toString('hex')}\n`);
    counts.push(...same.counts);
  }
  const { ends, broken } = await source.trail(key);
  for (const sentence of [...(broken === undefined ? [] : [broken]), ...source.staysBehind()])
    damaged(sentence);
  if (different > 0) return undefined;
  return { digest: hash('sha256', digests.join('')), counts, found, ends };
}
