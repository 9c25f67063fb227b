import type { AuditVerdict } from '../../core/app/audit.ts';
import { ChainReader, type ChainVerdict, type SealedRow, type SealKey } from './audit-chain.ts';

/** The chain of a data folder, and of the first server over a shared store: the one goes on as the other. */
export const ownChain = 1;

/** An entry with its place among all of the trail; its number is that within its chain. */
export interface ChainedRow {
  readonly place: number;
  /** Number of the server whose chain it is. */
  readonly chain: number;
  readonly row: SealedRow;
}

/** Where a chain ended, as an entry of the trail names it. */
export interface NamedEnd {
  readonly chain: number;
  readonly number: number;
  /** The beginning of its seal, in hex. */
  readonly seal: string;
}

/** Bytes of a seal by which an entry names it. */
const named = 16;

/** How an entry names a seal. */
export function beginningOf(seal: unknown): string {
  return seal instanceof Buffer ? seal.subarray(0, named).toString('hex') : '';
}

/** `1:204:8f0a…` for each chain: its number, its newest entry, and the beginning of that one's seal. */
export function namesOf(ends: readonly NamedEnd[]): string {
  return ends.map(({ chain, number, seal }) => `${chain}:${number}:${seal}`).join(' ');
}

const endForm = /^(\d+):(\d+):([0-9a-f]{32})$/;

/** The ends that an entry names, which is a day's seal or a move; what else it says stands behind them. */
function endsIn([, , , action, what]: SealedRow): NamedEnd[] {
  if (action !== 'seal' && action !== 'move') return [];
  const words = what.split(' ').map((word) => endForm.exec(word));
  const others = words.indexOf(null);
  return words
    .slice(0, others === -1 ? words.length : others)
    .map((found) => ({ chain: Number(found?.[1]), number: Number(found?.[2]), seal: found?.[3] ?? '' }));
}

/**
 * Reads a trail, whose entries stand in one order and are each of a server's chain: each chain by itself, up to the first
 * group that is not as it was written.
 */
export class ChainsReader {
  /** The ends that entries name: whoever reads looks whether they are there ({@link missingOf}). */
  readonly ends: NamedEnd[] = [];
  private readonly key: SealKey | undefined;
  private readonly chains = new Map<number, { readonly reader: ChainReader; last: number }>();
  /** Whether an entry's place is something else than its number. */
  private joined = false;

  constructor(key?: SealKey) {
    this.key = key;
  }

  /** Takes the next entries; false once a chain is broken. */
  take(rows: readonly ChainedRow[]): boolean {
    for (const { place, chain, row } of rows) {
      this.joined ||= chain !== ownChain || row[0] !== place;
      this.ends.push(...endsIn(row));
      let read = this.chains.get(chain);
      if (!read) this.chains.set(chain, (read = { reader: new ChainReader(this.key), last: 0 }));
      if (!read.reader.take([row])) return false;
      read.last = row[0];
    }
    return true;
  }

  /** The number of the last entry of a chain that was read; 0 where none was. */
  lastOf(chain: number): number {
    return this.chains.get(chain)?.last ?? 0;
  }

  /** What was found once all entries were taken, of all chains; `keyedSince` is of the own one. */
  verdict(): ChainVerdict {
    const all = [...this.chains].map(([chain, { reader }]) => ({ chain, verdict: reader.verdict() }));
    const broken = all.find(({ verdict }) => verdict.broken);
    const keyedSince = all.find(({ chain }) => chain === ownChain)?.verdict.keyedSince;
    return {
      entries: all.reduce((sum, { verdict }) => sum + verdict.entries, 0),
      ...(broken?.verdict.broken && { broken: this.of(broken.chain, broken.verdict.broken) }),
      ...(keyedSince !== undefined && { keyedSince }),
      doubts: all.flatMap(({ chain, verdict }) => verdict.doubts.map((doubt) => this.of(chain, doubt))),
    };
  }

  private of(chain: number, found: Finding): Finding {
    if (!this.joined) return found;
    return { seq: found.seq, reason: `in the chain of server ${chain}, ${found.reason}` };
  }
}

type Finding = NonNullable<AuditVerdict['broken']>;

/** The first of these ends that is not in the trail as it was named; `sealAt` reads the seal of an entry of a chain. */
export async function missingOf(
  ends: readonly NamedEnd[],
  sealAt: (chain: number, number: number) => unknown,
): Promise<Finding | undefined> {
  for (const { chain, number, seal } of ends) {
    if (beginningOf(await sealAt(chain, number)) === seal) continue;
    return {
      seq: number,
      reason: `in the chain of server ${chain}, it is not the one that an entry names as its end`,
    };
  }
  return undefined;
}
