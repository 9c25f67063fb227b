import { ordinalBits } from '../../sqlite/row-key.ts';
import type { Migrations } from '../../sqlite/open-database.ts';

/**
 * The schema of records.db, forward only. Tables keep their rowid: a composite primary key WITHOUT ROWID makes SQLite
 * scan a whole type instead of using the reference index. `key` of an index row is type and element
 * (`CarePlan.subject`). The `pk` of an index row holds its record's in front of the row's own number, so that a record's
 * rows stand together and are found without an index of their own: a table can be entered by value (searches) and by
 * record (tests, rewriting).
 * `version` carries the sort columns too: a page behind a cursor orders changed records as they stood before. Nothing
 * references `record` by a constraint: one writer keeps the tables together, and a check would cost each row a lookup.
 */
/** SQL for each resource type: its indexes hold its rows alone, and no type. */
function byType(sql: (type: string) => string): string {
  return ['CarePlan', 'Composition'].map(sql).join('\n  ');
}

export const recordMigrations: Migrations = [
  `
  CREATE TABLE version (
    pk INTEGER PRIMARY KEY,
    record INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    last_updated TEXT NOT NULL,
    sort_date INTEGER NOT NULL,
    status TEXT NOT NULL,
    title TEXT NOT NULL,
    operation TEXT NOT NULL,
    author TEXT NOT NULL,
    sha256 BLOB NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (record, version)
  ) STRICT;
  ${byType((type) => `CREATE INDEX version_by_updated_${type} ON version (last_updated) WHERE type = '${type}';`)}

  CREATE TABLE record (
    pk INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    last_updated TEXT NOT NULL,
    sort_date INTEGER NOT NULL,
    status TEXT NOT NULL,
    title TEXT NOT NULL,
    current INTEGER NOT NULL
  ) STRICT;
  ${byType(
    (type) => `
  CREATE UNIQUE INDEX record_by_id_${type} ON record (id) WHERE type = '${type}';
  CREATE INDEX record_by_updated_${type} ON record (last_updated, id) WHERE type = '${type}';
  CREATE INDEX record_by_date_${type} ON record (sort_date, id) WHERE type = '${type}';
  CREATE INDEX record_by_status_${type} ON record (status, id) WHERE type = '${type}';`,
  )}
  CREATE INDEX record_by_title_Composition ON record (title, id) WHERE type = 'Composition';

  CREATE TABLE reference (
    pk INTEGER PRIMARY KEY,
    record INTEGER AS (pk >> ${ordinalBits}),
    key INTEGER NOT NULL,
    target TEXT NOT NULL,
    target_type TEXT,
    target_base TEXT
  ) STRICT;
  CREATE INDEX reference_by_target ON reference (key, target);

  CREATE TABLE token (
    pk INTEGER PRIMARY KEY,
    record INTEGER AS (pk >> ${ordinalBits}),
    key INTEGER NOT NULL,
    code TEXT NOT NULL,
    system TEXT
  ) STRICT;
  CREATE INDEX token_by_code ON token (key, code, system);

  CREATE TABLE date_range (
    pk INTEGER PRIMARY KEY,
    record INTEGER AS (pk >> ${ordinalBits}),
    key INTEGER NOT NULL,
    low INTEGER,
    high INTEGER
  ) STRICT;
  CREATE INDEX date_range_by_low ON date_range (key, low, high);
  CREATE INDEX date_range_by_high ON date_range (key, high);

  CREATE TABLE string (
    pk INTEGER PRIMARY KEY,
    record INTEGER AS (pk >> ${ordinalBits}),
    key INTEGER NOT NULL,
    folded TEXT NOT NULL,
    exact TEXT NOT NULL
  ) STRICT;
  CREATE INDEX string_by_value ON string (key, folded);

  CREATE TABLE issue (
    pk INTEGER PRIMARY KEY,
    record INTEGER AS (pk >> ${ordinalBits}),
    rule TEXT NOT NULL,
    severity TEXT NOT NULL,
    category TEXT NOT NULL,
    pointer TEXT NOT NULL
  ) STRICT;
  CREATE INDEX issue_by_record ON issue (record);
  CREATE INDEX issue_by_rule ON issue (rule, record);
  `,
  // Append-only audit log, sealed in a chain (audit-chain.ts).
  `
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    what TEXT NOT NULL,
    version_before INTEGER,
    version_after INTEGER,
    status INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    seal BLOB
  ) STRICT;
  CREATE TRIGGER audit_stays BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit trail keeps every row'); END;
  CREATE TRIGGER audit_is_added_to BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit trail keeps every row as it is'); END;
  `,
  // Up to which number versions were given out in a file that a restore has replaced (numbering.ts); a quick sum.
  `
  CREATE TABLE numbering (taken INTEGER NOT NULL) STRICT;
  -- Beside the SHA-256, for searches (checksum.ts); versions from before have none.
  ALTER TABLE version ADD COLUMN crc32 INTEGER;
  `,
  // A read finds the version's row in the index itself; that each id stands once is the writer's to see to. A sum of the
  // record's issue rows, which nothing else tells; a record that was not written since has none.
  `
  ${byType(
    (type) => `
  DROP INDEX record_by_id_${type};
  CREATE INDEX record_by_id_${type} ON record (id, current) WHERE type = '${type}';`,
  )}
  ALTER TABLE record ADD COLUMN issues_crc32 INTEGER;
  `,
  // Fingerprint of each derived part (derivation-status.ts), the pending rebuild, and the day on which the findings of a
  // record change. Rows of older programs have no fingerprint, so that all parts are rebuilt.
  `
  CREATE TABLE derivation (
    part TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    made INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE rebuild (
    single INTEGER PRIMARY KEY CHECK (single = 1),
    parts TEXT NOT NULL,
    done INTEGER NOT NULL,
    last INTEGER NOT NULL,
    skipped INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE record ADD COLUMN judge_again INTEGER;
  CREATE INDEX record_by_judge_again ON record (judge_again) WHERE judge_again IS NOT NULL;
  `,
  // Up to which version the index rows of the records are made. The seal of a write covers the SHA-256 of
  // its text; entries from before have none, and versions from before perhaps no entry: up to which place they stand.
  `
  CREATE TABLE indexed (
    single INTEGER PRIMARY KEY CHECK (single = 1),
    version INTEGER NOT NULL
  ) STRICT;
  INSERT INTO indexed (single, version) SELECT 1, coalesce(max(pk), 0) FROM version;
  ALTER TABLE audit ADD COLUMN sha256 BLOB;
  CREATE TABLE vouched (after INTEGER NOT NULL) STRICT;
  INSERT INTO vouched (after) SELECT coalesce(max(pk), 0) FROM version;
  `,
  // Search by end date: only ranges longer than a day need an index by their end (search-bounds.ts).
  `
  DROP INDEX date_range_by_high;
  CREATE INDEX date_range_long ON date_range (key, high, low) WHERE high - low > 86400000;
  `,
  // Unchanged texts of supporting resources, and their subjects for erasures (supporting-resources.ts).
  `
  CREATE TABLE companion (
    pk INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    full_url TEXT,
    sha256 BLOB NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (type, id)
  ) STRICT;
  CREATE INDEX companion_by_url ON companion (full_url) WHERE full_url IS NOT NULL;
  CREATE INDEX companion_by_id ON companion (id);
  CREATE TABLE companion_subject (
    pk INTEGER PRIMARY KEY,
    companion INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT
  ) STRICT;
  CREATE INDEX companion_subject_by_id ON companion_subject (id);
  CREATE INDEX companion_subject_by_companion ON companion_subject (companion);
  `,
  // Person and reason of a version, both sealed. The audit log has only a checksum of the reason, because an erasure
  // removes the reason with its version.
  `
  ALTER TABLE version ADD COLUMN person TEXT;
  ALTER TABLE version ADD COLUMN reason TEXT;
  ALTER TABLE audit ADD COLUMN person TEXT;
  ALTER TABLE audit ADD COLUMN reason_sha256 BLOB;
  `,
  // Start day of each finding (0: unknown), counts of ended findings by start and end day, states of findings by pointer,
  // because issue rows can be rebuilt, and daily counts.
  `
  ALTER TABLE issue ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE finding_end (
    ended INTEGER NOT NULL,
    since INTEGER NOT NULL,
    rule TEXT NOT NULL,
    type TEXT NOT NULL,
    findings INTEGER NOT NULL,
    UNIQUE (ended, since, rule, type)
  ) STRICT;
  CREATE TABLE finding_state (
    pk INTEGER PRIMARY KEY,
    record INTEGER NOT NULL,
    rule TEXT NOT NULL,
    pointer TEXT NOT NULL,
    assignee TEXT,
    waived TEXT,
    until TEXT,
    note TEXT,
    who TEXT NOT NULL,
    time INTEGER NOT NULL,
    UNIQUE (record, rule, pointer)
  ) STRICT;
  CREATE TABLE measure (
    day INTEGER NOT NULL,
    rule TEXT NOT NULL,
    type TEXT NOT NULL,
    applied INTEGER NOT NULL,
    violated INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    findings INTEGER NOT NULL,
    UNIQUE (day, rule, type)
  ) STRICT;
  `,
  // Progress of each custom check, in one slot each (check-statements.ts). Per record, one bit for each slot: which checks
  // apply, and which were skipped. Their findings are in the table of issues.
  `
  CREATE TABLE check_slot (
    slot INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    stamp TEXT NOT NULL,
    done INTEGER NOT NULL,
    halted INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE check_result (
    record INTEGER PRIMARY KEY,
    applied INTEGER NOT NULL,
    skipped INTEGER NOT NULL
  ) STRICT;
  `,
  // Entries that were moved here from servers that shared a store (server/shared/move): of which server's chain each is, and its
  // number in there. The folder's own chain is that of no number, and an entry's number there its place, unless it is told.
  `
  ALTER TABLE audit ADD COLUMN chain INTEGER;
  ALTER TABLE audit ADD COLUMN number INTEGER;
  CREATE INDEX audit_by_number ON audit (chain, number) WHERE number IS NOT NULL;
  `,
  // Source of each supporting resource as part of its identity (core/fhir/origin.ts), and the origin of each imported record.
  // What is stored already becomes one batch, which all records belong to.
  `
  ALTER TABLE companion RENAME TO former_companion;
  DROP INDEX companion_by_url;
  DROP INDEX companion_by_id;
  CREATE TABLE companion (
    pk INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    batch TEXT NOT NULL,
    full_url TEXT,
    sha256 BLOB NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (source, type, id)
  ) STRICT;
  CREATE TABLE origin (
    pk INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    batch TEXT NOT NULL,
    full_url TEXT,
    UNIQUE (type, id)
  ) STRICT;
  CREATE TEMP TABLE former_batch AS SELECT 'batch:' || lower(hex(randomblob(16))) AS batch
    WHERE EXISTS (SELECT 1 FROM former_companion);
  INSERT INTO companion (pk, type, id, source, batch, full_url, sha256, body)
    SELECT c.pk, c.type, c.id, b.batch, b.batch, c.full_url, c.sha256, c.body
    FROM former_companion c CROSS JOIN former_batch b ORDER BY c.pk;
  INSERT INTO origin (type, id, source, batch) SELECT r.type, r.id, b.batch, b.batch
    FROM record r CROSS JOIN former_batch b ORDER BY r.pk;
  DROP TABLE former_batch;
  DROP TABLE former_companion;
  CREATE INDEX companion_by_url ON companion (full_url) WHERE full_url IS NOT NULL;
  CREATE INDEX companion_by_id ON companion (id);
  `,
  // Of each document that came as a Bundle: its head, and its entries as JSON in their order (server/store/documents.ts). Records
  // are found by the address that they came with.
  `
  CREATE TABLE document (
    pk INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    head TEXT NOT NULL,
    entries TEXT NOT NULL,
    UNIQUE (type, id)
  ) STRICT;
  CREATE INDEX origin_by_url ON origin (full_url) WHERE full_url IS NOT NULL;
  `,
  // Import batches with a line for each entry (import-batches.ts). Lines name a record by its key, and a supporting resource by its
  // identity, with the text that it replaced. Records that the undo of a batch removed keep their versions and their key.
  `
  CREATE TABLE batch (
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    form TEXT NOT NULL,
    time INTEGER NOT NULL,
    who TEXT NOT NULL,
    person TEXT,
    state TEXT NOT NULL,
    ended INTEGER,
    counts TEXT,
    undone INTEGER,
    undone_by TEXT,
    undone_person TEXT,
    undone_reason TEXT
  ) STRICT;
  CREATE INDEX batch_by_time ON batch (time, id);
  CREATE TABLE batch_line (
    pk INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL,
    result TEXT NOT NULL,
    record INTEGER,
    version INTEGER,
    previous INTEGER,
    address TEXT,
    content TEXT,
    type TEXT,
    id TEXT,
    source TEXT,
    former_batch TEXT,
    former_url TEXT,
    former_sha256 BLOB,
    former_body TEXT,
    detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX batch_line_by_batch ON batch_line (batch);
  CREATE INDEX batch_line_by_record ON batch_line (record) WHERE record IS NOT NULL;
  CREATE INDEX batch_line_by_resource ON batch_line (type, id) WHERE type IS NOT NULL;
  CREATE TABLE removed (
    record INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    time INTEGER NOT NULL,
    who TEXT NOT NULL,
    person TEXT,
    reason TEXT,
    UNIQUE (type, id)
  ) STRICT;
  `,
];
