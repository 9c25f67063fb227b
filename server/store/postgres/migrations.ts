/**
 * The schema of a shared store, forward only; every engine of server/store answers the same from it (contract.test.ts).
 * Every text is COLLATE "C": folding is done in code, and an order is that of bytes. Called by migrate.ts alone.
 *
 * What PostgreSQL asks for: a row whose indexed columns keep their values is changed in place (HOT), so that what changes
 * with every write, the time, stands in a table of its own (`updated`). Index rows are narrow and are found both by value
 * and by record. `xid` is the transaction that wrote a version: a snapshot tells whether it was seen (places.ts).
 */
import { companions } from './schema/companions.ts';
import { erasures } from './schema/erasures.ts';
import { judging } from './schema/judging.ts';
import { moves } from './schema/moves.ts';
import { records } from './schema/records.ts';
import { sharedWorkspace } from './schema/shared-workspace.ts';
import { workbench } from './schema/workbench.ts';
import { speed } from './schema/speed.ts';

/** Each is run once, in one transaction with the number of those that have run. */
export const migrations: readonly string[] = [
  records,
  sharedWorkspace,
  companions,
  erasures,
  moves,
  judging,
  workbench,
  speed,
];

/** The sequences that a server takes numbers of. */
export const sequences = ['version_pk', 'workspace_stamp', 'activity_seq'];

/** The functions that a server may call, which do what it may not. */
export const functions = ['erase'];

/**
 * What a server may do, and no more: an entry of the audit trail, a version and the schema itself are nothing that it can
 * change or remove. What sorts a version is derived of it.
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
