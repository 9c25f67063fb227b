import { indexedLength } from '../dialect.ts';

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
  `;
