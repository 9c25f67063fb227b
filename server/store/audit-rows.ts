import {
  changingActions,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
} from '../../core/app/audit.ts';
import { endOf, groupSize, sealOf, type ChainRow, type SealedRow, type SealKey } from './audit-chain.ts';
import { toAuditActor, type Actor } from './actor.ts';
import type { Dialect } from './dialect.ts';
import { joinOr, sql, type Sql } from './sql.ts';

/** A new entry, without number and seal. */
export interface NewAuditEntry extends Omit<AuditEntry, 'seq' | 'time' | 'reason'> {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** SHA-256 of the written text. */
  readonly sha256?: Buffer;
  /** SHA-256 of the reason. */
  readonly reasonSum?: Buffer;
}

/** Creates the entry of an operation. The entry has the status of the request, or 0 without a request. */
export function doneEntry(
  actor: Actor,
  { status, ...operation }: Pick<NewAuditEntry, 'time' | 'action' | 'what' | 'status'>,
): NewAuditEntry {
  const { requestId } = actor;
  return { ...toAuditActor(actor), ...operation, status: requestId === '' ? 0 : status, requestId };
}

/** A command of the command line. It has no request and no response. */
export type CommandEntry = Pick<NewAuditEntry, 'action' | 'what' | 'who'>;

/** Builds the audit entry of a command that ran now. */
export function commandEntry({ action, what: target, who: actor }: CommandEntry): NewAuditEntry {
  return { time: Date.now(), who: actor, action, what: target, status: 0, requestId: '' };
}

/** End of a chain. */
export interface ChainEnd {
  readonly seq: number;
  readonly seal: Buffer;
}

/** Yields the rows that follow the end of a chain, in sealed groups. */
export function* sealedGroups(
  { seq, seal }: ChainEnd,
  entries: readonly NewAuditEntry[],
  key?: SealKey,
): Generator<readonly SealedRow[]> {
  let lastSeq = seq;
  let previousSeal = seal;
  for (let groupStart = 0; groupStart < entries.length; groupStart += groupSize) {
    const group = entries
      .slice(groupStart, groupStart + groupSize)
      .map((entry) => rowOf((lastSeq += 1), entry));
    previousSeal = sealOf(previousSeal, group, key);
    yield group.map((row, index) => storedRow(row, index === group.length - 1 ? previousSeal : null));
  }
}

function storedRow(row: ChainRow, seal: Buffer | null): SealedRow {
  const [seq, time, actor, action, target, before, after, status, requestId, ...optionalCells] = row;
  const [sha256, person = null, reason] = optionalCells;
  const cells = [seq, time, actor, action, target, before, after, status, requestId] as const;
  return [...cells, bytesOf(sha256), person, bytesOf(reason), seal];
}

function bytesOf(hex: string | null | undefined): Buffer | null {
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : null;
}

/** Longest text of a row in characters. A target may be as long as a body. */
const maxTextLength = 4096;

function rowOf(seq: number, entry: NewAuditEntry): ChainRow {
  const { time, who: actor, action, what: target, before, after, status, requestId } = entry;
  const { sha256 = null, person, reasonSum = null } = entry;
  const row = [seq, time, textOf(actor), action, textOf(target)] as const;
  const furtherCells = [before ?? null, after ?? null, status, textOf(requestId)] as const;
  return [...row, ...furtherCells, ...endOf(sha256, person === undefined ? null : textOf(person), reasonSum)];
}

/**
 * Converts a text so that every engine returns it as sealed: SQLite stores only whole characters, PostgreSQL
 * no U+0000.
 */
function textOf(text: string): string {
  const truncated = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return truncated.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Converts a row to an entry. The reason is absent after an erasure. */
export function entryIn(row: SealedRow, reason?: string): AuditEntry {
  const [seq, time, actor, action, target, before, after, status, requestId, , person] = row;
  return {
    seq,
    time: new Date(time).toISOString(),
    who: actor,
    action: action as AuditAction,
    what: target,
    ...(person !== null && { person }),
    ...(reason !== undefined && { reason }),
    ...(before !== null && { before }),
    ...(after !== null && { after }),
    status,
    requestId,
  };
}

/** Converts rows to a page. One extra row was requested. */
export function auditPageOf(foundEntries: readonly AuditEntry[], limit: number): AuditPage {
  const entries = foundEntries.slice(0, limit);
  const lastEntry = foundEntries.length > limit ? entries.at(-1) : undefined;
  return { entries, ...(lastEntry && { next: lastEntry.seq }) };
}

/** Returns the SQL conditions of a filter. */
export function conditionsOf(
  { text, action, changes, outcome, since }: AuditFilter,
  { contains: containsSql }: Pick<Dialect, 'contains'>,
): Sql[] {
  const part = text?.toLowerCase() ?? '';
  const contains = (column: string) => containsSql(`lower(${column})`, part);
  return [
    ...(part === ''
      ? []
      : [joinOr([contains('who'), contains('person'), contains('what'), contains('request_id')])]),
    ...(action === undefined ? [] : [sql('action = ?', action)]),
    ...(changes
      ? [
          joinOr(changingActions.map((changingAction) => sql('action = ?', changingAction))),
          sql('status < 400'),
        ]
      : []),
    ...(outcome === undefined ? [] : [sql(outcome === 'done' ? 'status < 400' : 'status >= 400')]),
    ...(since === undefined ? [] : [sql('time >= ?', Date.parse(since))]),
  ];
}
