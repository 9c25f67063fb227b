/**
 * What the page and `/app/audit` say to each other: who did what to which record, in a chain that shows any change to
 * it. No bodies and no tokens stand in it.
 */

export const auditActions = [
  'read',
  'search',
  'create',
  'update',
  'patch',
  'delete',
  'sign-in',
  'token-create',
  'token-revoke',
  'backup',
  'restore',
  'reset',
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditEntry {
  /** Rises by one with each entry, from 1. */
  readonly seq: number;
  /** Instant, UTC. */
  readonly time: string;
  /** Name of the token; empty where nobody was signed in. */
  readonly who: string;
  readonly action: AuditAction;
  /** What it was done to: a record's address, a search's address with its query, a token's id, a file's name. */
  readonly what: string;
  /** Version before and after, where a version was written. */
  readonly before?: number;
  readonly after?: number;
  /** HTTP status; 0 where the work came from the command line. */
  readonly status: number;
  /** As `X-Request-Id` told it; empty where there was no request. */
  readonly requestId: string;
}

/** The query of `GET /app/audit`; each narrows. `text` looks in `who`, `what` and `requestId`. */
export interface AuditFilter {
  readonly text?: string;
  readonly action?: AuditAction;
  /** `refused` are those with a status of 400 and above. */
  readonly outcome?: 'done' | 'refused';
  /** Instant of the oldest entry. */
  readonly since?: string;
}

/** `GET /app/audit?before=SEQ`, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** `before` of the next page; absent on the last. */
  readonly next?: number;
}

/** `POST /app/audit/verify`: the whole chain is read again. */
export interface AuditVerdict {
  readonly entries: number;
  /** The first entry that is not as it was written; absent where the chain is whole. */
  readonly broken?: { readonly seq: number; readonly reason: string };
}

export function isAuditPage(value: unknown): value is AuditPage {
  return isMembers(value) && Array.isArray(value.entries) && value.entries.every(isEntry);
}

export function isAuditVerdict(value: unknown): value is AuditVerdict {
  if (!isMembers(value) || typeof value.entries !== 'number') return false;
  const { broken } = value;
  return (
    broken === undefined ||
    (isMembers(broken) && typeof broken.seq === 'number' && typeof broken.reason === 'string')
  );
}

function isEntry(value: unknown): value is AuditEntry {
  return (
    isMembers(value) &&
    auditActions.some((action) => action === value.action) &&
    ['seq', 'status'].every((name) => typeof value[name] === 'number') &&
    ['time', 'who', 'what', 'requestId'].every((name) => typeof value[name] === 'string')
  );
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
