import { locks } from '../locks.ts';

/** Import batches with their lines, and records that the undo of a batch removed (server/store/import-batches.ts). */
export const batches = `
  CREATE TABLE batch (
    pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    name text COLLATE "C" NOT NULL,
    form text COLLATE "C" NOT NULL,
    time bigint NOT NULL,
    who text COLLATE "C" NOT NULL,
    person text COLLATE "C",
    state text COLLATE "C" NOT NULL,
    ended bigint,
    counts text COLLATE "C",
    undone bigint,
    undone_by text COLLATE "C",
    undone_person text COLLATE "C",
    undone_reason text COLLATE "C"
  );
  CREATE INDEX batch_by_time ON batch (time, id);
  CREATE TABLE batch_line (
    pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch bigint NOT NULL,
    result text COLLATE "C" NOT NULL,
    record bigint,
    version integer,
    previous integer,
    address text COLLATE "C",
    content text COLLATE "C",
    type text COLLATE "C",
    id text COLLATE "C",
    source text COLLATE "C",
    former_batch text COLLATE "C",
    former_url text COLLATE "C",
    former_sha256 bytea,
    former_body text COLLATE "C",
    detail text COLLATE "C" NOT NULL
  );
  CREATE INDEX batch_line_by_batch ON batch_line (batch, pk);
  CREATE INDEX batch_line_by_record ON batch_line (record) WHERE record IS NOT NULL;
  CREATE INDEX batch_line_by_resource ON batch_line (type, id) WHERE type IS NOT NULL;

  -- Removed records keep their versions under their key. The place grows with each removal.
  CREATE TABLE removed (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    record bigint NOT NULL UNIQUE,
    type text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    time bigint NOT NULL,
    who text COLLATE "C" NOT NULL,
    person text COLLATE "C",
    reason text COLLATE "C",
    UNIQUE (type, id)
  );

  -- Removes a record with all that describes it except its versions and its lines of imports.
  CREATE FUNCTION remove_record(a_type text, an_id text, expected integer, at bigint, by_who text, by_person text, why text)
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = chartkeeper, pg_temp AS $$
    DECLARE
      number bigint;
      described name;
    BEGIN
      DELETE FROM record WHERE type = a_type AND id = an_id AND version = expected RETURNING pk INTO number;
      IF NOT FOUND THEN RETURN false; END IF;
      FOR described IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'chartkeeper'::regnamespace AND c.relkind IN ('r', 'p')
        AND a.attname = 'record' AND a.atttypid = 'bigint'::regtype AND NOT a.attisdropped
        AND c.relname NOT IN ('version', 'batch_line', 'removed')
      LOOP
        EXECUTE format('DELETE FROM %I WHERE record = $1', described) USING number;
      END LOOP;
      INSERT INTO removed (record, type, id, version, time, who, person, reason)
        VALUES (number, a_type, an_id, expected, at, by_who, by_person, why);
      RETURN true;
    END $$;
  REVOKE ALL ON FUNCTION remove_record FROM PUBLIC;

  -- A removal that was committed while an insert of the same id waited: the insert is tried again and sees it.
  CREATE FUNCTION was_not_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM chartkeeper.removed m WHERE m.type = NEW.type AND m.id = NEW.id) THEN
        RAISE EXCEPTION 'it was removed' USING ERRCODE = 'serialization_failure';
      END IF;
      RETURN NULL;
    END $$;
  CREATE TRIGGER was_not_removed AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION was_not_removed();

  -- Makes the last version of a removed record current again. The next version follows in the same transaction.
  CREATE FUNCTION bring_back(a_type text, an_id text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = chartkeeper, pg_temp AS $$
    DECLARE
      number bigint;
      last integer;
    BEGIN
      DELETE FROM removed WHERE type = a_type AND id = an_id RETURNING record, version INTO number, last;
      IF NOT FOUND THEN RETURN NULL; END IF;
      INSERT INTO record (pk, type, id, version, current, sort_date, status, title) OVERRIDING SYSTEM VALUE
        SELECT v.record, v.type, v.id, v.version, v.pk, v.sort_date, v.status, v.title FROM version v
        WHERE v.record = number AND v.version = last;
      INSERT INTO updated (record, type, last_updated, id)
        SELECT v.record, v.type, v.last_updated, v.id FROM version v WHERE v.record = number AND v.version = last;
      DELETE FROM origin WHERE type = a_type AND id = an_id;
      DELETE FROM document WHERE type = a_type AND id = an_id;
      RETURN last;
    END $$;
  REVOKE ALL ON FUNCTION bring_back FROM PUBLIC;

  -- The function of schema/companions.ts, also for removed records.
  CREATE OR REPLACE FUNCTION erase(a_type text, an_id text, at bigint, by_who text, by_person text, why text,
    a_source text DEFAULT '')
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = chartkeeper, pg_temp AS $$
    DECLARE
      number bigint;
      described name;
    BEGIN
      IF (a_type ~ '^[A-Z][A-Za-z]{1,63}$' AND an_id ~ '^[A-Za-z0-9.-]{1,64}$' AND why <> '') IS NOT TRUE THEN
        RAISE EXCEPTION 'an erasure names what is erased, and why' USING ERRCODE = 'invalid_parameter_value';
      END IF;
      -- Whoever writes it now commits first: the statements behind this one see what that left.
      DELETE FROM record WHERE type = a_type AND id = an_id RETURNING pk INTO number;
      IF NOT FOUND THEN
        SELECT record FROM removed WHERE type = a_type AND id = an_id INTO number;
      END IF;
      IF number IS NOT NULL THEN
        FOR described IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE c.relnamespace = 'chartkeeper'::regnamespace AND c.relkind IN ('r', 'p')
          AND a.attname = 'record' AND a.atttypid = 'bigint'::regtype AND NOT a.attisdropped
        LOOP
          EXECUTE format('DELETE FROM %I WHERE record = $1', described) USING number;
        END LOOP;
      END IF;
      -- Stamps rise in the order of commits, as those of the workspace do: servers read on behind the last that they saw.
      PERFORM pg_advisory_xact_lock(${locks.rows});
      INSERT INTO erased (type, id, time, who, person, reason, stamp, source)
        VALUES (a_type, an_id, at, by_who, by_person, why, nextval('workspace_stamp'), a_source);
    END $$;
  `;
