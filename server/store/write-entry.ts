import { pathOf } from '../../core/api/contract.ts';
import { erasureEntry } from '../../core/app/erasures.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import { doneEntry, type NewAuditEntry } from './audit-rows.ts';
import { checksumOf } from './checksum.ts';
import type { Erasing, NewVersion } from './store.ts';

/** What an audit entry calls an operation, and the status that tells its client so. */
export const audited = {
  create: { action: 'create', status: 201 },
  update: { action: 'update', status: 200 },
  patch: { action: 'patch', status: 200 },
  import: { action: 'create', status: 201 },
} as const satisfies Record<WriteOperation, Pick<NewAuditEntry, 'action' | 'status'>>;

/** The entry of the audit trail that belongs to a version; `before` is the one that it replaces. */
export function entryOf(next: NewVersion, before: number | undefined, sha256: Buffer): NewAuditEntry {
  const { type, id, version, author, person, reason, operation, requestId = '' } = next;
  const { action, status } = audited[operation];
  return {
    ...{ time: Date.parse(next.lastUpdated), who: author, action, what: pathOf(type, id) },
    ...(person !== undefined && { person }),
    ...(reason !== undefined && { reasonSum: checksumOf(reason) }),
    ...(before !== undefined && { before }),
    ...{ after: version, status: requestId === '' ? 0 : status, requestId, sha256 },
  };
}

/** The entry of the audit trail that belongs to an erasure. */
export function erasedEntry({ requestId = '', ...erasing }: Erasing): NewAuditEntry {
  const time = erasing.time === undefined ? Date.now() : Date.parse(erasing.time);
  const done = { time, action: 'erase', what: erasureEntry(erasing), status: 201 } as const;
  return doneEntry({ ...erasing, requestId }, done);
}
