/**
 * Data of `/app/audit`: the audit log, a hash chain that reveals any change. It contains no bodies and no
 * tokens.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

export const auditActions = [
  'read',
  'search',
  'create',
  'update',
  'patch',
  'delete',
  'sign-in',
  'sign-out',
  'token-create',
  'token-revoke',
  'backup',
  'restore',
  'reset',
  'seal',
  'erase',
  'finding',
  'move',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const changingActions: readonly AuditAction[] = [
  'create',
  'update',
  'patch',
  'delete',
  'restore',
  'reset',
  'erase',
];

const AuditEntry = v.object({
  /** Rises by one with each entry, from 1. */
  seq: v.number(),
  /** Instant, UTC. */
  time: v.string(),
  /** Name of the token; empty if the request had no valid token. */
  who: v.string(),
  /** Current person of the session; absent if none was named. */
  person: v.exactOptional(v.string()),
  /** Reason of a written version. An erasure removes it with the record. */
  reason: v.exactOptional(v.string()),
  action: v.picklist(auditActions),
  /**
   * Target of the action: address of a record, address and query of a search, id of a token or name of a
   * file. For a move: source and chain heads of the moved log.
   */
  what: v.string(),
  /** Versions before and after a write. */
  before: v.exactOptional(v.number()),
  after: v.exactOptional(v.number()),
  /** HTTP status; 0 for work of the command line. */
  status: v.number(),
  /** Value of `X-Request-Id`; empty without a request. */
  requestId: v.string(),
});
export type AuditEntry = Shape<typeof AuditEntry>;

/**
 * Query of `GET /app/audit`. Each member narrows the list. `text` searches `who`, `person`, `what` and
 * `requestId`.
 */
export interface AuditFilter {
  readonly text?: string;
  readonly action?: AuditAction;
  /** Selects successful {@link changingActions} only. */
  readonly changes?: true;
  /** `refused` selects a status of 400 and above. */
  readonly outcome?: 'done' | 'refused';
  /** Instant of the oldest entry. */
  readonly since?: string;
}

/** `GET /app/audit?before=SEQ`, newest first. */
export const AuditPage = v.object({
  entries: v.array(AuditEntry),
  /** `before` of the next page; absent on the last. */
  next: v.exactOptional(v.number()),
});
export type AuditPage = Shape<typeof AuditPage>;

/**
 * Response of `GET /app/audit/actions`, with the filter of the list: entries by action. Actions without
 * entries are left out.
 */
export const AuditActions = v.object({
  actions: v.array(v.object({ action: v.picklist(auditActions), entries: v.number() })),
});
export type AuditActions = Shape<typeof AuditActions>;

/** Response of `POST /app/audit/verify`, which reads the whole chain. */
export const AuditVerification = v.object({
  entries: v.number(),
  /** First entry that was changed; absent if the chain is intact. */
  broken: v.exactOptional(v.object({ seq: v.number(), reason: v.string() })),
});
export type AuditVerification = Shape<typeof AuditVerification>;
