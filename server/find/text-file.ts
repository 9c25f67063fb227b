/**
 * server/find keeps the finder's index: a file of its own that is made of the records and can be made anew at any time.
 * Called by the start of the server; all but `finder.ts` runs in its thread. Invariant: what does not fit the records is
 * deleted, and nothing of an erased record stays in the file.
 */
import { closeSync, openSync } from 'node:fs';
import { textsStamp } from '../../core/derive/derivations.ts';
import { textKinds } from '../../core/derive/findable.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { removeDatabase } from '../store/sqlite/backup-folder.ts';
import { connect, type SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** The full-text tables. */
export const textTables = ['starts', 'within', 'everything'] as const;

/**
 * What is kept together is sorted in memory, so that less has to be merged. What is removed stays in its pages until an
 * erasure has all of them written anew: to take each of its words out of its list at once costs twice what a change does.
 */
const settings = (table: string) =>
  `INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${8 * 1024 * 1024});`;

/**
 * Texts stand once each, in their folded words, and point to the records that hold them: `doc.pk` is the number of the
 * record's current version, so that the newest comes last, and names its texts. `text_of_patients` leads to names among
 * the many texts that begin alike. `starts` has the words of the texts, `within` their trigrams;
 * `everything` all words of each record. Words are split before, so the tokenizers see letters, digits and spaces alone.
 */
const schema = `
  CREATE TABLE stand (
    single INTEGER PRIMARY KEY CHECK (single = 1),
    stamp TEXT NOT NULL,
    place TEXT NOT NULL,
    filled INTEGER NOT NULL
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
    texts TEXT NOT NULL
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
  CREATE VIRTUAL TABLE starts USING fts5
    (words, content = 'text', content_rowid = 'pk', tokenize = 'ascii', detail = none, columnsize = 0, prefix = '1 2 3');
  CREATE VIRTUAL TABLE within USING fts5
    (words, content = 'text', content_rowid = 'pk', tokenize = 'trigram case_sensitive 1', columnsize = 0);
  CREATE VIRTUAL TABLE everything USING fts5 (words, tokenize = 'ascii', detail = none, columnsize = 0, prefix = '1 2 3');
  ${textTables.map(settings).join('\n  ')}
`;

/** Of the schema and of what is derived: another, and the file is made anew. */
const stamp = `8 ${resourceTypes.join(' ')} ${textsStamp}`;

/** Opens the index at `path`; one that is not of this program, or damaged, is made anew. */
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
        database.prepare("INSERT INTO stand VALUES (1, ?, '', 0)").run(stamp);
      })();
    }
    if (database.prepare('SELECT stamp FROM stand').pluck().get() !== stamp)
      throw new Error('Another stamp.');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
