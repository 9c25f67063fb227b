import {
  changingActions,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
} from '../../core/app/audit.ts';
import { endOf, groupSize, sealOf, type ChainRow, type SealedRow, type SealKey } from './audit-chain.ts';
import { byOf, type Doer } from './doer.ts';
import { sqliteDialect } from './dialect.ts';
import { some, sql, type Sql } from './sql.ts';

/** An entry about to be written; its number and its seal are the trail's. */
export interface NewAuditEntry extends Omit<AuditEntry, 'seq' | 'time' | 'reason'> {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** SHA-256 of the text that was written. */
  readonly sha256?: Buffer;
  /** SHA-256 of the reason that was given. */
  readonly reasonSum?: Buffer;
}

/** The entry of what somebody did; the status is that of the request that asked, where one did. */
export function doneEntry(
  doer: Doer,
  { status, ...done }: Pick<NewAuditEntry, 'time' | 'action' | 'what' | 'status'>,
): NewAuditEntry {
  const { requestId } = doer;
  return { ...byOf(doer), ...done, status: requestId === '' ? 0 : status, requestId };
}

/** Where a chain ends. */
export interface ChainEnd {
  readonly seq: number;
  readonly seal: Buffer;
}

/** The rows of entries that follow the end of a chain, in the groups in which they are sealed. */
export function* sealedGroups(
  { seq, seal }: ChainEnd,
  entries: readonly NewAuditEntry[],
  key?: SealKey,
): Generator<readonly SealedRow[]> {
  let last = seq;
  let before = seal;
  for (let from = 0; from < entries.length; from += groupSize) {
    const group = entries.slice(from, from + groupSize).map((entry) => rowOf((last += 1), entry));
    before = sealOf(before, group, key);
    yield group.map((row, at) => storedRow(row, at === group.length - 1 ? before : null));
  }
}

function storedRow(row: ChainRow, seal: Buffer | null): SealedRow {
  const [seq, time, who, action, what, before, after, status, requestId, ...more] = row;
  const [sha256, person = null, reason] = more;
  const cells = [seq, time, who, action, what, before, after, status, requestId] as const;
  return [...cells, bytesOf(sha256), person, bytesOf(reason), seal];
}

function bytesOf(hex: string | null | undefined): Buffer | null {
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : null;
}

/** Longest text of a row: what was asked for may be as long as a body. */
const mostText = 4096;

function rowOf(seq: number, entry: NewAuditEntry): ChainRow {
  const { time, who, action, what, before, after, status, requestId } = entry;
  const { sha256 = null, person, reasonSum = null } = entry;
  const row = [seq, time, textOf(who), action, textOf(what)] as const;
  const rest = [before ?? null, after ?? null, status, textOf(requestId)] as const;
  return [...row, ...rest, ...endOf(sha256, person === undefined ? null : textOf(person), reasonSum)];
}

/** What an engine gives back is what was sealed: SQLite keeps whole characters alone, and PostgreSQL no U+0000. */
function textOf(text: string): string {
  const cut = text.length > mostText ? `${text.slice(0, mostText)}…` : text;
  return cut.toWellFormed().replaceAll('\0', '\ufffd');
}

/** The entry of a row; `reason` is the one that was given, where it is still there. */
export function entryIn(row: SealedRow, reason?: string): AuditEntry {
  const [seq, time, who, action, what, before, after, status, requestId, , person] = row;
  return {
    ...{ seq, time: new Date(time).toISOString(), who, action: action as AuditAction, what },
    ...(person !== null && { person }),
    ...(reason !== undefined && { reason }),
    ...(before !== null && { before }),
    ...(after !== null && { after }),
    ...{ status, requestId },
  };
}

/** A page of entries, of which one more was asked for. */
export function auditPageOf(found: readonly AuditEntry[], limit: number): AuditPage {
  const entries = found.slice(0, limit);
  const last = found.length > limit ? entries.at(-1) : undefined;
  return { entries, ...(last && { next: last.seq }) };
}

/** The conditions on a row that a filter lets through. */
export function conditionsOf(
  { text, action, changes, outcome, since }: AuditFilter,
  { holds: holdsIn } = sqliteDialect,
): Sql[] {
  const part = text?.toLowerCase() ?? '';
  const holds = (column: string) => holdsIn(`lower(${column})`, part);
  return [
    ...(part === '' ? [] : [some([holds('who'), holds('person'), holds('what'), holds('request_id')])]),
    ...(action === undefined ? [] : [sql('action = ?', action)]),
    ...(changes ? [some(changingActions.map((one) => sql('action = ?', one))), sql('status < 400')] : []),
    ...(outcome === undefined ? [] : [sql(outcome === 'done' ? 'status < 400' : 'status >= 400')]),
    ...(since === undefined ? [] : [sql('time >= ?', Date.parse(since))]),
  ];
}
