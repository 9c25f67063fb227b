/**
 * The chain that shows any change to the audit trail. Rows are sealed in groups, at most {@link groupSize} of one
 * transaction: the last row of a group carries a hash of the seal before it and of the group's rows. Who changes,
 * removes or adds a row has to forge every seal behind it, and where there is a key, cannot. Pure functions; the file
 * is the trail's business.
 */
import { createHmac, hash } from 'node:crypto';
import type { AuditVerdict } from '../../core/app/audit.ts';

/**
 * What is sealed of a row, in this order: seq, time, who, action, what, before, after, status, request id, the SHA-256
 * of the text that was written, in hex, the person, and the SHA-256 of the reason, in hex. A row ends behind its last
 * value, so that those from before the trail held one are sealed as they were.
 */
export type ChainRow = readonly [...cells: Cells, ...more: More];

type More = readonly [sha256?: string | null, person?: string | null, reason?: string | null];

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

/** A row as it is stored: with the sums of text and reason, where they were written, and its seal, where it ends a group. */
export type SealedRow = readonly [
  ...row: Cells,
  sha256: Buffer | null,
  person: string | null,
  reason: Buffer | null,
  seal: Buffer | null,
];

/** Rows of one seal: a change is found with certainty, and named to the group. */
export const groupSize = 50;

/** In front of the first group. */
export const noSeal = Buffer.alloc(32);

/** A key of seals. Its `id` stands in front of each seal that it made: which key is asked for is no secret. */
export interface SealKey {
  readonly id: Buffer;
  readonly secret: Buffer;
}

export function sealKey(secret: Buffer): SealKey {
  const id = hash('sha256', Buffer.concat([Buffer.from('chartkeeper audit key\n'), secret]), 'buffer');
  return { secret, id: id.subarray(0, 8) };
}

/** SHA-256 of what stood before and of the rows; with a key its id, and their HMAC (RFC 2104). */
export function sealOf(previous: Buffer, rows: readonly ChainRow[], key?: SealKey): Buffer {
  const text = `${previous.toString('hex')}\n${JSON.stringify(rows)}`;
  if (!key) return hash('sha256', text, 'buffer');
  return Buffer.concat([key.id, createHmac('sha256', key.secret).update(text).digest()]);
}

/** Whether a seal was made with a key. */
export function isKeyed(seal: Buffer): boolean {
  return seal.length > noSeal.length;
}

/** What a reading of a whole chain found. */
export interface ChainVerdict extends AuditVerdict {
  /** Where a key took over at first. */
  readonly keyedSince?: number;
  /** Stretches whose seals say less than they should, each by its first entry; the reading went on behind them. */
  readonly doubts: readonly NonNullable<AuditVerdict['broken']>[];
}

type Sealing = 'plain' | 'keyed' | 'foreign';

/** Reads a trail from its first row on, piece by piece, up to the first group that is not as it was written. */
export class ChainReader {
  private readonly key: SealKey | undefined;
  private previous: Buffer = noSeal;
  private group: ChainRow[] = [];
  private read = 0;
  private broken: AuditVerdict['broken'];
  private sealing: Sealing = 'plain';
  private keyedSince: number | undefined;
  private readonly doubts: { readonly seq: number; readonly reason: string }[] = [];

  constructor(key?: SealKey) {
    this.key = key;
  }

  /** Takes the next rows; false once the chain is broken. */
  take(rows: readonly SealedRow[]): boolean {
    for (const row of rows) {
      this.takeOne(row);
      if (this.broken) return false;
    }
    return true;
  }

  /** What was found once all rows were taken. */
  verdict(): ChainVerdict {
    const [first] = this.group;
    if (!this.broken && first) this.break(first[0], 'it and what follows it were never sealed');
    if (this.key && this.read > 0 && this.keyedSince === undefined) {
      this.doubts.push({ seq: 1, reason: 'neither it nor what follows it was sealed with the key' });
    }
    return {
      entries: this.read,
      ...(this.broken && { broken: this.broken }),
      ...(this.keyedSince !== undefined && { keyedSince: this.keyedSince }),
      doubts: this.doubts,
    };
  }

  private takeOne(sealed: SealedRow): void {
    const [seq] = sealed;
    const seal = sealed[12];
    const due = this.read + 1;
    if (seq !== due) {
      this.break(due, seq > due ? 'it is missing' : 'another stands in front of it');
      return;
    }
    this.read = due;
    this.group.push(chainRowOf(sealed));
    const first = this.group[0]?.[0] ?? due;
    if (seal === null) {
      if (this.group.length >= groupSize) this.break(first, 'it and what follows it were never sealed');
      return;
    }
    const sealing = this.sealingOf(seal);
    const key = sealing === 'keyed' ? this.key : undefined;
    if (sealing !== 'foreign' && !seal.equals(sealOf(this.previous, this.group, key))) {
      const which = first === seq ? 'it is' : `one of ${first} to ${seq} is`;
      this.break(first, `${which} not as it was written, or what stood in front of it`);
      return;
    }
    this.note(sealing, first);
    this.previous = seal;
    this.group = [];
  }

  private sealingOf(seal: Buffer): Sealing {
    if (!isKeyed(seal)) return 'plain';
    return this.key?.id.equals(seal.subarray(0, this.key.id.length)) ? 'keyed' : 'foreign';
  }

  /** Behind the first seal with a key, each that was made otherwise is a doubt: anyone could have made it. */
  private note(sealing: Sealing, seq: number): void {
    const former = this.sealing;
    this.sealing = sealing;
    if (sealing === former) return;
    if (sealing !== 'plain') this.keyedSince ??= seq;
    if (sealing === 'keyed') return;
    const other = this.key ? 'another key than the one given' : 'a key, which was not given';
    const how = sealing === 'plain' ? 'sealed without the key' : `sealed with ${other}`;
    this.doubts.push({ seq, reason: `it and what follows it are ${how}` });
  }

  private break(seq: number, reason: string): void {
    this.broken = { seq, reason };
  }
}

function chainRowOf(sealed: SealedRow): ChainRow {
  const [seq, time, who, action, what, before, after, status, requestId, sum, person, reason] = sealed;
  const row = [seq, time, who, action, what, before, after, status, requestId] as const;
  return [...row, ...endOf(sum, person, reason)];
}

/** The last cells of a row, up to the last that has a value. */
export function endOf(sum: Buffer | null, person: string | null, reason: Buffer | null): More {
  const text = sum?.toString('hex') ?? null;
  if (reason !== null) return [text, person, reason.toString('hex')];
  if (person !== null) return [text, person];
  return text === null ? [] : [text];
}
