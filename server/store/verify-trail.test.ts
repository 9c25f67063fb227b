import { hash } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tamper } from '../testing/tamper.ts';
import { WatchedFolder } from '../testing/watched-folder.ts';
import { sealKey, sealOf, type ChainRow } from './audit-chain.ts';
import { connect } from './sqlite.ts';

const key = sealKey(Buffer.from('a key of the tests, long enough to be one'));
const statusPatch = '[{"op":"replace","path":"/status","value":"on-hold"}]';

/** Two stores that went through the same: one sealed with a key, one without. */
const folders: { plain: WatchedFolder; keyed: WatchedFolder }[] = [];
let ids: string[];

/** Ten records, the first with a second version, some reads, an older backup, and all of it once looked at. */
async function filled(given?: typeof key): Promise<WatchedFolder> {
  const folder = await WatchedFolder.make(given);
  await folder.start();
  ids = await folder.write(10);
  const older = await folder.send('POST', '/app/backups');
  copyFileSync(join(folder.path, 'backups', older.json.name as string), join(folder.path, 'older.db'));
  await folder.send('PATCH', `/fhir-r4/v1/CarePlan/${ids[0]}`, statusPatch, {
    'Content-Type': 'application/json-patch+json',
  });
  for (const id of ids) await folder.send('GET', `/fhir-r4/v1/CarePlan/${id}`);
  await folder.send('GET', '/app/audit');
  await folder.write(1);
  await folder.stop();
  return folder;
}

beforeAll(async () => {
  folders.push({ plain: await filled(), keyed: await filled(key) });
});
afterAll(() => Promise.all(folders.flatMap(({ plain, keyed }) => [plain.remove(), keyed.remove()])));

const both = ['plain', 'keyed'] as const;

async function findingsAfter(which: (typeof both)[number], change: (folder: WatchedFolder) => void) {
  const [made] = folders;
  if (!made) throw new Error('No folder was made');
  const folder = await made[which].copy();
  change(folder);
  const findings = await folder.verify();
  await folder.remove();
  return findings;
}

const run = (sql: string) => (folder: WatchedFolder) => tamper(folder.records, sql);

/** Takes the end of the trail away, behind a row that ends a group. */
const cut = `DELETE FROM audit WHERE seq > (SELECT max(seq) FROM audit WHERE seal IS NOT NULL AND seq < 12)`;
const changed = `(SELECT pk FROM record WHERE version = 2)`;
const index = ['reference', 'token', 'date_range', 'string', 'issue'];

/** Takes a record with all its versions and rows away. */
const removed = [
  ...index.map((table) => `DELETE FROM ${table} WHERE record = ${changed};`),
  `DELETE FROM version WHERE record = ${changed}; DELETE FROM record WHERE pk = ${changed};`,
].join(' ');

/** Makes the version before the newest the current one. */
const takenBack = `
  DELETE FROM version WHERE pk = (SELECT current FROM record WHERE version = 2);
  UPDATE record SET version = 1, (current, last_updated, status) =
    (SELECT pk, last_updated, status FROM version v WHERE v.record = record.pk) WHERE version = 2;`;

/** A text with sums that are its own. */
function forge({ records }: WatchedFolder): void {
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
function resealWithout({ records }: WatchedFolder): void {
  const database = connect(records);
  type Row = { -readonly [Cell in keyof ChainRow]: ChainRow[Cell] };
  const rows = database
    .prepare<unknown[], unknown[]>(
      `SELECT seq, time, who, action, what, version_before, version_after, status, request_id, lower(hex(sha256)), seal
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
    const sum = cells.pop() as string;
    group.push([place + 1, ...cells, ...(sum === '' ? [] : [sum])] as unknown as Row);
    if (last === null) continue;
    seal = sealOf(seal, group);
    group = [];
    sqls.push(`UPDATE audit SET seal = x'${seal.toString('hex')}' WHERE seq = ${place + 1}`);
  }
  tamper(records, sqls.join('; '));
}

function putOlder({ path, records }: WatchedFolder): void {
  for (const end of ['-wal', '-shm']) rmSync(records + end, { force: true });
  copyFileSync(join(path, 'older.db'), records);
}

const lacks = /^the file lacks at least/;

const changes: readonly (readonly [string, (folder: WatchedFolder) => void, RegExp])[] = [
  ['a row is edited', run(`UPDATE audit SET who = 'b' WHERE seq = 3`), /^audit entry 3 breaks the chain/],
  ['a row is deleted', run('DELETE FROM audit WHERE seq = 3'), /^audit entry 3 breaks the chain/],
  [
    'two rows are swapped',
    run(
      'UPDATE audit SET seq = -3 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 4; UPDATE audit SET seq = 4 WHERE seq = -3',
    ),
    /^audit entry 3 breaks the chain/,
  ],
  [
    'all entries are deleted',
    run('DELETE FROM audit'),
    /^CarePlan\/.*, version 1 has no entry in the audit trail/,
  ],
  ['the trail is cut at a sealed row', run(cut), lacks],
  ['a record is removed wholly', run(removed), /version 2 is not there, and audit entry 1\d tells/],
  [
    'the newest version of a record is taken away',
    run(takenBack),
    /version 2 is not there, and audit entry 1\d tells/,
  ],
  [
    'a text is forged with its sums',
    forge,
    /version 1 has another text than the one that audit entry 5 vouches for/,
  ],
  ['an older file is put in place by hand', putOlder, /^the file lacks at least 2 acknowledged writes/],
];

test.each(both.flatMap((which) => changes.map(([what, ...rest]) => [what, which, ...rest] as const)))(
  'item 24: %s (%s) is found',
  async (_what, which, change, finding) => {
    expect(await findingsAfter(which, () => undefined)).toEqual([]);
    expect(await findingsAfter(which, change)).toContainEqual(expect.stringMatching(finding));
  },
);

test('item 24: one read that is dropped and sealed anew is found by the seal that is kept outside, and with a key by itself', async () => {
  expect(await findingsAfter('plain', resealWithout)).toEqual([expect.stringMatching(lacks)]);
  // Whoever can write the workspace too is found where there is a key.
  const alone = (folder: WatchedFolder) => {
    resealWithout(folder);
    rmSync(join(folder.path, 'workspace.db'));
  };
  expect(await findingsAfter('plain', alone)).toEqual([]);
  expect(await findingsAfter('keyed', alone)).toEqual([
    'audit entry 1 is in doubt: neither it nor what follows it was sealed with the key.',
  ]);
});

test('what was written before a reset, or of a record before it was erased, need not be there', async () => {
  const erased = (folder: WatchedFolder) => {
    const database = connect(folder.records);
    const { id } = database
      .prepare<unknown[], { id: string }>('SELECT id FROM record WHERE version = 2')
      .get() ?? { id: '' };
    database.close();
    run(removed)(folder);
    addEntry(folder, 'erase', `CarePlan/${id}`);
  };
  expect(await findingsAfter('plain', erased)).toEqual([]);
  const reset = (folder: WatchedFolder) => {
    run(`${[...index, 'version', 'record', 'vouched'].map((table) => `DELETE FROM ${table};`).join(' ')}`)(
      folder,
    );
    addEntry(folder, 'reset', 'a.db');
  };
  expect(await findingsAfter('plain', reset)).toEqual([]);
});

/** An entry behind the last, sealed as the server does. */
function addEntry({ records }: WatchedFolder, action: string, what: string): void {
  const database = connect(records);
  const { seq, seal } = database
    .prepare<unknown[], { seq: number; seal: Buffer }>(
      'SELECT seq, seal FROM audit ORDER BY seq DESC LIMIT 1',
    )
    .get() ?? { seq: 0, seal: Buffer.alloc(32) };
  const row: ChainRow = [seq + 1, 1, 'owner', action, what, null, null, 200, ''];
  database
    .prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)')
    .run(...row, sealOf(seal, [row]));
  database.close();
}
