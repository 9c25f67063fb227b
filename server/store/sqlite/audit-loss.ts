import { formatCount, formatPlural } from '../../../core/text/language.ts';
import { AuditLogWriter, type ChainHead } from './audit-log-writer.ts';
import { readIn } from './sqlite.ts';

/** What is missing of what was acknowledged. */
export interface AuditLoss {
  /** Writes that are missing at least; 0 where none of those that are known of is a write. */
  readonly atLeast: number;
  /** Sentences for a person. */
  readonly cause: string;
}

const endForms = {
  one: 'The audit log ends at entry {last}, but {n} more entry was written. The log next to the records was deleted, truncated or damaged, or an older file took its place.',
  other:
    'The audit log ends at entry {last}, but {n} more entries were written. The log next to the records was deleted, truncated or damaged, or an older file took its place.',
};

/** What a trail lacks whose end was once at `kept`; undefined where it goes on from there. */
export function lossSince(trail: AuditLogWriter, kept: ChainHead): AuditLoss | undefined {
  if (trail.sealAt(kept.seq)?.equals(kept.seal)) return undefined;
  const { seq, version } = trail.head() ?? { seq: 0, version: 0 };
  const atLeast = Math.max(0, kept.version - version);
  const entries = kept.seq - seq;
  const cause =
    entries > 0
      ? formatPlural(entries, endForms, { last: seq })
      : `Entry ${formatCount(kept.seq)} of the audit log differs from the one that was written. The records file was replaced, or the log was rewritten.`;
  return { atLeast, cause };
}

/** The same of the file at `path`, which no server holds; undefined too where it cannot be read. */
export function headIn(path: string): ChainHead | undefined {
  return readIn(path, (database) => new AuditLogWriter(database).head());
}
