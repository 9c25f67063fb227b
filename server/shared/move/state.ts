import * as v from 'valibot';
import { ownerName } from '../../../core/app/tokens.ts';
import type { Shape } from '../../../core/json/shape.ts';
import type { NewAuditEntry } from '../../store/audit-chain.ts';

/** Result of the comparison without differences. */
const ComparisonResult = v.object({
  /** SHA-256 of everything moved, in hex. */
  digest: v.string(),
  counts: v.array(v.tuple([v.string(), v.number()])),
  /** Number of damaged rows in the source, also moved. */
  found: v.number(),
  /** Ends of the moved audit chains (audit-chains.ts). */
  ends: v.string(),
});
export type TableComparison = Shape<typeof ComparisonResult>;

/** State of a move. It is stored in the destination for a resumed move. */
export const MoveState = v.object({
  /** Identity of the source, in hex. */
  source: v.string(),
  /** Name of the source, without a password. */
  from: v.string(),
  /** Key of the last written row, by kind. */
  places: v.record(v.string(), v.array(v.union([v.string(), v.number()]))),
  compared: v.exactOptional(ComparisonResult),
});
export type MoveState = Shape<typeof MoveState>;

/** State of a move that has started or finished. */
export interface KnownMove {
  readonly state: MoveState;
  readonly ended: boolean;
}

/** Creates the audit entry of a move: the ends of the moved chains, and their source. */
export function entryOf({ from, compared: comparison }: MoveState): NewAuditEntry {
  const chainEnds = comparison?.ends ?? '';
  return {
    time: Date.now(),
    who: ownerName,
    action: 'move',
    status: 0,
    requestId: '',
    what: chainEnds === '' ? `from ${from}` : `${chainEnds} from ${from}`,
  };
}
