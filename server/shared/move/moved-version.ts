import { hash } from 'node:crypto';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { quickSumOf } from '../../store/checksum.ts';
import { replaceNulCharacters } from '../postgres/connection.ts';
import { columnsIn, type Value } from '../../store/sql.ts';

/** Data of a record that its text lacks. */
export interface MovedHead {
  readonly revalidateAtMs: number | null;
  /** Findings: `[ordinal, ...issueTypes]`. */
  readonly issues: readonly (readonly Value[])[];
  /** States of findings, set by people: the {@link sayingTypes}. */
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
  /** Stored checksum of the text. */
  readonly sha256: Buffer;
  readonly crc32: number | null;
  /** The text in UTF-8. */
  readonly bytes: Buffer;
  /** True if the text matches its checksum. */
  readonly isIntact: boolean;
  /** Present if it is the current version of its record. */
  readonly head?: MovedHead;
}

/** Columns of a version that both engines have, without its text. */
export const versionTypes = columnsIn(`pk bigint, record bigint, type text, id text, version integer,
  last_updated text, sort_date bigint, status text, title text, operation text, author text, person text, reason text,
  sha256 bytea, crc32 bigint`);
export const issueTypes = columnsIn('rule text, severity text, category text, pointer text, since integer');
export const sayingTypes = columnsIn(
  'rule text, pointer text, assignee text, waived text, until text, note text, who text, time bigint',
);

/** Creates a version from cells in the order of {@link versionTypes}, and its text. */
export function versionOf(cells: readonly Value[], bytes: Buffer): MovedVersion {
  const [pk, record, type, id, version, lastUpdated, date, status, title, ...furtherCells] = cells;
  const [operation, author, person, reason, storedSum, crc32] = furtherCells;
  const sha256 = Buffer.isBuffer(storedSum) ? storedSum : Buffer.alloc(0);
  return {
    pk: Number(pk),
    record: Number(record),
    type: String(type) as ResourceType,
    id: String(id),
    version: Number(version),
    lastUpdated: String(lastUpdated),
    sort: { date: Number(date), status: String(status), title: String(title) },
    operation: String(operation),
    author: String(author),
    person: textOf(person),
    reason: textOf(reason),
    sha256,
    crc32: typeof crc32 === 'number' ? crc32 : null,
    bytes,
    isIntact: hash('sha256', bytes, 'buffer').equals(sha256),
  };
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * Returns the cells in the order of {@link versionTypes}. A damaged text without CRC-32 gets -1, which no
 * text has.
 */
export function cellsOf(movedVersion: MovedVersion): Value[] {
  const { pk, record, type, id, version, lastUpdated, operation, author, person, reason, sha256 } =
    movedVersion;
  const { date, status, title } = movedVersion.sort;
  const crc32 = movedVersion.crc32 ?? (movedVersion.isIntact ? quickSumOf(movedVersion.bytes) : -1);
  return [
    pk,
    record,
    type,
    id,
    version,
    lastUpdated,
    date,
    status,
    title,
    operation,
    author,
    person,
    reason,
    sha256,
    crc32,
  ];
}

/** Returns the text as both engines store it. Invalid UTF-8 of a damaged text becomes U+FFFD. */
export function heldText({ bytes }: Pick<MovedVersion, 'bytes'>): string {
  return replaceNulCharacters(bytes.toString());
}
