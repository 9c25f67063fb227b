import { textKinds, type Findable } from '../../core/derive/findable.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import { textTables } from './text-file.ts';

/** An indexed record, with the key of its current version. */
export interface Doc extends Pick<Findable, 'title' | 'status' | 'date' | 'end' | 'subject'> {
  readonly pk: number;
  readonly record: number;
  readonly type: ResourceType;
  readonly id: string;
  /** Source of its identity; empty for a record that no import brought. */
  readonly source: string;
}

/** Returns the word that marks the type among the words of a record. Its first character is in no word of a text. */
export function typeWord(type: string): string {
  return `§${type}`;
}

/** Returns the number of a type in the index. */
export function typeNumber(type: ResourceType): number {
  return resourceTypes.indexOf(type);
}

const patient = textKinds.indexOf('patient');

/** Maximum number of cached text keys. Records share most of their texts. */
const maxCachedTexts = 20_000;

/** Creates the writer that adds and removes records. */
export function textWriter(database: SqliteDatabase) {
  const prepare = (sql: string) => database.prepare<unknown[], number>(sql);
  const insertDoc = prepare('INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const textOf = prepare('SELECT pk FROM text WHERE words = ? AND kind = ?').pluck();
  const insertText = prepare('INSERT INTO text (pk, words, kind) VALUES (?, ?, ?) RETURNING pk').pluck();
  const findLowestText = prepare('SELECT coalesce(min(pk), 0) FROM text').pluck();
  const insertPosting = prepare('INSERT INTO posting VALUES (?, ?, ?)');
  const docOf = prepare('SELECT pk FROM doc WHERE record = ?').pluck();
  const textsOf = database.prepare<unknown[], { type: ResourceType; texts: string }>(
    'SELECT type, texts FROM doc WHERE pk = ?',
  );
  const removePosting = prepare('DELETE FROM posting WHERE text = ? AND type = ? AND doc = ?');
  const removeDoc = prepare('DELETE FROM doc WHERE pk = ?');
  const findUnused = database.prepare<unknown[], { words: string; kind: number }>(
    'SELECT words, kind FROM text WHERE pk = ? AND NOT EXISTS (SELECT 1 FROM posting WHERE text = ?)',
  );
  const removeText = prepare('DELETE FROM text WHERE pk = ?');

  function createSortedRows(table: string, removal: string): SortedRows {
    const remove = prepare(removal);
    const insertRow = prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`);
    return new SortedRows(
      (row, words) => remove.run({ row, words }),
      (row, words) => insertRow.run(row, words),
    );
  }

  const allWords = createSortedRows('everything', 'DELETE FROM everything WHERE rowid = $row');
  const lookups = ['starts', 'within'].map((table) =>
    createSortedRows(table, `INSERT INTO ${table} (${table}, rowid, words) VALUES ('delete', $row, $words)`),
  );

  const optimize = textTables.map((table) => prepare(`INSERT INTO ${table} (${table}) VALUES ('optimize')`));
  const cachedTexts = new Map<string, number>();

  function remove(pk: number): void {
    const storedDoc = textsOf.get(pk);
    if (!storedDoc) return;
    removeDoc.run(pk);
    allWords.remove(pk, '');
    for (const text of storedDoc.texts.split(' ').map(Number)) {
      removePosting.run(text, typeNumber(storedDoc.type), pk);
      const row = findUnused.get(text, text);
      if (!row) continue;
      if (isLookedUp(row.kind)) for (const lookup of lookups) lookup.remove(text, row.words);
      removeText.run(text);
      cachedTexts.delete(`${row.kind} ${row.words}`);
    }
  }

  function newText(kind: number, words: string): number | undefined {
    // Names of patients have negative keys, so that they can be selected in an index of all texts.
    const pk = kind === patient ? Math.min(0, findLowestText.get() ?? 0) - 1 : null;
    const text = insertText.get(pk, words, kind);
    if (text !== undefined && isLookedUp(kind)) for (const lookup of lookups) lookup.put(text, words);
    return text;
  }

  function addText(kind: number, words: string): number | undefined {
    const key = `${kind} ${words}`;
    const text = cachedTexts.get(key) ?? textOf.get(words, kind) ?? newText(kind, words);
    if (cachedTexts.size >= maxCachedTexts) cachedTexts.clear();
    if (text !== undefined) cachedTexts.set(key, text);
    return text;
  }

  /** Writes the rows of the full-text tables. Call it before a query and before a commit. */
  function write(): void {
    for (const table of [allWords, ...lookups]) table.write();
  }

  return {
    /** Adds a record, or replaces its previous entry. */
    put(
      { pk, record, type, id, source, title, status, date, end, subject }: Doc,
      findableTexts?: Findable,
    ): void {
      const previousDoc = docOf.get(record);
      // A version never changes.
      if (previousDoc === pk) return;
      const texts = (findableTexts?.texts ?? []).map(({ kind, words }) =>
        addText(textKinds.indexOf(kind), words),
      );
      for (const text of texts) insertPosting.run(text, typeNumber(type), pk);
      // Removed after the new version is added, so that common texts stay.
      if (previousDoc !== undefined) remove(previousDoc);
      const textKeys = texts.join(' ');
      insertDoc.run(
        pk,
        record,
        type,
        id,
        title,
        status,
        date,
        end,
        subject.id,
        subject.name,
        textKeys,
        source,
      );
      allWords.put(pk, [typeWord(type), ...(findableTexts?.words ?? [])].join(' '));
    },
    /** Removes a record, and each text that no other record has. */
    remove,
    write,
    /** Rewrites all pages, so that removed words are gone. */
    forget(): void {
      write();
      for (const statement of optimize) statement.run();
    },
  };
}

/** Returns true if a text is in the full-text tables. Codes are found as a whole by the index of texts. */
function isLookedUp(kind: number): boolean {
  return textKinds[kind] !== 'code';
}

type Write = (row: number, words: string) => void;

/**
 * Rows of a full-text table that are written in ascending order of their keys. FTS5 flushes its memory for each key
 * that is not larger than the last one, which costs more than the row.
 */
class SortedRows {
  private readonly removeRow: Write;
  private readonly upsertRow: Write;
  private readonly removedTexts = new Map<number, string>();
  private readonly addedTexts = new Map<number, string>();

  constructor(removeRow: Write, upsertRow: Write) {
    this.removeRow = removeRow;
    this.upsertRow = upsertRow;
  }

  put(row: number, words: string): void {
    this.addedTexts.set(row, words);
  }

  /** @param words - The words of the stored row. */
  remove(row: number, words: string): void {
    if (!this.addedTexts.delete(row)) this.removedTexts.set(row, words);
  }

  /** Removals come first, because a freed key may be used again. */
  write(): void {
    writeInOrder(this.removedTexts, this.removeRow);
    writeInOrder(this.addedTexts, this.upsertRow);
  }
}

function writeInOrder(rows: Map<number, string>, write: Write): void {
  for (const [row, words] of [...rows].sort(([leftKey], [rightKey]) => leftKey - rightKey)) write(row, words);
  rows.clear();
}
