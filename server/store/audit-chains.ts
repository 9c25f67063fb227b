import type { AuditVerification } from '../../core/app/audit.ts';
import { ChainReader, type ChainVerification, type SealedRow, type SealKey } from './audit-chain.ts';

/** Chain of a data folder, and of the first server of a shared store. A move continues the same chain. */
export const localChain = 1;

/** An entry with its position among all chains. `row` has the number within its chain. */
export interface ChainedRow {
  readonly place: number;
  /** Number of the server whose chain it is. */
  readonly chain: number;
  readonly row: SealedRow;
}

/** End of a chain, as an entry records it. */
export interface NamedEnd {
  readonly chain: number;
  readonly number: number;
  /** First bytes of the seal, in hex. */
  readonly seal: string;
}

/** Bytes of a seal that an entry records. */
const prefixBytes = 16;

/** Returns the prefix of a seal, in hex. */
export function beginningOf(seal: unknown): string {
  return seal instanceof Buffer ? seal.subarray(0, prefixBytes).toString('hex') : '';
}

/** Formats chain ends as `1:204:8f0a…`: chain, latest entry and prefix of its seal. */
export function formatChainEnds(chainEnds: readonly NamedEnd[]): string {
  return chainEnds.map(({ chain, number, seal }) => `${chain}:${number}:${seal}`).join(' ');
}

const endPattern = /^(\d+):(\d+):([0-9a-f]{32})$/;

/** Parses the chain ends at the start of an entry for a daily seal or a move. */
function parseEnds([, , , action, target]: SealedRow): NamedEnd[] {
  if (action !== 'seal' && action !== 'move') return [];
  const matches = target.split(' ').map((part) => endPattern.exec(part));
  const endCount = matches.indexOf(null);
  return matches
    .slice(0, endCount === -1 ? matches.length : endCount)
    .map((match) => ({ chain: Number(match?.[1]), number: Number(match?.[2]), seal: match?.[3] ?? '' }));
}

/**
 * Verifies an audit log in which the chains of several servers are mixed. Each chain is verified up to its
 * first changed group.
 */
export class ChainsReader {
  /** Chain ends that entries record. The caller verifies that they exist ({@link missingOf}). */
  readonly recordedEnds: NamedEnd[] = [];
  private readonly key: SealKey | undefined;
  private readonly chains = new Map<number, { readonly reader: ChainReader; lastSeq: number }>();
  /** True if an entry's position differs from its number. */
  private hasSeveralChains = false;

  constructor(key?: SealKey) {
    this.key = key;
  }

  /** Verifies the next entries. Returns false once a chain is broken. */
  take(rows: readonly ChainedRow[]): boolean {
    for (const { place, chain, row } of rows) {
      this.hasSeveralChains ||= chain !== localChain || row[0] !== place;
      this.recordedEnds.push(...parseEnds(row));
      let chainState = this.chains.get(chain);
      if (!chainState)
        this.chains.set(chain, (chainState = { reader: new ChainReader(this.key), lastSeq: 0 }));
      if (!chainState.reader.take([row])) return false;
      chainState.lastSeq = row[0];
    }
    return true;
  }

  /** Returns the number of the last verified entry of a chain, or 0. */
  getLastSeq(chain: number): number {
    return this.chains.get(chain)?.lastSeq ?? 0;
  }

  /** Returns the result for all chains. `keyedSince` belongs to the local chain. */
  verdict(): ChainVerification {
    const results = [...this.chains].map(([chain, { reader }]) => ({ chain, verdict: reader.verdict() }));
    const brokenChain = results.find(({ verdict }) => verdict.broken);
    const keyedSince = results.find(({ chain }) => chain === localChain)?.verdict.keyedSince;
    return {
      entries: results.reduce((sum, { verdict }) => sum + verdict.entries, 0),
      ...(brokenChain?.verdict.broken && {
        broken: this.locate(brokenChain.chain, brokenChain.verdict.broken),
      }),
      ...(keyedSince !== undefined && { keyedSince }),
      doubts: results.flatMap(({ chain, verdict }) =>
        verdict.doubts.map((doubt) => this.locate(chain, doubt)),
      ),
    };
  }

  private locate(chain: number, finding: Finding): Finding {
    if (!this.hasSeveralChains) return finding;
    return { seq: finding.seq, reason: `in the chain of server ${chain}, ${finding.reason}` };
  }
}

type Finding = NonNullable<AuditVerification['broken']>;

/** Returns the first recorded end that the log lacks. `sealAt` reads the seal of an entry of a chain. */
export async function missingOf(
  chainEnds: readonly NamedEnd[],
  sealAt: (chain: number, number: number) => unknown,
): Promise<Finding | undefined> {
  for (const { chain, number, seal } of chainEnds) {
    if (beginningOf(await sealAt(chain, number)) === seal) continue;
    return {
      seq: number,
      reason: `in the chain of server ${chain}, it is not the one that an entry names as its end`,
    };
  }
  return undefined;
}
