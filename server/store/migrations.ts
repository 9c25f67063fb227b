import type { Migrations } from './sqlite.ts';

/**
 * The schema of records.db, forward only. Tables keep their rowid: a composite primary key WITHOUT ROWID makes SQLite
 * scan a whole type instead of using the reference index.
 */
export const recordMigrations: Migrations = [
  `
  CREATE TABLE version (
    pk INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    last_updated TEXT NOT NULL,
    operation TEXT NOT NULL,
    author TEXT NOT NULL,
    sha256 BLOB NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (type, id, version)
  ) STRICT;

  CREATE TABLE record (
    pk INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    last_updated TEXT NOT NULL,
    current INTEGER NOT NULL REFERENCES version (pk),
    UNIQUE (type, id)
  ) STRICT;
  CREATE INDEX record_newest ON record (type, last_updated DESC, id);

  CREATE TABLE reference (
    record INTEGER NOT NULL REFERENCES record (pk),
    type TEXT NOT NULL,
    element TEXT NOT NULL,
    target TEXT NOT NULL,
    target_type TEXT,
    target_base TEXT
  ) STRICT;
  CREATE INDEX reference_target ON reference (type, element, target, record);
  CREATE INDEX reference_record ON reference (record);
  `,
];
