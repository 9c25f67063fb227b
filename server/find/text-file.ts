/**
 * Opens the index of the finder, a separate file that is derived from the records and can be rebuilt at any time.
 * Called by the start of the server. Everything except `finder.ts` runs in its worker thread. Invariants: an index of
 * other records is deleted, and no text of an erased record stays in the file.
 */
import { closeSync, openSync } from 'node:fs';
import { textsFingerprint } from '../../core/derive/derivations.ts';
import { textKinds } from '../../core/derive/findable.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import { connect, type SqliteDatabase } from '../sqlite/sqlite.ts';

export const textTables = ['starts', 'within', 'everything', 'people'] as const;

/**
 * SQL of the settings of a full-text table. A larger hash sorts more rows in memory, so that fewer segments must be
 * merged.
 * Removed words stay in the pages until an erasure rewrites them: immediate removal costs twice as much as a change.
 */
const formatSettings = (table: string) =>
  `INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${8 * 1024 * 1024});`;

/**
 * Schema of the index. Each text is stored once, as folded words, with the records that contain it. `doc.pk` is the key
 * of the current version, so that the latest record is last. `text_of_patients` finds names among many texts with an
 * equal start. `person` has the persons and
 * groups of related resources, for records that name them by reference only, and `people` their words. `starts` has the
 * words of the texts, `within` their trigrams, `everything` all words of each record.
 * Words are split before, so the tokenizers see only letters, digits and spaces.
 */
const schema = `
  CREATE TABLE stand (
    single INTEGER PRIMARY KEY CHECK (single = 1),
    stamp TEXT NOT NULL,
    place TEXT NOT NULL,
    filled INTEGER NOT NULL,
    people INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE doc (
    pk INTEGER PRIMARY KEY,
    record INTEGER NOT NULL UNIQUE,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    date TEXT NOT NULL,
    "end" TEXT NOT NULL,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    texts TEXT NOT NULL,
    source TEXT NOT NULL
  ) STRICT;
  CREATE INDEX doc_by_id ON doc (type, lower(id));
  CREATE INDEX doc_by_subject ON doc (lower(subject), subject);
  CREATE INDEX doc_named ON doc (subject) WHERE name <> '';
  CREATE TABLE text (
    pk INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (words, kind)
  ) STRICT;
  CREATE INDEX text_of_patients ON text (words) WHERE kind = ${textKinds.indexOf('patient')};
  CREATE TABLE posting (
    text INTEGER NOT NULL,
    type INTEGER NOT NULL,
    doc INTEGER NOT NULL,
    PRIMARY KEY (text, type, doc)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE person (
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    words TEXT NOT NULL
  ) STRICT;
  CREATE INDEX person_by_id ON person (id, source);
  CREATE VIRTUAL TABLE people USING fts5
    (words, content = 'person', content_rowid = 'pk', tokenize = 'ascii', detail = none, columnsize = 0, prefix = '1 2 3');
  CREATE VIRTUAL TABLE starts USING fts5
    (words, content = 'text', content_rowid = 'pk', tokenize = 'ascii', detail = none, columnsize = 0, prefix = '1 2 3');
  CREATE VIRTUAL TABLE within USING fts5
    (words, content = 'text', content_rowid = 'pk', tokenize = 'trigram case_sensitive 1', columnsize = 0);
  CREATE VIRTUAL TABLE everything USING fts5 (words, tokenize = 'ascii', detail = none, columnsize = 0, prefix = '1 2 3');
  ${textTables.map(formatSettings).join('\n  ')}
`;

/** Fingerprint of the schema and of the derived texts. An index with another one is created again. */
const indexFingerprint = `9 ${resourceTypes.join(' ')} ${textsFingerprint}`;

/** Opens the index at `path`. Creates it again if it is damaged or from another version of the program. */
export function openTextFile(path: string): SqliteDatabase {
  try {
    return open(path);
  } catch {
    removeDatabase(path);
    return open(path);
  }
}

function open(path: string): SqliteDatabase {
  closeSync(openSync(path, 'a', 0o600));
  const database = connect(path);
  try {
    for (const setting of ['journal_mode = WAL', 'synchronous = NORMAL', 'secure_delete = ON']) {
      database.pragma(setting);
    }
    database.pragma('cache_size = -65536');
    if (Number(database.pragma('schema_version', { simple: true })) === 0) {
      database.transaction(() => {
        database.exec(schema);
        database.prepare("INSERT INTO stand VALUES (1, ?, '', 0, 0)").run(indexFingerprint);
      })();
    }
    if (database.prepare('SELECT stamp FROM stand').pluck().get() !== indexFingerprint)
      throw new Error('Another stamp.');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
