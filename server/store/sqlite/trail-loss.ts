import { AuditTrail, type TrailHead } from './audit-trail.ts';
import { readIn } from './sqlite.ts';

/** What is missing of what was acknowledged. */
export interface TrailLoss {
  /** Writes that are missing at least; 0 where none of those that are known of is a write. */
  readonly atLeast: number;
  /** Sentences for a person. */
  readonly cause: string;
}

/** What a trail lacks whose end was once at `kept`; undefined where it goes on from there. */
export function lossSince(trail: AuditTrail, kept: TrailHead): TrailLoss | undefined {
  if (trail.sealAt(kept.seq)?.equals(kept.seal)) return undefined;
  const { seq, version } = trail.head() ?? { seq: 0, version: 0 };
  const atLeast = Math.max(0, kept.version - version);
  const entries = kept.seq - seq;
  const cause =
    entries > 0
      ? `The audit trail ends at entry ${count(seq)}, and ${entries === 1 ? 'one more was' : `${count(entries)} more were`} written. The log beside the records was deleted, cut or damaged, or an older file was put in their place.`
      : `Entry ${count(kept.seq)} of the audit trail is not the one that was written. Another file was put in the place of the records, or the trail was written anew.`;
  return { atLeast, cause };
}

/** The same of the file at `path`, which no server holds; undefined too where it cannot be read. */
export function headIn(path: string): TrailHead | undefined {
  return readIn(path, (database) => new AuditTrail(database).head());
}

function count(number: number): string {
  return number.toLocaleString('en');
}
