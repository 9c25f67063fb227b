/** What somebody with another program changes in a data folder, so that nobody notices. */
import { hash } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { endOf, sealOf, type ChainRow } from '../store/audit-chain.ts';
import { connect } from '../store/sqlite/sqlite.ts';
import { tamper } from './tamper.ts';

/** Changes a data folder that no server holds. */
export type FolderChange = (folder: string) => void;

const recordsIn = (folder: string) => join(folder, 'records.db');
export const runIn =
  (sql: string): FolderChange =>
  (folder) =>
    tamper(recordsIn(folder), sql);

/** Takes the end of the trail away, behind a row that ends a group. */
const cut = `DELETE FROM audit WHERE seq > (SELECT max(seq) FROM audit WHERE seal IS NOT NULL AND seq < 12)`;
const changed = `(SELECT pk FROM record WHERE version = 2)`;
export const rowTables = ['reference', 'token', 'date_range', 'string', 'issue'];

/** Takes a record with all its versions and rows away. */
export const recordRemoved = [
  ...rowTables.map((table) => `DELETE FROM ${table} WHERE record = ${changed};`),
  `DELETE FROM version WHERE record = ${changed}; DELETE FROM record WHERE pk = ${changed};`,
].join(' ');

/** Makes the version before the newest the current one. */
const takenBack = `
  DELETE FROM version WHERE pk = (SELECT current FROM record WHERE version = 2);
  UPDATE record SET version = 1, (current, last_updated, status) =
    (SELECT pk, last_updated, status FROM version v WHERE v.record = record.pk) WHERE version = 2;`;

/** A copy of the records from before their second version. */
export const olderFile = 'older.db';

/** A text with sums that are its own. */
function forge(folder: string): void {
  const records = recordsIn(folder);
  const database = connect(records);
  const { pk, body } = database
    .prepare<unknown[], { pk: number; body: string }>(
      'SELECT pk, body FROM version ORDER BY pk LIMIT 1 OFFSET 4',
    )
    .get() ?? { pk: 0, body: '' };
  const forged = body.replace('"intent"', '"description":"FORGED: stop all medication","intent"');
  database
    .prepare('UPDATE version SET body = ?, sha256 = ?, crc32 = ? WHERE pk = ?')
    .run(forged, hash('sha256', forged, 'buffer'), crc32(forged), pk);
  database.close();
}

/** Drops a read and seals all that follows anew, as anyone can who has no key. */
export function resealWithout(folder: string): void {
  const records = recordsIn(folder);
  const database = connect(records);
  type Row = { -readonly [Cell in keyof ChainRow]: ChainRow[Cell] };
  const rows = database
    .prepare<unknown[], unknown[]>(
      `SELECT seq, time, who, action, what, version_before, version_after, status, request_id, lower(hex(sha256)), person, lower(hex(reason_sha256)), seal
       FROM audit ORDER BY seq`,
    )
    .raw()
    .all();
  database.close();
  const first = rows.findIndex(([, , , action]) => action === 'read');
  rows.splice(first, 1);
  let seal: Buffer = Buffer.alloc(32);
  let group: ChainRow[] = [];
  const sqls = [
    `DELETE FROM audit WHERE seq = ${first + 1}`,
    `UPDATE audit SET seq = seq - 1 WHERE seq > ${first + 1}`,
  ];
  for (const [place, [, ...cells]] of rows.entries()) {
    const last = cells.pop();
    const reason = cells.pop() as string;
    const person = cells.pop() as string | null;
    const sum = cells.pop() as string;
    const end = endOf(bytesIn(sum), person, bytesIn(reason));
    group.push([place + 1, ...cells, ...end] as unknown as Row);
    if (last === null) continue;
    seal = sealOf(seal, group);
    group = [];
    sqls.push(`UPDATE audit SET seal = x'${seal.toString('hex')}' WHERE seq = ${place + 1}`);
  }
  tamper(records, sqls.join('; '));
}

function bytesIn(hex: string): Buffer | null {
  return hex === '' ? null : Buffer.from(hex, 'hex');
}

function putOlder(folder: string): void {
  const records = recordsIn(folder);
  for (const end of ['-wal', '-shm']) rmSync(records + end, { force: true });
  copyFileSync(join(folder, olderFile), records);
}

const lacks = /^the file lacks (at least|entries of the audit log)/m;

/** Each change of a folder that `fillFor` (trail-sample.ts) filled, and what verify says of it. */
export const trailChanges: readonly (readonly [what: string, change: FolderChange, finding: RegExp])[] = [
  ['a row is edited', runIn(`UPDATE audit SET who = 'b' WHERE seq = 3`), /^audit entry 3 breaks the chain/m],
  ['a row is deleted', runIn('DELETE FROM audit WHERE seq = 3'), /^audit entry 3 breaks the chain/m],
  [
    'two rows are swapped',
    runIn(
      'UPDATE audit SET seq = -3 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 4; UPDATE audit SET seq = 4 WHERE seq = -3',
    ),
    /^audit entry 3 breaks the chain/m,
  ],
  ['all entries are deleted', runIn('DELETE FROM audit'), /^CarePlan\/.*, version 1 has no audit entry/m],
  ['the trail is cut at a sealed row', runIn(cut), lacks],
  ['a record is removed wholly', runIn(recordRemoved), /version 2 is missing, although audit entry 1\d says/],
  [
    'the newest version of a record is taken away',
    runIn(takenBack),
    /version 2 is missing, although audit entry 1\d says/,
  ],
  [
    'a text is forged with its sums',
    forge,
    /version 1 has a text that differs from the checksum in audit entry 5/,
  ],
  [
    'a person is put in a version',
    runIn(`UPDATE version SET person = 'Somebody' WHERE pk = 3`),
    /version 1 has an author, person or operation that differs from the audit log/,
  ],
  [
    'a reason is forged',
    runIn(`UPDATE version SET reason = 'It was agreed.' WHERE reason IS NOT NULL`),
    /version 2 has a reason that differs from audit entry 1\d/,
  ],
  [
    'a reason is added',
    runIn(`UPDATE version SET reason = 'It was agreed.' WHERE pk = 3`),
    /version 1 has a reason that differs from audit entry \d/,
  ],
  [
    'a reason is taken away',
    runIn(`UPDATE version SET reason = NULL WHERE reason IS NOT NULL`),
    /version 2 has a reason that differs from audit entry 1\d/,
  ],
  ['an older file is put in place by hand', putOlder, /^the file lacks at least 2 acknowledged writes/m],
];
