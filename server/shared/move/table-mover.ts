import { createHash } from 'node:crypto';
import { compareRowKeys, digestOf, type MovedTable, type RowKey, type ReadableRows } from './kind.ts';

/** Source or destination of a move. */
export interface End {
  getTable<Row>(table: MovedTable<Row>): ReadableRows<Row>;
}

export interface Destination extends End {
  clear<Row>(table: MovedTable<Row>): Promise<void>;
  /** Writes rows, and stores their last key if the table is append-only. */
  write<Row>(table: MovedTable<Row>, rows: readonly Row[], place: RowKey): Promise<void>;
}

/** Receives the progress of a comparison. */
export interface ComparisonReporter {
  /** Reports a row that differs at the destination, by name. */
  readonly differs: (name: string) => void;
  /** Reports damage in the source. */
  readonly reportDamage: (sentence: string) => void;
  /** Reports the number of further compared rows. */
  readonly done: (rows: number) => void;
}

/** Result of the comparison of one table. */
export interface TableDigest {
  /** SHA-256 of the digests of all rows in order. */
  readonly digest: Buffer;
  readonly counts: ReadonlyMap<string, number>;
}

/** Moves one table. Hides the type of its rows. */
export interface TableMover {
  readonly name: string;
  /** Copies the rows after a key, or all rows if it is not append-only. */
  copy(from: End, to: Destination, after: RowKey | undefined, done: (rows: number) => void): Promise<void>;
  compare(from: End, to: End, reporter: ComparisonReporter): Promise<TableDigest>;
  /** Returns the digest of the first row, or undefined. */
  digestFirst(end: End): Promise<Buffer | undefined>;
}

export function createTableMover<Row>(table: MovedTable<Row>): TableMover {
  return {
    name: table.name,
    async copy(from, to, after, done) {
      if (!table.isAppendOnly) await to.clear(table);
      for await (const rows of from.getTable(table).read(after)) {
        const lastRow = rows.at(-1);
        if (lastRow === undefined) continue;
        await to.write(table, rows, table.keyOf(lastRow));
        done(rows.length);
      }
    },
    compare: (from, to, progress) => compare(table, [from.getTable(table), to.getTable(table)], progress),
    async digestFirst(end) {
      for await (const [row] of end.getTable(table).read()) if (row) return digestOf(table, row);
      return undefined;
    },
  };
}

/** Reads both sides in parallel, because they have the same order. */
async function compare<Row>(
  table: MovedTable<Row>,
  [source, destination]: readonly [ReadableRows<Row>, ReadableRows<Row>],
  { differs, reportDamage, done }: ComparisonReporter,
): Promise<TableDigest> {
  const digestOfAll = createHash('sha256');
  const counts = new Map<string, number>();
  const destinationRows = rowsOf(destination);
  let candidate = await destinationRows.next();
  const reportSurplus = async (place: RowKey | undefined) => {
    while (!candidate.done && (!place || compareRowKeys(table.keyOf(candidate.value), place) < 0)) {
      differs(`${table.nameOf(candidate.value)}: missing in the source`);
      candidate = await destinationRows.next();
    }
  };
  for await (const row of rowsOf(source)) {
    const place = table.keyOf(row);
    await reportSurplus(place);
    const digest = digestOf(table, row);
    digestOfAll.update(digest);
    for (const [unit, count] of Object.entries(table.countUnits?.(row) ?? { [table.name]: 1 }))
      counts.set(unit, (counts.get(unit) ?? 0) + count);
    const damage = table.findDamage?.(row);
    if (damage !== undefined) reportDamage(damage);
    done(1);
    if (candidate.done || compareRowKeys(table.keyOf(candidate.value), place) !== 0) {
      differs(`${table.nameOf(row)}: missing in the destination`);
      continue;
    }
    if (!digestOf(table, candidate.value).equals(digest)) differs(`${table.nameOf(row)}: different content`);
    candidate = await destinationRows.next();
  }
  await reportSurplus(undefined);
  return { digest: digestOfAll.digest(), counts };
}

async function* rowsOf<Row>(table: ReadableRows<Row>): AsyncGenerator<Row, undefined> {
  for await (const rows of table.read()) yield* rows;
  return undefined;
}
