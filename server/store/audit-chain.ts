/**
 * The chain that shows any change to the audit trail. Rows are sealed in groups, at most {@link groupSize} of one
 * transaction: the last row of a group carries the SHA-256 of the seal before it and of the group's rows. Who changes,
 * removes or adds a row has to forge every seal behind it. Pure functions; the file is the trail's business.
 */
import { hash } from 'node:crypto';
import type { AuditVerdict } from '../../core/app/audit.ts';

/** What is sealed of a row, in this order: seq, time, who, action, what, before, after, status, request id. */
export type ChainRow = readonly [
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

/** A row with its seal, where it ends a group. */
export type SealedRow = readonly [...ChainRow, seal: Buffer | null];

/** Rows of one seal: a change is found with certainty, and named to the group. */
export const groupSize = 50;

/** In front of the first group. */
export const noSeal = Buffer.alloc(32);

export function sealOf(previous: Buffer, rows: readonly ChainRow[]): Buffer {
  return hash('sha256', `${previous.toString('hex')}\n${JSON.stringify(rows)}`, 'buffer');
}

/** Reads a trail from its first row on, piece by piece, up to the first group that is not as it was written. */
export class ChainReader {
  private previous: Buffer = noSeal;
  private group: ChainRow[] = [];
  private read = 0;
  private broken: AuditVerdict['broken'];

  /** Takes the next rows; false once the chain is broken. */
  take(rows: readonly SealedRow[]): boolean {
    for (const row of rows) {
      this.takeOne(row);
      if (this.broken) return false;
    }
    return true;
  }

  /** What was found once all rows were taken. */
  verdict(): AuditVerdict {
    const [first] = this.group;
    if (!this.broken && first) this.break(first[0], 'it and what follows it were never sealed');
    return { entries: this.read, ...(this.broken && { broken: this.broken }) };
  }

  private takeOne([...cells]: SealedRow): void {
    const seal = cells.pop();
    const row = cells as unknown as ChainRow;
    const [seq] = row;
    const due = this.read + 1;
    if (seq !== due) {
      this.break(due, seq > due ? 'it is missing' : 'another stands in front of it');
      return;
    }
    this.read = due;
    this.group.push(row);
    const first = this.group[0]?.[0] ?? due;
    if (seal === null) {
      if (this.group.length >= groupSize) this.break(first, 'it and what follows it were never sealed');
      return;
    }
    if (!Buffer.isBuffer(seal) || !seal.equals(sealOf(this.previous, this.group))) {
      const which = first === seq ? 'it is' : `one of ${first} to ${seq} is`;
      this.break(first, `${which} not as it was written, or what stood in front of it`);
      return;
    }
    this.previous = seal;
    this.group = [];
  }

  private break(seq: number, reason: string): void {
    this.broken = { seq, reason };
  }
}
