/**
 * Moves everything in a store from one engine to the other. Called by the command line.
 *
 * The destination stores the state of the move in the transactions that write rows, so an interrupted move
 * can be resumed. Invariant: no server starts on the destination until everything is compared and equal. The
 * source is never changed.
 */
import { hash } from 'node:crypto';
import { isKeyed, type SealKey } from '../../store/audit-chain.ts';
import { withDestinationDatabase } from './database-destination.ts';
import { withSourceDatabase } from './database-source.ts';
import type { MoveDestination, Source } from './ends.ts';
import { withDestinationFolder } from './folder-destination.ts';
import { withSourceFolder } from './folder-source.ts';
import { tableMovers } from './kinds.ts';
import type { TableComparison, MoveState } from './state.ts';

export interface MoveReporter {
  /** Reports a message without progress. */
  readonly report: (sentence: string) => void;
  readonly reportProgress: (done: number, total: number, unit: string) => void;
}

export interface MoveOrder {
  /** One of the two is a data folder, the other `postgres://…`. */
  readonly from: string;
  readonly to: string;
  readonly key?: SealKey | undefined;
}

/** Result of a move. Undefined if anything differs; the destination then stays blocked. */
export type MoveResult = TableComparison | undefined;

/**
 * Moves a store, or resumes the move. Reports the result again if it is complete.
 *
 * @throws Error with a message, DataFolderError, StoreError: rows written until then stay, and a repeated
 * call resumes.
 */
export async function move({ from, to, key }: MoveOrder, reporter: MoveReporter): Promise<MoveResult> {
  if (isDatabase(from) === isDatabase(to))
    throw new Error('One of --from and --to must be a data folder, the other a shared store.');
  const withSource = isDatabase(from) ? withSourceDatabase : withSourceFolder;
  const withDestination = isDatabase(to) ? withDestinationDatabase : withDestinationFolder;
  return withDestination(to, async (destination) => {
    const progress = await withSource(from, (source) => moveRows(source, destination, key, reporter));
    if (progress === 'differs') return undefined;
    if (progress === 'resuming') {
      await destination.derive((done, total) => reporter.reportProgress(done, total, 'records indexed'));
      await destination.end(key);
    }
    return (await destination.readKnownMove())?.state.compared;
  });
}

function isDatabase(target: string): boolean {
  return /^postgres(ql)?:\/\//.test(target);
}

/** Copies and compares. Returns the next step. */
async function moveRows(
  source: Source,
  destination: MoveDestination,
  key: SealKey | undefined,
  reporter: MoveReporter,
): Promise<'differs' | 'resuming' | 'ended'> {
  assertSameKey(await source.listLatestSeals(), key);
  const knownMove = await destination.readKnownMove();
  const identity = await identityOf(source);
  if (knownMove && knownMove.state.source !== identity)
    throw new Error(
      `${destination.name} contains records of another store, from ${knownMove.state.from}. Use a new destination for --to.`,
    );
  if (knownMove?.ended) {
    reporter.report(
      `${destination.name} already has everything from ${knownMove.state.from}. Nothing was done.`,
    );
    return 'ended';
  }
  if (knownMove) await destination.resume(knownMove.state);
  else await destination.begin({ source: identity, from: source.name, places: {} });
  if (destination.state.compared) return 'resuming';
  await copyAll(source, destination, reporter);
  const result = await compareAll(source, destination, key, reporter);
  if (!result) return 'differs';
  await destination.save({ ...destination.state, compared: result });
  return 'resuming';
}

/** @throws Error if another key seals the audit log, because the move adds an entry. */
function assertSameKey(seals: readonly Buffer[], key: SealKey | undefined): void {
  const keyedSeals = seals.filter(isKeyed);
  if (keyedSeals.every((seal) => key?.id.equals(seal.subarray(0, key.id.length)))) return;
  throw new Error(
    key
      ? 'The source’s audit log is sealed with a different key than the one in --audit-key-file.'
      : 'The source’s audit log is sealed with a key. Name the key in --audit-key-file.',
  );
}

/** Returns the identity of a store: digests of its first version and its first audit entry. */
async function identityOf(source: Source): Promise<string> {
  const firstDigests: (string | null)[] = [];
  for (const kind of tableMovers.filter(({ name }) => name === 'versions' || name === 'audit entries'))
    firstDigests.push((await kind.digestFirst(source))?.toString('hex') ?? null);
  return hash('sha256', JSON.stringify(firstDigests));
}

async function copyAll(
  source: Source,
  destination: MoveDestination,
  { reportProgress }: MoveReporter,
): Promise<void> {
  const places = (state: MoveState) => [state.places.versions, state.places['audit entries']] as const;
  const total = await source.countAfter(undefined, undefined);
  let done = total - (await source.countAfter(...places(destination.state)));
  for (const kind of tableMovers)
    await kind.copy(source, destination, destination.state.places[kind.name], (rows) => {
      done += rows;
      reportProgress(Math.min(done, total), total, 'rows copied');
    });
}

/** Compares everything. Returns the result if nothing differs. */
async function compareAll(
  source: Source,
  destination: MoveDestination,
  key: SealKey | undefined,
  { report, reportProgress }: MoveReporter,
): Promise<TableComparison | undefined> {
  const total = await source.countAfter(undefined, undefined);
  let [doneCount, damageCount, differenceCount] = [0, 0, 0];
  const reportDamage = (message: string) => {
    damageCount += 1;
    report(`In the source: ${message}`);
  };
  const reportDifference = (name: string) => {
    differenceCount += 1;
    report(`Different: ${name}.`);
  };
  const digests: string[] = [];
  const counts: [string, number][] = [];
  for (const kind of tableMovers) {
    const result = await kind.compare(source, destination, {
      reportDamage,
      differs: reportDifference,
      done: (rows) => reportProgress(Math.min((doneCount += rows), total), total, 'rows compared'),
    });
    digests.push(`${kind.name} ${result.digest.toString('hex')}\n`);
    counts.push(...result.counts);
  }
  const { chainEnds, problem: brokenMessage } = await source.readAuditState(key);
  for (const message of [
    ...(brokenMessage === undefined ? [] : [brokenMessage]),
    ...source.describeUnmoved(),
  ])
    reportDamage(message);
  if (differenceCount > 0) return undefined;
  return { digest: hash('sha256', digests.join('')), counts, found: damageCount, ends: chainEnds };
}
