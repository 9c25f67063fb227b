/**
 * Chain of seals that reveals any change of the audit log. Pure functions.
 *
 * Rows are sealed in groups of one transaction, at most {@link groupSize}. The last row of a group has a hash
 * of the previous seal and of the group's rows. A change of a row therefore requires new seals for all later
 * groups, which is impossible without the key, if there is one.
 */
import { createHmac, hash } from 'node:crypto';
import {
  changingActions,
  type AuditVerification,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
} from '../../core/app/audit.ts';
import { toAuditActor, type Actor } from './actor.ts';
import type { Dialect } from './dialect.ts';
import { joinOr, sql, type Sql } from './sql.ts';

/**
 * The sealed values of a row, in this order. The checksums of text and reason are SHA-256 in hex. A row ends
 * after its last value, so that rows from before the last columns existed keep their seals.
 */
export type ChainRow = readonly [...cells: Cells, ...more: OptionalCells];

type OptionalCells = readonly [sha256?: string | null, person?: string | null, reason?: string | null];

type Cells = readonly [
  seq: number,
  time: number,
  who: string,
  action: string,
  what: string,
  before: number | null,
  after: number | null,
  status: number,
  requestId: string,
];

/** A stored row, with the checksums of text and reason, and with the seal if it ends a group. */
export type SealedRow = readonly [
  ...row: Cells,
  sha256: Buffer | null,
  person: string | null,
  reason: Buffer | null,
  seal: Buffer | null,
];

/** Rows per seal. A change can be located to the group. */
export const groupSize = 50;

/** Seal before the first group. */
export const initialSeal = Buffer.alloc(32);

/** A key for seals. Its public `id` precedes each seal made with it. */
export interface SealKey {
  readonly id: Buffer;
  readonly secret: Buffer;
}

export function sealKey(secret: Buffer): SealKey {
  const id = hash('sha256', Buffer.concat([Buffer.from('chartkeeper audit key\n'), secret]), 'buffer');
  return { secret, id: id.subarray(0, 8) };
}

/**
 * Returns the SHA-256 of the previous seal and the rows. With a key, returns its id and the HMAC (RFC 2104).
 */
export function sealOf(previous: Buffer, rows: readonly ChainRow[], key?: SealKey): Buffer {
  const text = `${previous.toString('hex')}\n${JSON.stringify(rows)}`;
  if (!key) return hash('sha256', text, 'buffer');
  return Buffer.concat([key.id, createHmac('sha256', key.secret).update(text).digest()]);
}

/** Returns true if the seal was made with a key. */
export function isKeyed(seal: Buffer): boolean {
  return seal.length > initialSeal.length;
}

export interface ChainVerification extends AuditVerification {
  /** First entry sealed with a key. */
  readonly keyedSince?: number;
  /** Weakly sealed ranges, each by its first entry. Verification continued after them. */
  readonly doubts: readonly NonNullable<AuditVerification['broken']>[];
}

type Sealing = 'plain' | 'keyed' | 'foreign';

/** Verifies the rows of a chain from the first on, up to the first group that was changed. */
export class ChainReader {
  private readonly key: SealKey | undefined;
  private previous: Buffer = initialSeal;
  private group: ChainRow[] = [];
  private readCount = 0;
  private firstBreak: AuditVerification['broken'];
  private sealing: Sealing = 'plain';
  private keyedSince: number | undefined;
  private readonly doubts: { readonly seq: number; readonly reason: string }[] = [];

  constructor(key?: SealKey) {
    this.key = key;
  }

  /** Verifies the next rows. Returns false once the chain is broken. */
  take(rows: readonly SealedRow[]): boolean {
    for (const row of rows) {
      this.takeRow(row);
      if (this.firstBreak) return false;
    }
    return true;
  }

  /** Returns the result after all rows. */
  verdict(): ChainVerification {
    const [firstRow] = this.group;
    if (!this.firstBreak && firstRow) this.break(firstRow[0], 'it and all later entries were never sealed');
    if (this.key && this.readCount > 0 && this.keyedSince === undefined) {
      this.doubts.push({ seq: 1, reason: 'it and all later entries were not sealed with this key' });
    }
    return {
      entries: this.readCount,
      ...(this.firstBreak && { broken: this.firstBreak }),
      ...(this.keyedSince !== undefined && { keyedSince: this.keyedSince }),
      doubts: this.doubts,
    };
  }

  private takeRow(sealedRow: SealedRow): void {
    const [seq] = sealedRow;
    const seal = sealedRow[12];
    const dueSeq = this.readCount + 1;
    if (seq !== dueSeq) {
      this.break(dueSeq, seq > dueSeq ? 'it is missing' : 'a different entry precedes it');
      return;
    }
    this.readCount = dueSeq;
    this.group.push(chainRowOf(sealedRow));
    const firstSeq = this.group[0]?.[0] ?? dueSeq;
    if (seal === null) {
      if (this.group.length >= groupSize) this.break(firstSeq, 'it and all later entries were never sealed');
      return;
    }
    const sealing = this.sealingOf(seal);
    const key = sealing === 'keyed' ? this.key : undefined;
    if (sealing !== 'foreign' && !seal.equals(sealOf(this.previous, this.group, key))) {
      const subject = firstSeq === seq ? 'it' : `one of ${firstSeq} to ${seq}`;
      this.break(firstSeq, `${subject} was changed, or an entry before it was`);
      return;
    }
    this.recordSealing(sealing, firstSeq);
    this.previous = seal;
    this.group = [];
  }

  private sealingOf(seal: Buffer): Sealing {
    if (!isKeyed(seal)) return 'plain';
    return this.key?.id.equals(seal.subarray(0, this.key.id.length)) ? 'keyed' : 'foreign';
  }

  /** After the first seal with a key, any other seal is reported as doubtful: anyone could have made it. */
  private recordSealing(sealing: Sealing, seq: number): void {
    const previousSealing = this.sealing;
    this.sealing = sealing;
    if (sealing === previousSealing) return;
    if (sealing !== 'plain') this.keyedSince ??= seq;
    if (sealing === 'keyed') return;
    const foreignReason = this.key
      ? 'it and all later entries are sealed with a different key'
      : 'it and all later entries are sealed with a key that was not given';
    const reason =
      sealing === 'plain' ? 'it and all later entries are sealed without the key' : foreignReason;
    this.doubts.push({ seq, reason });
  }

  private break(seq: number, reason: string): void {
    this.firstBreak = { seq, reason };
  }
}

function chainRowOf(sealedRow: SealedRow): ChainRow {
  const [seq, time, actor, action, target, before, after, status, requestId, textSum, person, reason] =
    sealedRow;
  const row = [seq, time, actor, action, target, before, after, status, requestId] as const;
  return [...row, ...endOf(textSum, person, reason)];
}

/** Returns the optional cells of a row, up to the last one with a value. */
export function endOf(textSum: Buffer | null, person: string | null, reason: Buffer | null): OptionalCells {
  const text = textSum?.toString('hex') ?? null;
  if (reason !== null) return [text, person, reason.toString('hex')];
  if (person !== null) return [text, person];
  return text === null ? [] : [text];
}

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
