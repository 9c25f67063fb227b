import { openReader } from '../sqlite/sqlite.ts';
import {
  batchLimits,
  IncompatibleIndexError,
  isPersonSql,
  type PersonRow,
  type SourceRow,
  type TextSource,
} from './text-source.ts';

const columnsAndTables = `v.pk, v.record, v.type, v.id, coalesce(o.source, '') AS source,
    CASE WHEN r.current = v.pk THEN v.body END AS body
  FROM version v LEFT JOIN record r ON r.pk = v.record LEFT JOIN origin o ON o.type = v.type AND o.id = v.id`;

/**
 * Reads the records of a file over a read-only connection. A position is the key and the SHA-256 of the last read
 * version, so that an index of other records is recognized.
 */
export function fileSource(path: string): TextSource {
  const records = openReader(path);
  const newest = records.prepare<unknown[], number>('SELECT coalesce(max(pk), 0) FROM version').pluck();
  const sum = records.prepare<unknown[], Buffer>('SELECT sha256 FROM version WHERE pk = ?').pluck();
  const after = records.prepare<unknown[], SourceRow>(
    `SELECT ${columnsAndTables} WHERE v.pk > ? ORDER BY v.pk`,
  );
  const upTo = records.prepare<unknown[], SourceRow>(
    `SELECT ${columnsAndTables} WHERE v.pk <= ? ORDER BY v.pk DESC`,
  );

  const peopleAfter = records.prepare<unknown[], PersonRow>(
    `SELECT pk, id, source, body FROM companion WHERE pk > ? AND ${isPersonSql} ORDER BY pk LIMIT ${batchLimits.rows}`,
  );
  const lastCompanion = records
    .prepare<unknown[], number>('SELECT coalesce(max(pk), 0) FROM companion')
    .pluck();
  const peopleCount = records
    .prepare<unknown[], number>(`SELECT count(*) FROM companion WHERE ${isPersonSql}`)
    .pluck();
  const peopleKeys = records
    .prepare<unknown[], number>(`SELECT pk FROM companion WHERE ${isPersonSql}`)
    .pluck();

  function placeAt(number: number): string {
    return number === 0 ? '' : `${number} ${sum.get(number)?.toString('hex') ?? ''}`;
  }

  return {
    begin() {
      const top = newest.get() ?? 0;
      return { place: placeAt(top), filled: top };
    },
    next(place) {
      const number = parseKey(place);
      if (place !== placeAt(number)) throw new IncompatibleIndexError('The index is of other records.');
      const rows = readBatch(after, number);
      const lastRow = rows.at(-1);
      return { rows, place: lastRow ? placeAt(lastRow.pk) : place };
    },
    before: (maxKey) => readBatch(upTo, maxKey),
    people: (afterKey) => ({
      rows: peopleAfter.all(afterKey),
      lastKey: lastCompanion.get() ?? 0,
      count: peopleCount.get() ?? 0,
    }),
    personKeys: () => peopleKeys.all(),
    countPending: (place) => Math.max(0, (newest.get() ?? 0) - parseKey(place)),
    // SQLite may assign the keys of erased versions again. Versions after the last remaining one are read again.
    placeAfterErasure: (place, lastKey) => placeAt(Math.min(parseKey(place), lastKey)),
    close() {
      records.close();
    },
  };
}

function parseKey(place: string): number {
  return Number(place.split(' ', 1)[0]);
}

/** Reads a batch of rows into memory, because an open read prevents checkpoints of the records. */
function readBatch(
  statement: { iterate(...parameters: unknown[]): IterableIterator<SourceRow> },
  from: number,
): SourceRow[] {
  const rows: SourceRow[] = [];
  let characters = 0;
  for (const row of statement.iterate(from)) {
    rows.push(row);
    characters += row.body?.length ?? 0;
    if (rows.length >= batchLimits.rows || characters >= batchLimits.characters) break;
  }
  return rows;
}
