/**
 * What the page and `/app/audit` say to each other: who did what to which record, in a chain that shows any change to
 * it. No bodies and no tokens stand in it.
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

/** Those that change records; the others look, let in or keep. */
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
  /** Name of the token; empty where nobody was signed in. */
  who: v.string(),
  /** Name of the person whose session it was; absent where none was named. */
  person: v.exactOptional(v.string()),
  /** Why a version was written, as the version has it: it leaves with an erased record. */
  reason: v.exactOptional(v.string()),
  action: v.picklist(auditActions),
  /**
   * What it was done to: a record's address, a search's address with its query, a token's id, a file's name. Of a move, where
   * the chains ended that came with it, and from where.
   */
  what: v.string(),
  /** Version before and after, where a version was written. */
  before: v.exactOptional(v.number()),
  after: v.exactOptional(v.number()),
  /** HTTP status; 0 where the work came from the command line. */
  status: v.number(),
  /** As `X-Request-Id` told it; empty where there was no request. */
  requestId: v.string(),
});
export type AuditEntry = Shape<typeof AuditEntry>;

/** The query of `GET /app/audit`; each narrows. `text` looks in `who`, `person`, `what` and `requestId`. */
export interface AuditFilter {
  readonly text?: string;
  readonly action?: AuditAction;
  /** What was changed alone: by {@link changingActions}, and not refused. */
  readonly changes?: true;
  /** `refused` are those with a status of 400 and above. */
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

/** `GET /app/audit/actions`, with the filter of the list: how many entries each action has, those without left out. */
export const AuditActions = v.object({
  actions: v.array(v.object({ action: v.picklist(auditActions), entries: v.number() })),
});
export type AuditActions = Shape<typeof AuditActions>;

/** `POST /app/audit/verify`: the whole chain is read again. */
export const AuditVerdict = v.object({
  entries: v.number(),
  /** The first entry that is not as it was written; absent where the chain is whole. */
  broken: v.exactOptional(v.object({ seq: v.number(), reason: v.string() })),
});
export type AuditVerdict = Shape<typeof AuditVerdict>;
