import { formatCount, formatPlural } from '../../../core/text/language.ts';
import type { AuditLoss, ChainHead } from '../audit-log.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { readDatabaseFile } from '../../sqlite/sqlite.ts';

const endForms = {
  one: 'The audit log ends at entry {last}, but {n} more entry was written. The log next to the records was deleted, truncated or damaged, or an older file took its place.',
  other:
    'The audit log ends at entry {last}, but {n} more entries were written. The log next to the records was deleted, truncated or damaged, or an older file took its place.',
};

/** Returns the loss since a known chain head, or undefined if the log continues it. */
export function findLossSince(auditLog: AuditLogWriter, anchor: ChainHead): AuditLoss | undefined {
  if (auditLog.sealAt(anchor.seq)?.equals(anchor.seal)) return undefined;
  const { seq, version } = auditLog.head() ?? { seq: 0, version: 0 };
  const atLeast = Math.max(0, anchor.version - version);
  const entries = anchor.seq - seq;
  const cause =
    entries > 0
      ? formatPlural(entries, endForms, { last: seq })
      : `Entry ${formatCount(anchor.seq)} of the audit log differs from the one that was written. The records file was replaced, or the log was rewritten.`;
  return { atLeast, cause };
}

/** Reads the chain head of a file that no server has open, or undefined if it can't be read. */
export function headIn(path: string): ChainHead | undefined {
  return readDatabaseFile(path, (database) => new AuditLogWriter(database).head());
}
