import { createHash } from 'node:crypto';
import { comparePlaces, digestOf, type Kind, type Place, type Readable } from './kind.ts';

/** Source or destination of a move. */
export interface End {
  getTable<Row>(kind: Kind<Row>): Readable<Row>;
}

/** Destination of a move. */
export interface Destination extends End {
  /** Deletes all rows of a kind. */
  clear<Row>(kind: Kind<Row>): Promise<void>;
  /** Writes rows, and stores their last key if the kind grows. */
  write<Row>(kind: Kind<Row>, rows: readonly Row[], place: Place): Promise<void>;
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

/** Result of the comparison of one kind. */
export interface TableDigest {
  /** SHA-256 of the digests of all rows in order. */
  readonly digest: Buffer;
  readonly counts: ReadonlyMap<string, number>;
}

/** Moves one kind. Hides the type of its rows. */
export interface TableMover {
  readonly name: string;
  /** Copies the rows after a key, or all rows if the kind does not grow. */
  copy(from: End, to: Destination, after: Place | undefined, done: (rows: number) => void): Promise<void>;
  /** Compares all rows. */
  compare(from: End, to: End, reporter: ComparisonReporter): Promise<TableDigest>;
  /** Returns the digest of the first row, or undefined. */
  digestFirst(end: End): Promise<Buffer | undefined>;
}

export function createTableMover<Row>(kind: Kind<Row>): TableMover {
  return {
    name: kind.name,
    async copy(from, to, after, done) {
      if (!kind.grows) await to.clear(kind);
      for await (const rows of from.getTable(kind).read(after)) {
        const lastRow = rows.at(-1);
        if (lastRow === undefined) continue;
        await to.write(kind, rows, kind.placeOf(lastRow));
        done(rows.length);
      }
    },
    compare: (from, to, progress) => compare(kind, [from.getTable(kind), to.getTable(kind)], progress),
    async digestFirst(end) {
      for await (const [row] of end.getTable(kind).read()) if (row) return digestOf(kind, row);
      return undefined;
    },
  };
}

/** Reads both sides in parallel, because they have the same order. */
async function compare<Row>(
  kind: Kind<Row>,
  [source, destination]: readonly [Readable<Row>, Readable<Row>],
  { differs, reportDamage, done }: ComparisonReporter,
): Promise<TableDigest> {
  const digestOfAll = createHash('sha256');
  const counts = new Map<string, number>();
  const destinationRows = rowsOf(destination);
  let candidate = await destinationRows.next();
  const reportSurplus = async (place: Place | undefined) => {
    while (!candidate.done && (!place || comparePlaces(kind.placeOf(candidate.value), place) < 0)) {
      differs(`${kind.nameOf(candidate.value)}: missing in the source`);
      candidate = await destinationRows.next();
    }
  };
  for await (const row of rowsOf(source)) {
    const place = kind.placeOf(row);
    await reportSurplus(place);
    const digest = digestOf(kind, row);
    digestOfAll.update(digest);
    for (const [unit, count] of Object.entries(kind.units?.(row) ?? { [kind.name]: 1 }))
      counts.set(unit, (counts.get(unit) ?? 0) + count);
    const damage = kind.damageIn?.(row);
    if (damage !== undefined) reportDamage(damage);
    done(1);
    if (candidate.done || comparePlaces(kind.placeOf(candidate.value), place) !== 0) {
      differs(`${kind.nameOf(row)}: missing in the destination`);
      continue;
    }
    if (!digestOf(kind, candidate.value).equals(digest)) differs(`${kind.nameOf(row)}: different content`);
    candidate = await destinationRows.next();
  }
  await reportSurplus(undefined);
  return { digest: digestOfAll.digest(), counts };
}

async function* rowsOf<Row>(table: Readable<Row>): AsyncGenerator<Row, undefined> {
  for await (const rows of table.read()) yield* rows;
  return undefined;
}
