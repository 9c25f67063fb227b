import { createHash } from 'node:crypto';
import { comparePlaces, digestOf, type Kind, type Place, type Readable } from './kind.ts';

/** A store that is moved, or moved into. */
export interface End {
  halfOf<Row>(kind: Kind<Row>): Readable<Row>;
}

/** The one that is moved into. */
export interface Destination extends End {
  /** Takes away what is there of a kind. */
  clear<Row>(kind: Kind<Row>): Promise<void>;
  /** Writes rows, and of a kind that grows up to which place they are. */
  write<Row>(kind: Kind<Row>, rows: readonly Row[], place: Place): Promise<void>;
}

/** Whom a comparison tells. */
export interface Told {
  /** What is not the same at the destination, by its name. */
  readonly differs: (name: string) => void;
  /** What was wrong in the source, as a sentence. */
  readonly damaged: (sentence: string) => void;
  /** How many rows more were compared. */
  readonly done: (rows: number) => void;
}

/** What is the same in both. */
export interface Same {
  /** SHA-256 of the digests of all rows, in their order. */
  readonly digest: Buffer;
  readonly counts: ReadonlyMap<string, number>;
}

/** A kind with its rows' form known to itself alone. */
export interface Copyable {
  readonly name: string;
  /** Copies what is behind a place, or all of a kind that does not grow. */
  copy(from: End, to: Destination, after: Place | undefined, done: (rows: number) => void): Promise<void>;
  /** Compares all rows; answers what it comes to where nothing differs. */
  compare(from: End, to: End, told: Told): Promise<Same>;
  /** The digest of the first row; undefined where there is none. */
  first(of: End): Promise<Buffer | undefined>;
}

export function copyable<Row>(kind: Kind<Row>): Copyable {
  return {
    name: kind.name,
    async copy(from, to, after, done) {
      if (!kind.grows) await to.clear(kind);
      for await (const rows of from.halfOf(kind).read(after)) {
        const last = rows.at(-1);
        if (last === undefined) continue;
        await to.write(kind, rows, kind.placeOf(last));
        done(rows.length);
      }
    },
    compare: (from, to, told) => compare(kind, [from.halfOf(kind), to.halfOf(kind)], told),
    async first(of) {
      for await (const [row] of of.halfOf(kind).read()) if (row) return digestOf(kind, row);
      return undefined;
    },
  };
}

/** One row after the other of both, which have one order. */
async function compare<Row>(
  kind: Kind<Row>,
  [source, destination]: readonly [Readable<Row>, Readable<Row>],
  { differs, damaged, done }: Told,
): Promise<Same> {
  const all = createHash('sha256');
  const counts = new Map<string, number>();
  const there = rowsOf(destination);
  let other = await there.next();
  const behind = async (place: Place | undefined) => {
    while (!other.done && (!place || comparePlaces(kind.placeOf(other.value), place) < 0)) {
      differs(`${kind.nameOf(other.value)}: the source does not have it`);
      other = await there.next();
    }
  };
  for await (const row of rowsOf(source)) {
    const place = kind.placeOf(row);
    await behind(place);
    const digest = digestOf(kind, row);
    all.update(digest);
    for (const [unit, count] of Object.entries(kind.units?.(row) ?? { [kind.name]: 1 }))
      counts.set(unit, (counts.get(unit) ?? 0) + count);
    const damage = kind.damageIn?.(row);
    if (damage !== undefined) damaged(damage);
    done(1);
    if (other.done || comparePlaces(kind.placeOf(other.value), place) !== 0) {
      differs(`${kind.nameOf(row)}: it is not there`);
      continue;
    }
    if (!digestOf(kind, other.value).equals(digest)) differs(`${kind.nameOf(row)}: it is another`);
    other = await there.next();
  }
  await behind(undefined);
  return { digest: all.digest(), counts };
}

async function* rowsOf<Row>(half: Readable<Row>): AsyncGenerator<Row, undefined> {
  for await (const rows of half.read()) yield* rows;
  return undefined;
}
