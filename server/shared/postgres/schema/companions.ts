import { indexedLength } from '../dialect.ts';
import { erasedCode } from '../driver-errors.ts';
import { locks } from '../locks.ts';

/** Companions and FHIR packages. */
export const companions = `
  -- What came with records and is none, as it came; whom it is about, for its erasure.
  CREATE TABLE companion (
    pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    place bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    full_url text COLLATE "C",
    sha256 bytea NOT NULL,
    body text COLLATE "C" NOT NULL,
    UNIQUE (type, id)
  );
  CREATE INDEX companion_by_url ON companion (left(full_url, ${indexedLength})) WHERE full_url IS NOT NULL;
  CREATE INDEX companion_by_id ON companion (id);
  CREATE TABLE companion_subject (
    companion bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C"
  );
  CREATE INDEX companion_subject_by_id ON companion_subject (left(id, ${indexedLength}));
  CREATE INDEX companion_subject_by_companion ON companion_subject (companion);
  -- The place of the newest, which is another with each change: the lock under which companions are changed.
  CREATE TABLE companion_stamp (stamp bigint NOT NULL);
  INSERT INTO companion_stamp (stamp) VALUES (0);

  -- FHIR packages, of which each server keeps a copy: an archive's bytes in their order.
  CREATE TABLE package (
    file text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    sha256 bytea NOT NULL,
    UNIQUE (name, version)
  );
  CREATE TABLE package_part (
    file text COLLATE "C" NOT NULL REFERENCES package ON DELETE CASCADE,
    place integer NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (file, place)
  );
  ALTER TABLE package_part ALTER body SET STORAGE EXTERNAL;
  `;

/** The function of schema/erasures.ts with the source of the resource. */
const eraseFunction = `
  CREATE FUNCTION erase(a_type text, an_id text, at bigint, by_who text, by_person text, why text,
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
      IF FOUND THEN
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
  REVOKE ALL ON FUNCTION erase FROM PUBLIC;`;

/** Sources of supporting resources, and origins of imported records (core/fhir/origin.ts). What is stored becomes one batch. */
export const origins = `
  ALTER TABLE companion DROP CONSTRAINT companion_type_id_key;
  ALTER TABLE companion ADD COLUMN source text COLLATE "C", ADD COLUMN batch text COLLATE "C";
  CREATE TABLE origin (
    type text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    batch text COLLATE "C" NOT NULL,
    full_url text COLLATE "C",
    PRIMARY KEY (type, id)
  );
  DO $$ DECLARE former text := 'batch:' || md5(random()::text || clock_timestamp()::text);
  BEGIN
    IF EXISTS (SELECT 1 FROM companion) THEN
      UPDATE companion SET source = former, batch = former;
      INSERT INTO origin (type, id, source, batch) SELECT type, id, former, former FROM record;
    END IF;
  END $$;
  ALTER TABLE companion ALTER source SET NOT NULL, ALTER batch SET NOT NULL;

  -- An erasure of a resource of one source does not concern those of others. An empty source is that of a record, and of
  -- erasures from before: it stands for all. What has no known server is kept out by its type and id (isKeptOut).
  ALTER TABLE erased ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT '';
  ALTER TABLE erased DROP CONSTRAINT erased_pkey, ADD PRIMARY KEY (type, id, source);
  DROP FUNCTION erase;
  ${eraseFunction}
  CREATE FUNCTION resource_was_not_erased() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM chartkeeper.erased e WHERE e.type = NEW.type AND e.id = NEW.id
        AND (e.source IN ('', NEW.source) OR starts_with(e.source, 'batch:') OR starts_with(NEW.source, 'batch:'))) THEN
        RAISE EXCEPTION 'it was erased' USING ERRCODE = '${erasedCode}';
      END IF;
      RETURN NULL;
    END $$;
  DROP TRIGGER was_not_erased ON companion;
  CREATE TRIGGER was_not_erased AFTER INSERT ON companion FOR EACH ROW EXECUTE FUNCTION resource_was_not_erased();
  `;

/** Of each document that came as a Bundle: its head, and its entries as JSON in their order. Records are found by their address. */
export const documents = `
  CREATE TABLE document (
    type text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    head text COLLATE "C" NOT NULL,
    entries text COLLATE "C" NOT NULL,
    PRIMARY KEY (type, id)
  );
  CREATE INDEX origin_by_url ON origin (left(full_url, ${indexedLength})) WHERE full_url IS NOT NULL;
  `;
