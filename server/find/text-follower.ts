import { findable, type Findable } from '../../core/derive/findable.ts';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import type { RecordName } from '../../core/app/erasures.ts';
import { objectIn } from '../../core/json/scan.ts';
import { preparePluck, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { UnfitError, type SourceRow, type Stand, type TextSource } from './text-source.ts';
import { textWriter } from './text-writer.ts';

/** Rows after which what was indexed is kept: the index is written in pieces as large. */
const kept = 4096;

/** What a text gives; nothing where it is damaged, in whatever way. */
function foundIn(type: ResourceType, body: string): Findable | undefined {
  try {
    const root = objectIn(body);
    return root && findable(type, root);
  } catch {
    return undefined;
  }
}

/** Brings the index up to what its source says, in steps; where it stands is in the index's own file, as far as it is kept. */
export function textFollower(index: SqliteDatabase, source: TextSource) {
  const writer = textWriter(index);
  const setStand = index.prepare('UPDATE stand SET place = ?, filled = ?');
  const docOf = preparePluck<number>(index, 'SELECT pk FROM doc WHERE type = ? AND lower(id) = ? AND id = ?');
  const last = preparePluck<number>(index, 'SELECT coalesce(max(pk), 0) FROM doc');
  let open = 0;
  let stand = standIn(index);

  function put(row: SourceRow): void {
    const { type, body } = row;
    if (body === null || !isResourceType(type)) return;
    const found = foundIn(type, body);
    const nothing = { title: '', status: '', date: '', end: '', subject: { id: '', name: '' } };
    writer.put({ ...nothing, ...found, ...row, type }, found);
  }

  function begin(): void {
    if (!index.inTransaction) index.exec('BEGIN IMMEDIATE');
  }

  function keep(): void {
    open = 0;
    writer.write();
    if (!index.inTransaction) return;
    setStand.run(stand.place, stand.filled);
    index.exec('COMMIT');
  }

  function take(rows: readonly SourceRow[], then: Stand): number {
    begin();
    for (const row of rows) put(row);
    stand = then;
    open += rows.length;
    if (open >= kept) keep();
    return rows.length;
  }

  return {
    /** Indexes some versions, new ones first, then the newest of those that were there before; answers how many: 0 where all are. */
    async step(): Promise<number> {
      if (stand.place === '') stand = { ...stand, ...(await source.begin()) };
      const { rows, place } = await source.next(stand.place);
      if (rows.length > 0) return take(rows, { ...stand, place });
      stand = { ...stand, place };
      if (stand.filled > 0) {
        const former = await source.before(stand.filled);
        const end = former.at(-1);
        if (end) return take(former, { ...stand, filled: end.pk - 1 });
        take([], { ...stand, filled: 0 });
      }
      keep();
      return 0;
    },
    keep,
    /** Writes what was indexed, so that a question finds it. */
    write: writer.write,

    /** Versions that are not read yet. */
    behind: async (): Promise<number> => (await source.left(stand.place)) + stand.filled,

    /** Takes records out, whose bytes are then in no page and not in the log. */
    erase(names: readonly RecordName[]): void {
      begin();
      const found = names.flatMap(({ type, id }) => docOf.all(type, id.toLowerCase(), id));
      for (const pk of found) writer.remove(pk);
      stand = { ...stand, place: source.erased(stand.place, last.get() ?? 0) };
      // All are written anew, which takes a while where there are many.
      if (found.length > 0) writer.forget();
      keep();
      index.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

export type TextFollower = ReturnType<typeof textFollower>;

function standIn(index: SqliteDatabase): Stand {
  const found = index.prepare<unknown[], Stand>('SELECT place, filled FROM stand').get();
  if (!found) throw new UnfitError('The index does not say where it stands.');
  return found;
}
