/** Changes that a person with another program makes to a data folder to hide an event. */
import { hash } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { endOf, sealOf, type ChainRow } from '../store/audit-chain.ts';
import { connect } from '../sqlite/sqlite.ts';
import { tamper } from './tamper.ts';

/** Changes a data folder that no server has open. */
export type FolderChange = (folder: string) => void;

const recordsIn = (folder: string) => join(folder, 'records.db');
export const runIn =
  (sql: string): FolderChange =>
  (folder) =>
    tamper(recordsIn(folder), sql);

/** Deletes the end of the audit log, after a sealed row. */
const truncateAuditLogSql = `DELETE FROM audit WHERE seq > (SELECT max(seq) FROM audit WHERE seal IS NOT NULL AND seq < 12)`;
const updatedRecordSql = `(SELECT pk FROM record WHERE version = 2)`;
export const rowTables = ['reference', 'token', 'date_range', 'string', 'issue'];

/** Deletes a record with all its versions and rows. */
export const removeRecordSql = [
  ...rowTables.map((table) => `DELETE FROM ${table} WHERE record = ${updatedRecordSql};`),
  `DELETE FROM version WHERE record = ${updatedRecordSql}; DELETE FROM record WHERE pk = ${updatedRecordSql};`,
].join(' ');

/** Deletes the latest version and makes the previous version current. */
const removeLatestVersionSql = `
  DELETE FROM version WHERE pk = (SELECT current FROM record WHERE version = 2);
  UPDATE record SET version = 1, (current, last_updated, status) =
    (SELECT pk, last_updated, status FROM version v WHERE v.record = record.pk) WHERE version = 2;`;

/** Name of a copy of the records from before the second version. */
export const olderFile = 'older.db';

/** Forges a text, and sets its checksums to match. */
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

/** Drops the entry of a read and recomputes all later seals, which is possible without a key. */
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
  const readIndex = rows.findIndex(([, , , action]) => action === 'read');
  rows.splice(readIndex, 1);
  let seal: Buffer = Buffer.alloc(32);
  let group: ChainRow[] = [];
  const sqls = [
    `DELETE FROM audit WHERE seq = ${readIndex + 1}`,
    `UPDATE audit SET seq = seq - 1 WHERE seq > ${readIndex + 1}`,
  ];
  for (const [index, [, ...cells]] of rows.entries()) {
    const rowSeal = cells.pop();
    const reason = cells.pop() as string;
    const person = cells.pop() as string | null;
    const sum = cells.pop() as string;
    const end = endOf(bytesIn(sum), person, bytesIn(reason));
    group.push([index + 1, ...cells, ...end] as unknown as Row);
    if (rowSeal === null) continue;
    seal = sealOf(seal, group);
    group = [];
    sqls.push(`UPDATE audit SET seal = x'${seal.toString('hex')}' WHERE seq = ${index + 1}`);
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

const missingEntries = /^the file lacks (at least|entries of the audit log)/m;

/** Changes of a folder that `fillForChanges` filled, with the problem that verify reports. */
export const trailChanges: readonly (readonly [
  description: string,
  change: FolderChange,
  finding: RegExp,
])[] = [
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
  ['the trail is cut at a sealed row', runIn(truncateAuditLogSql), missingEntries],
  [
    'a record is removed wholly',
    runIn(removeRecordSql),
    /version 2 is missing, although audit entry 1\d says/,
  ],
  [
    'the newest version of a record is taken away',
    runIn(removeLatestVersionSql),
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
