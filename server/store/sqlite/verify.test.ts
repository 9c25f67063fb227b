import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadTraining, recordsOf } from '../../import/load-training.ts';
import { openRecords } from '../../start.ts';
import { damageBodies } from '../../testing/damage.ts';
import { runCli } from '../../testing/run-cli.ts';
import { tamper } from '../../testing/tamper.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { connect } from '../../sqlite/sqlite.ts';
import { verifyFile, type VerifyCounts, type VerifyFinding } from './verify.ts';

let folder: string;
/** Full training set. */
let fullFile: string;
/** A few plans, so that each changed copy is verified quickly. */
let smallFile: string;
/** A record of the small file with two versions. */
let changedRecord: { readonly name: string; readonly pk: number };

/** Creates a file in a new folder: records, changes of the first plans, and audit entries of reads at the end. */
async function makeFile(name: string, maxPlans = Infinity): Promise<string> {
  const { store, service } = await openRecords(join(folder, name));
  const plans = [...recordsOf('clean', 1)].filter(({ type }) => type === 'CarePlan').slice(0, maxPlans);
  if (maxPlans === Infinity) await loadTraining(service, 'clean', { author: 'test', seed: 1 });
  else for (const plan of plans) await service.importRecord({ ...plan, keepIds: true, author: 'test' });
  const text = '[{"op":"replace","path":"/status","value":"entered-in-error"}]';
  for (const { type, id } of plans.slice(0, 20)) await service.patch({ type, id, text, author: 'test' });
  for (let index = 0; index < 120; index += 1) {
    const target = `/fhir-r4/v1/CarePlan/${index}`;
    store.audit.note({
      time: Date.now(),
      who: 'a',
      action: 'read',
      what: target,
      status: 404,
      requestId: '',
    });
  }
  await store.close();
  return join(folder, name, 'records.db');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-verify-'));
  fullFile = await makeFile('whole');
  smallFile = await makeFile('small', 5);
  const database = connect(smallFile, { readonly: true });
  const row = database
    .prepare<unknown[], { name: string; pk: number }>(
      `SELECT type || '/' || id AS name, pk FROM record WHERE version > 1 ORDER BY pk LIMIT 1`,
    )
    .get();
  database.close();
  if (!row) throw new Error('No record has two versions');
  changedRecord = row;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function verify(path: string): Promise<{ findings: VerifyFinding[]; counts: VerifyCounts }> {
  const findings: VerifyFinding[] = [];
  const looking = verifyFile(path);
  for (;;) {
    const { done, value } = await looking.next();
    if (done) return { findings, counts: value };
    findings.push(value);
  }
}

/** Verifies a changed copy of a file. */
async function findingsAfter(
  change: (path: string) => void,
  sourceFile = smallFile,
): Promise<VerifyFinding[]> {
  const path = join(folder, 'copy.db');
  copyFileSync(sourceFile, path);
  change(path);
  return (await verify(path)).findings;
}

const findingsAfterSql = (text: string) => findingsAfter((path) => tamper(path, text));

test('verifies an intact file completely and reports nothing', async () => {
  const { findings, counts } = await verify(fullFile);
  expect(findings).toEqual([]);
  expect(counts.records).toBeGreaterThan(200);
  expect(counts.versions).toBeGreaterThan(counts.records);
  expect(counts.entries).toBe(counts.versions + 120);
});

test.each([
  'records-v1.db',
  'records-v2.db',
  'records-v3.db',
  'records-v4.db',
  'records-v5.db',
  'records-v6.db',
  'records-v7.db',
])('reports nothing for %s', async (fixture) => {
  expect(await verify(join(import.meta.dirname, 'fixtures', fixture))).toMatchObject({ findings: [] });
});

test('reports each of 200 flipped bits with its record', async () => {
  let flips: string[] = [];
  const findings = await findingsAfter((path) => {
    flips = damageBodies(path, { count: 200, seed: 11 }).map(
      ({ type, id, version }) => `${type}/${id}, version ${version}`,
    );
  }, fullFile);
  expect(flips).toHaveLength(200);
  expect(findings.map(({ where }) => where).sort()).toEqual(flips.sort());
  for (const { problem } of findings) expect(problem).toMatch(/^has a damaged text/);
});

test.each([
  ['UPDATE record SET current = current - 1, version = version - 1 WHERE pk = :pk', /newest version/],
  [`UPDATE record SET status = 'unheard' WHERE pk = :pk`, /has a wrong type/],
  ['DELETE FROM version WHERE record = :pk AND version = 1', /has 1 of 2 versions/],
  [`UPDATE version SET last_updated = '2020-01-01T00:00:00.000Z' WHERE record = :pk AND version = 1`, /text/],
  [`UPDATE version SET title = title || 'x' WHERE record = :pk AND version = 1`, /has sort values/],
  ['UPDATE version SET crc32 = crc32 + 1 WHERE record = :pk AND version = 1', /has a damaged text/],
  [`UPDATE version SET author = 'nobody' WHERE record = :pk AND version = 1`, /has an author/],
  [
    `UPDATE version SET operation = 'patch' WHERE record = :pk AND version = 1`,
    /has an author, person or operation/,
  ],
  ['DELETE FROM reference WHERE record = :pk', /has wrong index values \(reference\)/],
  [`UPDATE token SET code = code || 'x' WHERE record = :pk`, /has wrong index values .*token/],
  ['UPDATE date_range SET low = low - 1 WHERE record = :pk', /has wrong index values .*date_range/],
  [`UPDATE issue SET pointer = pointer || 'x' WHERE record = :pk`, /has a list of issues that differs/],
  ['DELETE FROM issue WHERE record = :pk', /has a list of issues that differs/],
  [
    `INSERT INTO record SELECT pk + 1000000, type, id, version, last_updated, sort_date, status, title, current,
       NULL, NULL FROM record WHERE pk = :pk`,
    /exists more than once/,
  ],
])('reports %s', async (text, problem) => {
  const findings = await findingsAfterSql(text.replace(':pk', String(changedRecord.pk)));
  expect(findings).toContainEqual({
    where: expect.stringContaining(changedRecord.name),
    problem: expect.stringMatching(problem),
  });
});

const describing = {
  version: [
    'type',
    'id',
    'version',
    'last_updated',
    'sort_date',
    'status',
    'title',
    'operation',
    'author',
    'sha256',
  ],
  record: [
    'type',
    'id',
    'version',
    'last_updated',
    'sort_date',
    'status',
    'title',
    'current',
    'issues_crc32',
  ],
};
const cells = Object.entries(describing).flatMap(([table, columns]) =>
  columns.map((column) => [table, column]),
);

test.each(cells)('reports one flipped bit of a %s in column %s', async (table = '', column = '') => {
  const findings = await findingsAfter((path) => {
    const database = connect(path);
    const row = `WHERE pk = (SELECT current FROM record WHERE pk = ${changedRecord.pk})`;
    const where = table === 'version' ? row : `WHERE pk = ${changedRecord.pk}`;
    const value = database.prepare(`SELECT ${column} FROM ${table} ${where}`).pluck().get();
    database.close();
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    bytes[bytes.length - 1] = bytes.readUInt8(bytes.length - 1) ^ 1;
    const damagedValue = Buffer.isBuffer(value) ? `x'${bytes.toString('hex')}'` : `'${bytes.toString()}'`;
    tamper(path, `UPDATE ${table} SET ${column} = ${damagedValue} ${where}`);
  });
  expect(findings).not.toEqual([]);
});

test('reports rows without a record and a changed schema', async () => {
  const orphaned = await findingsAfterSql(`DELETE FROM record WHERE pk = ${changedRecord.pk}`);
  expect(orphaned).toContainEqual({
    where: 'the file',
    problem: expect.stringMatching(/rows without a record/),
  });
  expect(orphaned).toContainEqual({
    where: `${changedRecord.name}, version 1`,
    problem: 'belongs to no record.',
  });
  expect(await findingsAfter((path) => connect(path).exec('DROP TRIGGER audit_stays').close())).toEqual([
    { where: 'the file', problem: expect.stringMatching(/has modified tables, views, indexes or triggers/) },
  ]);
});

const columns = ['time', 'who', 'action', 'what', 'version_before', 'version_after', 'status', 'request_id'];

test.each(columns)('reports an audit entry with a changed %s', async (column) => {
  const value = ['who', 'action', 'what', 'request_id'].includes(column)
    ? `${column} || 'x'`
    : `ifnull(${column}, 0) + 1`;
  expect(await findingsAfterSql(`UPDATE audit SET ${column} = ${value} WHERE seq = 7`)).toEqual([
    {
      where: 'audit entry 7',
      problem: expect.stringMatching(/breaks the chain: it was changed/),
    },
  ]);
});

test('reports the first of the removed, added, renumbered or resealed entries', async () => {
  const listLocations = async (text: string) => (await findingsAfterSql(text)).map(({ where }) => where);
  expect(await listLocations('DELETE FROM audit WHERE seq = 9')).toEqual(['audit entry 9']);
  expect(
    await listLocations('DELETE FROM audit WHERE seq = 9; UPDATE audit SET seq = seq - 1 WHERE seq > 9'),
  ).toEqual(['audit entry 9']);
  expect(await listLocations('UPDATE audit SET seal = zeroblob(32) WHERE seq = 5')).toEqual([
    'audit entry 5',
  ]);
  expect(await listLocations('UPDATE audit SET seal = NULL WHERE seq = 5')).toEqual(['audit entry 5']);
  const [newest] = await countEntries();
  const copy = `INSERT INTO audit SELECT ${newest + 1}, ${columns.join(', ')}`;
  expect(await listLocations(`${copy}, NULL, NULL, NULL, NULL, NULL, NULL FROM audit WHERE seq = 1`)).toEqual(
    [`audit entry ${newest + 1}`],
  );
  expect(
    await listLocations(`${copy}, seal, sha256, person, reason_sha256, NULL, NULL FROM audit WHERE seq = 1`),
  ).toEqual([`audit entry ${newest + 1}`]);
});

test('names the group of a changed entry', async () => {
  const [newest] = await countEntries();
  // The reads are last: 120 entries in groups of 50.
  const findings = await findingsAfterSql(`UPDATE audit SET who = 'b' WHERE seq = ${newest - 60}`);
  const firstInGroup = newest - 120 + 1 + 50;
  expect(findings).toEqual([
    {
      where: `audit entry ${firstInGroup}`,
      problem: expect.stringContaining(`one of ${firstInGroup} to ${firstInGroup + 49}`),
    },
  ]);
});

async function countEntries(): Promise<[entries: number]> {
  return [(await verify(smallFile)).counts.entries];
}

test('prevents changes of audit entries through SQL', () => {
  const path = join(folder, 'copy.db');
  copyFileSync(smallFile, path);
  const database = connect(path);
  expect(() => database.exec(`UPDATE audit SET who = 'b' WHERE seq = 1`)).toThrow(/keeps every row/);
  expect(() => database.exec('DELETE FROM audit WHERE seq = 1')).toThrow(/keeps every row/);
  database.close();
});

test('prints the findings and exits with 1, or with 0 without findings', async () => {
  expect(await runCli(['verify', '--data', join(folder, 'whole')])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^[\d,]+ records, [\d,]+ versions, [\d,]+ audit entries: no damage\.\n$/),
    stderr: '',
  });
  const data = await mkdtemp(join(tmpdir(), 'chartkeeper-verify-'));
  const path = join(data, 'records.db');
  copyFileSync(fullFile, path);
  const [flip] = damageBodies(path, { count: 1, seed: 3 });
  const { code, stdout } = await runCli(['verify', '--data', data]);
  expect(code).toBe(1);
  expect(stdout).toContain(`${flip?.type}/${flip?.id}, version ${flip?.version} has a damaged text`);
  expect(stdout).toMatch(/: 1 problem\.\n$/);
  await rm(data, { recursive: true, force: true });
});

test('reports a folder in use and a missing folder', async () => {
  const server = await startTestServer();
  expect(await runCli(['verify', '--data', server.dataDir])).toMatchObject({
    code: 11,
    stderr: expect.stringMatching(/in use by another Chartkeeper/),
  });
  await server.remove();
  expect(await runCli(['verify', '--data', join(folder, 'nowhere')])).toMatchObject({
    code: 10,
    stderr: expect.stringMatching(/doesn’t exist/),
  });
});
