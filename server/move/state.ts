import * as v from 'valibot';
import { ownerName } from '../../core/app/tokens.ts';
import type { Shape } from '../../core/json/shape.ts';
import type { NewAuditEntry } from '../store/audit-rows.ts';

/** What the comparison of everything came to, once nothing differed. */
const Compared = v.object({
  /** SHA-256 of all that was moved, in hex. */
  digest: v.string(),
  counts: v.array(v.tuple([v.string(), v.number()])),
  /** Sentences about what was wrong in the source, and is at the destination. */
  found: v.number(),
  /** Where the chains of the audit trail ended that were moved (audit-chains.ts). */
  ends: v.string(),
});
export type Compared = Shape<typeof Compared>;

/** How far a move is. It stands in the destination, and is read by whoever goes on with it. */
export const MoveState = v.object({
  /** What tells the source from any other, in hex. */
  source: v.string(),
  /** The source as a person named it, without a password. */
  from: v.string(),
  /** By kind, the place of the last row that was written. */
  places: v.record(v.string(), v.array(v.union([v.string(), v.number()]))),
  compared: v.exactOptional(Compared),
});
export type MoveState = Shape<typeof MoveState>;

/** The same with whether it has ended. */
export interface KnownMove {
  readonly state: MoveState;
  readonly ended: boolean;
}

/** What the trail says of a move: where the chains ended that came with it, and from where. */
export function entryOf({ from, compared }: MoveState): NewAuditEntry {
  const ends = compared?.ends ?? '';
  return {
    ...{ time: Date.now(), who: ownerName, action: 'move', status: 0, requestId: '' },
    what: ends === '' ? `from ${from}` : `${ends} from ${from}`,
  };
}
