/**
 * Chain of seals that reveals any change of the audit log. Pure functions.
 *
 * Rows are sealed in groups of one transaction, at most {@link groupSize}. The last row of a group has a hash
 * of the previous seal and of the group's rows. A change of a row therefore requires new seals for all later
 * groups, which is impossible without the key, if there is one.
 */
import { createHmac, hash } from 'node:crypto';
import type { AuditVerification } from '../../core/app/audit.ts';

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

/** Result of the verification of a chain. */
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
