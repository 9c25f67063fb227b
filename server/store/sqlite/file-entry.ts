/** What the audit trail says of the files of a store. */
import { basename } from 'node:path';
import type { AuditAction } from '../../../core/app/audit.ts';
import type { NewAuditEntry } from '../audit-rows.ts';
import { byOf, type Doer } from '../doer.ts';

export const nobody: Doer = { who: '', requestId: '' };

export function entryOf(action: AuditAction, file: string, doer: Doer): NewAuditEntry {
  const { requestId } = doer;
  const status = requestId === '' ? 0 : 200;
  return { time: Date.now(), ...byOf(doer), action, what: basename(file), status, requestId };
}
