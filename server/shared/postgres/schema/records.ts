import { indexedLength } from '../dialect.ts';

/** Tables of records, versions, search index, findings and audit log. */
export const records = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;

  CREATE SEQUENCE version_pk;

  CREATE TABLE version (
    pk bigint PRIMARY KEY,
    record bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    last_updated text COLLATE "C" NOT NULL,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    sort_date bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    title text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    author text COLLATE "C" NOT NULL,
    person text COLLATE "C",
    reason text COLLATE "C",
    sha256 bytea NOT NULL,
    crc32 bigint NOT NULL,
    body text COLLATE "C" NOT NULL,
    UNIQUE (record, version)
  );
  CREATE INDEX version_by_updated ON version (type, last_updated, pk);
  CREATE INDEX version_by_xid ON version (xid);

  CREATE TABLE record (
    pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    current bigint NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    sort_date bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    title text COLLATE "C" NOT NULL,
    judge_again bigint
  ) WITH (fillfactor = 85);
  CREATE UNIQUE INDEX record_by_id ON record (type, id);
  CREATE INDEX record_by_date ON record (type, sort_date, id);
  CREATE INDEX record_by_status ON record (type, status, id);
  CREATE INDEX record_by_title ON record (type, title, id);

  CREATE TABLE updated (
    record bigint PRIMARY KEY,
    type text COLLATE "C" NOT NULL,
    last_updated text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL
  );
  CREATE INDEX updated_by_time ON updated (type, last_updated, id);

  CREATE TABLE numbering (taken integer NOT NULL);
  INSERT INTO numbering (taken) VALUES (0);

  CREATE TABLE reference (
    record bigint NOT NULL,
    key integer NOT NULL,
    target text COLLATE "C" NOT NULL,
    target_type text COLLATE "C",
    target_base text COLLATE "C"
  );
  -- A value may be longer than an index takes: its beginning leads to it.
  CREATE INDEX reference_by_target ON reference (key, left(target, ${indexedLength}), record);
  CREATE INDEX reference_by_record ON reference (record, key);

  CREATE TABLE token (
    record bigint NOT NULL,
    key integer NOT NULL,
    code text COLLATE "C" NOT NULL,
    system text COLLATE "C"
  );
  CREATE INDEX token_by_code ON token (key, left(code, ${indexedLength}), record);
  CREATE INDEX token_by_record ON token (record, key);

  CREATE TABLE date_range (
    record bigint NOT NULL,
    key integer NOT NULL,
    low bigint,
    high bigint
  );
  CREATE INDEX date_range_by_low ON date_range (key, low, high, record);
  CREATE INDEX date_range_long ON date_range (key, high, low) WHERE high - low > 86400000;
  CREATE INDEX date_range_by_record ON date_range (record, key);

  CREATE TABLE string (
    record bigint NOT NULL,
    key integer NOT NULL,
    folded text COLLATE "C" NOT NULL,
    exact text COLLATE "C" NOT NULL
  );
  CREATE INDEX string_by_value ON string (key, left(folded, ${indexedLength}), record);
  CREATE INDEX string_by_part ON string USING gin (folded gin_trgm_ops);
  CREATE INDEX string_by_record ON string (record, key);

  CREATE TABLE issue (
    record bigint NOT NULL,
    ordinal integer NOT NULL,
    rule text COLLATE "C" NOT NULL,
    severity text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,
    pointer text COLLATE "C" NOT NULL,
    since integer NOT NULL,
    PRIMARY KEY (record, ordinal)
  );
  CREATE INDEX issue_by_rule ON issue (rule, record, ordinal);

  CREATE TABLE finding_end (
    ended integer NOT NULL,
    since integer NOT NULL,
    rule text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    findings integer NOT NULL,
    UNIQUE (ended, since, rule, type)
  );
  CREATE TABLE finding_state (
    record bigint NOT NULL,
    rule text COLLATE "C" NOT NULL,
    pointer text COLLATE "C" NOT NULL,
    assignee text COLLATE "C",
    waived text COLLATE "C",
    until text COLLATE "C",
    note text COLLATE "C",
    who text COLLATE "C" NOT NULL,
    time bigint NOT NULL
  );
  CREATE UNIQUE INDEX finding_state_of ON finding_state (record, rule, md5(pointer));
  CREATE TABLE measure (
    day integer NOT NULL,
    rule text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    applied integer NOT NULL,
    violated integer NOT NULL,
    skipped integer NOT NULL,
    findings integer NOT NULL,
    UNIQUE (day, rule, type)
  );

  -- A chain for each server (audit-chain.ts): its newest entry, whose row is the lock under which entries are added.
  CREATE TABLE node (
    node integer PRIMARY KEY,
    seq bigint NOT NULL,
    seal bytea NOT NULL
  );
  CREATE TABLE audit (
    place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    node integer NOT NULL,
    seq bigint NOT NULL,
    time bigint NOT NULL,
    who text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    what text COLLATE "C" NOT NULL,
    version_before integer,
    version_after integer,
    status integer NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    sha256 bytea,
    person text COLLATE "C",
    reason_sha256 bytea,
    seal bytea,
    PRIMARY KEY (node, seq)
  );
  -- Which server wrote the seal of all chains on a day: one of them does.
  CREATE TABLE sealed_day (day integer PRIMARY KEY, node integer NOT NULL);

  CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the audit trail keeps every row as it is'; END $$;
  CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();
  `;
