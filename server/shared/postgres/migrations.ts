/**
 * Schema of a shared store. Migrations run only forward. All engines of server/store return the same results
 * (contract.test.ts). Every text is COLLATE "C": code folds case, and the order is that of bytes. Used only by migrate.ts.
 *
 * PostgreSQL updates a row in place (HOT) if its indexed columns keep their values. Therefore the time, which changes with
 * every write, has its own table (`updated`). Index rows are narrow, with indexes by value and by record. `xid` is the
 * transaction that wrote a version. A snapshot decides whether the version was visible (page-sql.ts).
 */
import { batches } from './schema/batches.ts';
import { companions, documents, origins } from './schema/companions.ts';
import { erasures } from './schema/erasures.ts';
import { judging } from './schema/judging.ts';
import { records } from './schema/records.ts';
import { endedRights, sharedWorkspace, signInNetworks, workbench } from './schema/workbench.ts';

/** Each migration runs once, in one transaction with the new count of migrations. */
export const migrations: readonly string[] = [
  records,
  sharedWorkspace,
  companions,
  erasures,
  `
  -- The move into this store (server/shared/move/state.ts), once it has begun: until it has ended no server writes here. Up to which
  -- version the source's trail has no entry of each.
  CREATE TABLE move (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    state text COLLATE "C" NOT NULL,
    ended bigint,
    vouched bigint NOT NULL DEFAULT 0
  );
  `,
  judging,
  workbench,
  `
  -- How often index rows were mended of records that no version was written of: totals that are kept count anew.
  ALTER TABLE deriving ADD COLUMN mended bigint NOT NULL DEFAULT 0;

  -- Texts are packed and unpacked in a fifth of the time where the server was built with it; those that lie there stay.
  DO $$ BEGIN
    ALTER TABLE version ALTER body SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported THEN NULL;
  END $$;
  `,
  signInNetworks,
  endedRights,
  origins,
  documents,
  batches,
];

/** The sequences that a server takes numbers of. */
export const sequences = ['version_pk', 'workspace_stamp', 'activity_seq'];

/** Functions that run with more rights than the server role has. */
export const functions = ['erase', 'remove_record', 'bring_back'];

/**
 * Rights of the server role. It cannot change or remove audit entries, versions or the schema. It can update the sort
 * columns of a version, because they are derived.
 */
export const rights: Readonly<Record<string, string>> = {
  version: 'SELECT, INSERT, UPDATE (sort_date, status, title)',
  audit: 'SELECT, INSERT',
  sealed_day: 'SELECT, INSERT',
  erased: 'SELECT',
  migration: 'SELECT',
  move: 'SELECT',
  numbering: 'SELECT',
  record: 'SELECT, INSERT, UPDATE',
  updated: 'SELECT, INSERT, UPDATE',
  node: 'SELECT, INSERT, UPDATE',
  reference: 'SELECT, INSERT, DELETE',
  token: 'SELECT, INSERT, DELETE',
  date_range: 'SELECT, INSERT, DELETE',
  string: 'SELECT, INSERT, DELETE',
  issue: 'SELECT, INSERT, UPDATE, DELETE',
  finding_end: 'SELECT, INSERT, UPDATE, DELETE',
  finding_state: 'SELECT, INSERT, UPDATE, DELETE',
  measure: 'SELECT, INSERT, DELETE',
  workspace: 'SELECT, INSERT, UPDATE, DELETE',
  sign_in_code: 'SELECT, INSERT, UPDATE, DELETE',
  companion: 'SELECT, INSERT, UPDATE, DELETE',
  companion_subject: 'SELECT, INSERT, DELETE',
  companion_stamp: 'SELECT, UPDATE',
  origin: 'SELECT, INSERT, DELETE',
  document: 'SELECT, INSERT, UPDATE, DELETE',
  batch: 'SELECT, INSERT, UPDATE',
  batch_line: 'SELECT, INSERT, UPDATE, DELETE',
  removed: 'SELECT',
  package: 'SELECT, INSERT, DELETE',
  package_part: 'SELECT, INSERT',
  derivation: 'SELECT, INSERT, UPDATE, DELETE',
  deriving: 'SELECT, INSERT, UPDATE',
  check_slot: 'SELECT, INSERT, UPDATE, DELETE',
  check_result: 'SELECT, INSERT, UPDATE, DELETE',
  relation_look: 'SELECT, INSERT, UPDATE',
  activity: 'SELECT, INSERT, DELETE',
  openid_sign_in: 'SELECT, INSERT, DELETE',
  lease: 'SELECT, INSERT, UPDATE, DELETE',
};
