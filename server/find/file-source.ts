import { openReader } from '../store/sqlite/sqlite.ts';
import { batch, UnfitError, type SourceRow, type TextSource } from './text-source.ts';

const columns = `v.pk, v.record, v.type, v.id, CASE WHEN r.current = v.pk THEN v.body END AS body
  FROM version v LEFT JOIN record r ON r.pk = v.record`;

/**
 * The records of a file, over a connection that only reads. A place is the number of the version that was read last, and its
 * SHA-256: of other records an index tells nothing.
 */
export function fileSource(path: string): TextSource {
  const records = openReader(path);
  const newest = records.prepare<unknown[], number>('SELECT coalesce(max(pk), 0) FROM version').pluck();
  const sum = records.prepare<unknown[], Buffer>('SELECT sha256 FROM version WHERE pk = ?').pluck();
  const after = records.prepare<unknown[], SourceRow>(`SELECT ${columns} WHERE v.pk > ? ORDER BY v.pk`);
  const upTo = records.prepare<unknown[], SourceRow>(`SELECT ${columns} WHERE v.pk <= ? ORDER BY v.pk DESC`);

  function placeAt(number: number): string {
    return number === 0 ? '' : `${number} ${sum.get(number)?.toString('hex') ?? ''}`;
  }

  return {
    begin() {
      const top = newest.get() ?? 0;
      return { place: placeAt(top), filled: top };
    },
    next(place) {
      const number = numberOf(place);
      if (place !== placeAt(number)) throw new UnfitError('The index is of other records.');
      const rows = take(after, number);
      const last = rows.at(-1);
      return { rows, place: last ? placeAt(last.pk) : place };
    },
    before: (filled) => take(upTo, filled),
    left: (place) => Math.max(0, (newest.get() ?? 0) - numberOf(place)),
    // The numbers of erased versions may be given again: what stands behind the last that is left is read once more.
    erased: (place, last) => placeAt(Math.min(numberOf(place), last)),
    close() {
      records.close();
    },
  };
}

function numberOf(place: string): number {
  return Number(place.split(' ', 1)[0]);
}

/** Read before they are worked on: an open read keeps the records' log from being carried over. */
function take(
  statement: { iterate(...given: unknown[]): IterableIterator<SourceRow> },
  from: number,
): SourceRow[] {
  const rows: SourceRow[] = [];
  let characters = 0;
  for (const row of statement.iterate(from)) {
    rows.push(row);
    characters += row.body?.length ?? 0;
    if (rows.length >= batch.rows || characters >= batch.characters) break;
  }
  return rows;
}
