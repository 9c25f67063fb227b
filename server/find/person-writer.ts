import { wordsOf } from '../../core/derive/words.ts';
import { resourceName } from '../../core/fhir/resource-name.ts';
import { objectIn } from '../../core/json/scan.ts';
import { preparePluck, type SqliteDatabase } from '../sqlite/sqlite.ts';
import type { PersonRow } from './text-source.ts';

/** Creates the writer of the persons and groups that records name by reference only. */
export function personWriter(index: SqliteDatabase) {
  const insertPerson = index.prepare('INSERT INTO person VALUES (?, ?, ?, ?, ?)');
  const insertWords = index.prepare('INSERT INTO people (rowid, words) VALUES (?, ?)');
  const removeWords = index.prepare(
    "INSERT INTO people (people, rowid, words) SELECT 'delete', pk, words FROM person WHERE pk = ?",
  );
  const removePerson = index.prepare('DELETE FROM person WHERE pk = ?');
  const listKeys = preparePluck<number>(index, 'SELECT pk FROM person');
  const count = preparePluck<number>(index, 'SELECT count(*) FROM person');

  function remove(pk: number): void {
    removeWords.run(pk);
    removePerson.run(pk);
  }

  /** Removes the persons without one of these keys. Returns true if there were any. */
  function keepOnly(keys: ReadonlySet<number>): boolean {
    const absentKeys = listKeys.all().filter((pk) => !keys.has(pk));
    absentKeys.forEach(remove);
    return absentKeys.length > 0;
  }

  return {
    /** Adds a person. A replaced one has a new key, and goes with {@link keepOnly}. */
    put({ pk, id, source, body }: PersonRow): void {
      const name = readName(body);
      const words = wordsOf(name).join(' ');
      insertPerson.run(pk, id, source, name, words);
      insertWords.run(pk, words);
    },
    keepOnly,
    removeAll: (): void => void keepOnly(new Set()),
    count: (): number => count.get() ?? 0,
  };
}

/** Returns the name of a person or group; empty for a damaged resource. */
function readName(body: string): string {
  try {
    const root = objectIn(body);
    return root ? resourceName(root).name : '';
  } catch {
    return '';
  }
}
