import { textKinds, type Findable } from '../../core/derive/findable.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { textTables } from './text-file.ts';

/** A record of which the index knows, and the number of its current version. */
export interface Doc extends Pick<Findable, 'title' | 'status' | 'date' | 'end' | 'subject'> {
  readonly pk: number;
  readonly record: number;
  readonly type: ResourceType;
  readonly id: string;
}

/** A word that stands for a type among the words of a record: no word of a text holds its first character. */
export function typeWord(type: string): string {
  return `§${type}`;
}

/** A type in the index. */
export function typeNumber(type: ResourceType): number {
  return resourceTypes.indexOf(type);
}

const patient = textKinds.indexOf('patient');

/** Texts whose numbers are kept in memory: records share most of theirs. */
const mostKnown = 20_000;

/** Puts records into the index and takes them out of it. */
export function textWriter(database: SqliteDatabase) {
  const prepare = (sql: string) => database.prepare<unknown[], number>(sql);
  const put = prepare('INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const textOf = prepare('SELECT pk FROM text WHERE words = ? AND kind = ?').pluck();
  const putText = prepare('INSERT INTO text (pk, words, kind) VALUES (?, ?, ?) RETURNING pk').pluck();
  const lowest = prepare('SELECT coalesce(min(pk), 0) FROM text').pluck();
  const putPosting = prepare('INSERT INTO posting VALUES (?, ?, ?)');
  const docOf = prepare('SELECT pk FROM doc WHERE record = ?').pluck();
  const textsOf = database.prepare<unknown[], { type: ResourceType; texts: string }>(
    'SELECT type, texts FROM doc WHERE pk = ?',
  );
  const removePosting = prepare('DELETE FROM posting WHERE text = ? AND type = ? AND doc = ?');
  const removeDoc = prepare('DELETE FROM doc WHERE pk = ?');
  const unused = database.prepare<unknown[], { words: string; kind: number }>(
    'SELECT words, kind FROM text WHERE pk = ? AND NOT EXISTS (SELECT 1 FROM posting WHERE text = ?)',
  );
  const removeText = prepare('DELETE FROM text WHERE pk = ?');

  function sorted(table: string, removal: string): SortedRows {
    const remove = prepare(removal);
    const put = prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`);
    return new SortedRows(
      (row, words) => remove.run({ row, words }),
      (row, words) => put.run(row, words),
    );
  }

  const everything = sorted('everything', 'DELETE FROM everything WHERE rowid = $row');
  const lookups = ['starts', 'within'].map((table) =>
    sorted(table, `INSERT INTO ${table} (${table}, rowid, words) VALUES ('delete', $row, $words)`),
  );

  const optimize = textTables.map((table) => prepare(`INSERT INTO ${table} (${table}) VALUES ('optimize')`));
  const known = new Map<string, number>();

  function remove(pk: number): void {
    const held = textsOf.get(pk);
    if (!held) return;
    removeDoc.run(pk);
    everything.remove(pk, '');
    for (const text of held.texts.split(' ').map(Number)) {
      removePosting.run(text, typeNumber(held.type), pk);
      const row = unused.get(text, text);
      if (!row) continue;
      if (isLookedUp(row.kind)) for (const lookup of lookups) lookup.remove(text, row.words);
      removeText.run(text);
      known.delete(`${row.kind} ${row.words}`);
    }
  }

  function newText(kind: number, words: string): number | undefined {
    // Names of patients stand below zero, so that an index of all texts leads to them alone.
    const pk = kind === patient ? Math.min(0, lowest.get() ?? 0) - 1 : null;
    const text = putText.get(pk, words, kind);
    if (text !== undefined && isLookedUp(kind)) for (const lookup of lookups) lookup.put(text, words);
    return text;
  }

  function addText(kind: number, words: string): number | undefined {
    const key = `${kind} ${words}`;
    const text = known.get(key) ?? textOf.get(words, kind) ?? newText(kind, words);
    if (known.size >= mostKnown) known.clear();
    if (text !== undefined) known.set(key, text);
    return text;
  }

  /** Writes what is looked up, which waits for more: to be called before a question and before a commit. */
  function write(): void {
    for (const table of [everything, ...lookups]) table.write();
  }

  return {
    /** Puts a record in the place of what the index knew of it. */
    put({ pk, record, type, id, title, status, date, end, subject }: Doc, found?: Findable): void {
      const before = docOf.get(record);
      // A version never changes.
      if (before === pk) return;
      const texts = (found?.texts ?? []).map(({ kind, words }) => addText(textKinds.indexOf(kind), words));
      for (const text of texts) putPosting.run(text, typeNumber(type), pk);
      // After the new version's: a text that both have stays where it is.
      if (before !== undefined) remove(before);
      const held = texts.join(' ');
      put.run(pk, record, type, id, title, status, date, end, subject.id, subject.name, held);
      everything.put(pk, [typeWord(type), ...(found?.words ?? [])].join(' '));
    },
    /** Takes a record out, and every text that no other has. */
    remove,
    write,
    /** Takes what was removed out of the pages: they are written anew. */
    forget(): void {
      write();
      for (const one of optimize) one.run();
    },
  };
}

/** Codes are found whole, by the texts' own index. */
function isLookedUp(kind: number): boolean {
  return textKinds[kind] !== 'code';
}

/** Writes one row of a full-text table. */
type Write = (row: number, words: string) => void;

/**
 * Rows of a full-text table that wait to be written in the order of their numbers: FTS5 writes down what it holds in
 * memory each time a number comes that is not behind the last, which costs more than the row.
 */
class SortedRows {
  private readonly removeRow: Write;
  private readonly putRow: Write;
  private readonly removed = new Map<number, string>();
  private readonly added = new Map<number, string>();

  constructor(removeRow: Write, putRow: Write) {
    this.removeRow = removeRow;
    this.putRow = putRow;
  }

  put(row: number, words: string): void {
    this.added.set(row, words);
  }

  /** `words` as they were put. */
  remove(row: number, words: string): void {
    if (!this.added.delete(row)) this.removed.set(row, words);
  }

  /** A number that was freed may be given again: what is removed goes first. */
  write(): void {
    inOrder(this.removed, this.removeRow);
    inOrder(this.added, this.putRow);
  }
}

function inOrder(rows: Map<number, string>, write: Write): void {
  for (const [row, words] of [...rows].sort(([one], [other]) => one - other)) write(row, words);
  rows.clear();
}
