import { findable } from '../../core/derive/findable.ts';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import type { RecordName } from '../../core/app/erasures.ts';
import { scan } from '../../core/json/scan.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';
import { textWriter, type Doc } from './text-writer.ts';

interface Row extends Pick<Doc, 'pk' | 'record' | 'id'> {
  readonly type: string;
  readonly sha256: Buffer;
  /** Null for a version that another has replaced. */
  readonly body: string | null;
}

/** Versions up to `followed` are known, but for those up to `filled`, which the first fill has still to read. */
interface Stand {
  readonly followed: number;
  readonly sha256: Buffer | null;
  readonly filled: number;
}

/** Of one step, so that a question waits for no more, and the records are read for no longer. */
const batch = { rows: 32, characters: 256 * 1024 };

/** Rows after which what was indexed is kept: the index is written in pieces as large. */
const kept = 4096;

const columns = `v.pk, v.record, v.type, v.id, v.sha256, CASE WHEN r.current = v.pk THEN v.body END AS body
  FROM version v LEFT JOIN record r ON r.pk = v.record`;

/** Brings the index up to what the records say, in steps; where it stands is in the index's own file. */
export function textFollower(index: SqliteDatabase, records: SqliteDatabase) {
  const writer = textWriter(index);
  const stand = index.prepare<unknown[], Stand>('SELECT followed, sha256, filled FROM stand');
  const setStand = index.prepare('UPDATE stand SET followed = ?, sha256 = ?, filled = ?');
  const newest = records.prepare<unknown[], number>('SELECT coalesce(max(pk), 0) FROM version').pluck();
  const sum = records.prepare<unknown[], Buffer>('SELECT sha256 FROM version WHERE pk = ?').pluck();
  const after = records.prepare<unknown[], Row>(`SELECT ${columns} WHERE v.pk > ? ORDER BY v.pk`);
  const upTo = records.prepare<unknown[], Row>(`SELECT ${columns} WHERE v.pk <= ? ORDER BY v.pk DESC`);
  const docOf = index.prepare<unknown[], number>(
    'SELECT pk FROM doc WHERE type = ? AND lower(id) = ? AND id = ?',
  );
  const last = index.prepare<unknown[], number>('SELECT coalesce(max(pk), 0) FROM doc').pluck();
  let open = 0;

  function now(): Stand {
    const found = stand.get();
    if (!found) throw new Error('The index does not say where it stands.');
    return found;
  }

  function put(row: Row): void {
    const { type, body } = row;
    if (body === null || !isResourceType(type)) return;
    const found = readBody(type, body);
    const nothing = { title: '', status: '', date: '', end: '', subject: { id: '', name: '' } };
    writer.put({ ...nothing, ...found, ...row, type }, found);
  }

  function begin(): void {
    if (!index.inTransaction) index.exec('BEGIN IMMEDIATE');
  }

  function keep(): void {
    open = 0;
    writer.write();
    if (index.inTransaction) index.exec('COMMIT');
  }

  /** The next versions to read: new ones first, then the newest of those that were there before the index. */
  function step(): boolean {
    const { followed, sha256, filled } = now();
    const fresh = take(after, followed);
    const rows = fresh.length > 0 || filled === 0 ? fresh : take(upTo, filled);
    const end = rows.at(-1);
    if (!end) {
      if (filled > 0) setStand.run(followed, sha256, 0);
      keep();
      return false;
    }
    begin();
    for (const row of rows) put(row);
    if (rows === fresh) setStand.run(end.pk, end.sha256, filled);
    else setStand.run(followed, sha256, end.pk - 1);
    open += rows.length;
    if (open >= kept) keep();
    return true;
  }

  return {
    /** Indexes some versions; answers whether there may be more. */
    step,
    keep,
    /** Writes what was indexed, so that a question finds it. */
    write: writer.write,

    /** Whether the version that was read last is the one that stands there: of other records an index tells nothing. */
    fits(): boolean {
      const { followed, sha256 } = now();
      return followed === 0 || sum.get(followed)?.equals(sha256 ?? Buffer.alloc(0)) === true;
    },

    /** Of an index that knows nothing: the records that are there are read from the newest down, new ones meanwhile. */
    start(): void {
      const top = newest.get() ?? 0;
      const { followed, filled } = now();
      if (followed === 0 && filled === 0 && top > 0) setStand.run(top, sum.get(top), top);
    },

    /** Versions that are not read yet. */
    behind(): number {
      const { followed, filled } = now();
      return Math.max(0, (newest.get() ?? 0) - followed) + filled;
    },

    /**
     * Takes records out, whose bytes are then in no page and not in the log. The numbers of their versions may be given
     * again: what stands behind the last record that is left is read once more.
     */
    erase(names: readonly RecordName[]): void {
      begin();
      for (const { type, id } of names) {
        for (const pk of docOf.pluck().all(type, id.toLowerCase(), id)) writer.remove(pk);
      }
      const { followed, filled } = now();
      const left = Math.min(followed, last.get() ?? 0);
      setStand.run(left, left === 0 ? null : (sum.get(left) ?? null), filled);
      writer.forget();
      keep();
      index.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

export type TextFollower = ReturnType<typeof textFollower>;

/** Read before they are worked on: an open read keeps the records' log from being carried over. */
function take(statement: { iterate(...given: unknown[]): IterableIterator<Row> }, from: number): Row[] {
  const rows: Row[] = [];
  let characters = 0;
  for (const row of statement.iterate(from)) {
    rows.push(row);
    characters += row.body?.length ?? 0;
    if (rows.length >= batch.rows || characters >= batch.characters) break;
  }
  return rows;
}

/** What a text gives; nothing where it is damaged. */
function readBody(type: ResourceType, body: string) {
  try {
    const { root } = scan(body);
    return root.kind === 'object' ? findable(type, root) : undefined;
  } catch {
    return undefined;
  }
}
