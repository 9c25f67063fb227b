import { pathOf } from '../../core/api/contract.ts';
import { erasureEntry } from '../../core/app/erasures.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import { doneEntry, type NewAuditEntry } from './audit-chain.ts';
import { checksumOf } from './checksum.ts';
import type { ErasureRequest, NewVersion, Removal } from './store.ts';

/** Audit action of an operation, and the status of its response. */
export const audited = {
  create: { action: 'create', status: 201 },
  update: { action: 'update', status: 200 },
  patch: { action: 'patch', status: 200 },
  import: { action: 'create', status: 201 },
} as const satisfies Record<WriteOperation, Pick<NewAuditEntry, 'action' | 'status'>>;

/** Creates the audit entry of a version. `before` is the number of the version it replaces. */
export function entryOf(next: NewVersion, before: number | undefined, sha256: Buffer): NewAuditEntry {
  const { type, id, version, author, person, reason, operation, requestId = '' } = next;
  const { action, status } = audited[operation];
  return {
    time: Date.parse(next.lastUpdated),
    who: author,
    action,
    what: pathOf(type, id),
    ...(person !== undefined && { person }),
    ...(reason !== undefined && { reasonSum: checksumOf(reason) }),
    ...(before !== undefined && { before }),
    after: version,
    status: requestId === '' ? 0 : status,
    requestId,
    sha256,
  };
}

/** Creates the audit entry of an erasure. */
export function erasedEntry({ requestId = '', ...request }: ErasureRequest): NewAuditEntry {
  const time = request.time === undefined ? Date.now() : Date.parse(request.time);
  const operation = { time, action: 'erase', what: erasureEntry(request), status: 201 } as const;
  return doneEntry({ ...request, requestId }, operation);
}

/** Creates the audit entry of a removal. */
export function removalEntry({ type, id, version, reason, now, ...actor }: Removal): NewAuditEntry {
  return {
    ...doneEntry(actor, { time: now, action: 'delete', what: pathOf(type, id), status: 200 }),
    ...(reason !== undefined && { reasonSum: checksumOf(reason) }),
    before: version,
  };
}
