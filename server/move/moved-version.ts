import { hash } from 'node:crypto';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { quickSumOf } from '../store/checksum.ts';
import { withoutZero } from '../store/postgres/connection.ts';
import { columnsIn, type Value } from '../store/sql.ts';

/** What stands beside a record and no text tells. */
export interface MovedHead {
  readonly judgeAgain: number | null;
  /** Its findings: `[ordinal, ...issueTypes]`. */
  readonly issues: readonly (readonly Value[])[];
  /** What people said of them: the {@link sayingTypes}. */
  readonly sayings: readonly (readonly Value[])[];
}

export interface MovedVersion {
  readonly pk: number;
  readonly record: number;
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly lastUpdated: string;
  readonly sort: { readonly date: number; readonly status: string; readonly title: string };
  readonly operation: string;
  readonly author: string;
  readonly person: string | null;
  readonly reason: string | null;
  /** As it stands beside the text. */
  readonly sha256: Buffer;
  readonly crc32: number | null;
  /** The text in UTF-8. */
  readonly bytes: Buffer;
  /** Whether it is the one that was written. */
  readonly whole: boolean;
  /** Where it is the current version of its record. */
  readonly head?: MovedHead;
}

/** The columns of a version that both engines have, beside its text. */
export const versionTypes = columnsIn(`pk bigint, record bigint, type text, id text, version integer,
  last_updated text, sort_date bigint, status text, title text, operation text, author text, person text, reason text,
  sha256 bytea, crc32 bigint`);
export const issueTypes = columnsIn('rule text, severity text, category text, pointer text, since integer');
export const sayingTypes = columnsIn(
  'rule text, pointer text, assignee text, waived text, until text, note text, who text, time bigint',
);

/** A version by its cells in the order of {@link versionTypes}, and its text. */
export function versionOf(cells: readonly Value[], bytes: Buffer): MovedVersion {
  const [pk, record, type, id, version, lastUpdated, date, status, title, ...rest] = cells;
  const [operation, author, person, reason, sum, crc32] = rest;
  const sha256 = Buffer.isBuffer(sum) ? sum : Buffer.alloc(0);
  return {
    ...{ pk: Number(pk), record: Number(record), type: String(type) as ResourceType, id: String(id) },
    ...{ version: Number(version), lastUpdated: String(lastUpdated) },
    sort: { date: Number(date), status: String(status), title: String(title) },
    ...{ operation: String(operation), author: String(author) },
    ...{ person: textOf(person), reason: textOf(reason), sha256 },
    ...{ crc32: typeof crc32 === 'number' ? crc32 : null, bytes },
    whole: hash('sha256', bytes, 'buffer').equals(sha256),
  };
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Its cells in the order of {@link versionTypes}. Of a text that is damaged and has no quick sum, one that no text has. */
export function cellsOf(moved: MovedVersion): Value[] {
  const { pk, record, type, id, version, lastUpdated, operation, author, person, reason, sha256 } = moved;
  const { date, status, title } = moved.sort;
  const crc32 = moved.crc32 ?? (moved.whole ? quickSumOf(moved.bytes) : -1);
  return [
    ...[pk, record, type, id, version, lastUpdated, date, status, title],
    ...[operation, author, person, reason, sha256, crc32],
  ];
}

/** Its text, as both engines hold it. One that is damaged may hold what is no UTF-8, for which U+FFFD stands. */
export function heldText({ bytes }: Pick<MovedVersion, 'bytes'>): string {
  return withoutZero(bytes.toString());
}
