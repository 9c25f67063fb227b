/** Tables of derivation, checks and leases. */
export const judging = `
  -- By which derivations the rows of all records were made, part by part, and what is made anew (coverage.ts). A server
  -- writes records where both rows say that it is of the program whose derivations hold.
  CREATE TABLE derivation (
    part text COLLATE "C" PRIMARY KEY,
    stamp text COLLATE "C" NOT NULL,
    made bigint NOT NULL
  );
  CREATE TABLE deriving (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    program text COLLATE "C" NOT NULL DEFAULT '',
    parts text COLLATE "C" NOT NULL DEFAULT '{}',
    done bigint NOT NULL DEFAULT 0,
    last bigint NOT NULL DEFAULT 0,
    skipped integer NOT NULL DEFAULT 0,
    judged bigint NOT NULL DEFAULT 0
  );
  INSERT INTO deriving DEFAULT VALUES;
  ALTER TABLE node ADD COLUMN program text COLLATE "C" NOT NULL DEFAULT '';
  CREATE INDEX record_by_day ON record (judge_again, pk) WHERE judge_again IS NOT NULL;

  -- Checks that are asked (check-slots.ts): what was passed is all that a snapshot saw; what another sees beyond it is
  -- being passed, in the order of transactions.
  CREATE TABLE check_slot (
    slot integer PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    type text COLLATE "C" NOT NULL,
    stamp text COLLATE "C" NOT NULL,
    seen pg_snapshot NOT NULL DEFAULT '1:1:',
    passing pg_snapshot,
    at_xid xid8 NOT NULL DEFAULT '1',
    at_pk bigint NOT NULL DEFAULT 0,
    reached bigint NOT NULL DEFAULT 0,
    halted boolean NOT NULL DEFAULT false
  );
  CREATE TABLE check_result (
    record bigint PRIMARY KEY,
    applied integer NOT NULL,
    skipped integer NOT NULL
  );
  CREATE INDEX version_by_place ON version (xid, pk);
  DROP INDEX version_by_xid;
  -- What the last look at what is wrong between records has seen.
  CREATE TABLE relation_look (single boolean PRIMARY KEY DEFAULT true CHECK (single), seen pg_snapshot NOT NULL);
  -- Which server does what is to be done once.
  CREATE TABLE lease (
    name text COLLATE "C" PRIMARY KEY,
    holder text COLLATE "C" NOT NULL,
    until timestamptz NOT NULL
  );
  `;
