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
import { connect } from './sqlite.ts';
import { verifyFile, type VerifyCounts, type VerifyFinding } from './verify.ts';

let folder: string;
/** The training set. */
let whole: string;
/** A few of its plans: what each change comes to is told in a file that is soon looked through. */
let small: string;
/** A record of the small file with two versions. */
let changed: { readonly name: string; readonly pk: number };

/** Makes a file in a folder of its own: records, changes of the first plans, and reads at the end of the trail. */
async function makeFile(name: string, most = Infinity): Promise<string> {
  const { store, service } = await openRecords(join(folder, name));
  const plans = [...recordsOf('clean', 1)].filter(({ type }) => type === 'CarePlan').slice(0, most);
  if (most === Infinity) await loadTraining(service, 'clean', { author: 'test', seed: 1 });
  else for (const plan of plans) await service.importRecord({ ...plan, keepIds: true, author: 'test' });
  const text = '[{"op":"replace","path":"/status","value":"entered-in-error"}]';
  for (const { type, id } of plans.slice(0, 20)) await service.patch({ type, id, text, author: 'test' });
  for (let index = 0; index < 120; index += 1) {
    const what = `/fhir-r4/v1/CarePlan/${index}`;
    store.audit.note({ time: Date.now(), who: 'a', action: 'read', what, status: 404, requestId: '' });
  }
  await store.close();
  return join(folder, name, 'records.db');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-verify-'));
  whole = await makeFile('whole');
  small = await makeFile('small', 5);
  const database = connect(small, { readonly: true });
  const row = database
    .prepare<unknown[], { name: string; pk: number }>(
      `SELECT type || '/' || id AS name, pk FROM record WHERE version > 1 ORDER BY pk LIMIT 1`,
    )
    .get();
  database.close();
  if (!row) throw new Error('No record has two versions');
  changed = row;
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

/** What verify finds in a copy to which something was done. */
async function findingsAfter(change: (path: string) => void, of = small): Promise<VerifyFinding[]> {
  const path = join(folder, 'copy.db');
  copyFileSync(of, path);
  change(path);
  return (await verify(path)).findings;
}

const sql = (text: string) => findingsAfter((path) => tamper(path, text));

test('a whole file has no findings, and all of it was looked at', async () => {
  const { findings, counts } = await verify(whole);
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
])('%s has no findings', async (fixture) => {
  expect(await verify(join(import.meta.dirname, 'fixtures', fixture))).toMatchObject({ findings: [] });
});

test('200 flips of one bit each, 200 noticed, each by its record', async () => {
  let flips: string[] = [];
  const findings = await findingsAfter((path) => {
    flips = damageBodies(path, { count: 200, seed: 11 }).map(
      ({ type, id, version }) => `${type}/${id}, version ${version}`,
    );
  }, whole);
  expect(flips).toHaveLength(200);
  expect(findings.map(({ where }) => where).sort()).toEqual(flips.sort());
  for (const { problem } of findings) expect(problem).toMatch(/^has a text that is not the one/);
});

test.each([
  ['UPDATE record SET current = current - 1, version = version - 1 WHERE pk = :pk', /newest version/],
  [`UPDATE record SET status = 'unheard' WHERE pk = :pk`, /is listed with another/],
  ['DELETE FROM version WHERE record = :pk AND version = 1', /has 1 versions of 2/],
  [`UPDATE version SET last_updated = '2020-01-01T00:00:00.000Z' WHERE record = :pk AND version = 1`, /text/],
  [`UPDATE version SET title = title || 'x' WHERE record = :pk AND version = 1`, /is sorted by other values/],
  ['UPDATE version SET crc32 = crc32 + 1 WHERE record = :pk AND version = 1', /not the one that was written/],
  [`UPDATE version SET author = 'nobody' WHERE record = :pk AND version = 1`, /has another author/],
  [
    `UPDATE version SET operation = 'patch' WHERE record = :pk AND version = 1`,
    /has another author, person or op/,
  ],
  ['DELETE FROM reference WHERE record = :pk', /is indexed by other values than it has \(reference\)/],
  [`UPDATE token SET code = code || 'x' WHERE record = :pk`, /is indexed by other values .*token/],
  ['UPDATE date_range SET low = low - 1 WHERE record = :pk', /is indexed by other values .*date_range/],
  [`UPDATE issue SET pointer = pointer || 'x' WHERE record = :pk`, /lists other issues/],
  ['DELETE FROM issue WHERE record = :pk', /lists other issues/],
  [
    `INSERT INTO record SELECT pk + 1000000, type, id, version, last_updated, sort_date, status, title, current,
       NULL, NULL FROM record WHERE pk = :pk`,
    /is there more than once/,
  ],
])('%s is found', async (text, problem) => {
  const findings = await sql(text.replace(':pk', String(changed.pk)));
  expect(findings).toContainEqual({
    where: expect.stringContaining(changed.name),
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

test.each(cells)('one bit of a %s in its column %s is found', async (table = '', column = '') => {
  const findings = await findingsAfter((path) => {
    const database = connect(path);
    const row = `WHERE pk = (SELECT current FROM record WHERE pk = ${changed.pk})`;
    const where = table === 'version' ? row : `WHERE pk = ${changed.pk}`;
    const value = database.prepare(`SELECT ${column} FROM ${table} ${where}`).pluck().get();
    database.close();
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    bytes[bytes.length - 1] = bytes.readUInt8(bytes.length - 1) ^ 1;
    const other = Buffer.isBuffer(value) ? `x'${bytes.toString('hex')}'` : `'${bytes.toString()}'`;
    tamper(path, `UPDATE ${table} SET ${column} = ${other} ${where}`);
  });
  expect(findings).not.toEqual([]);
});

test('rows of no record and a schema that was changed are found', async () => {
  const orphaned = await sql(`DELETE FROM record WHERE pk = ${changed.pk}`);
  expect(orphaned).toContainEqual({ where: 'the file', problem: expect.stringMatching(/rows of no record/) });
  expect(orphaned).toContainEqual({
    where: `${changed.name}, version 1`,
    problem: 'belongs to no record.',
  });
  expect(await findingsAfter((path) => connect(path).exec('DROP TRIGGER audit_stays').close())).toEqual([
    { where: 'the file', problem: expect.stringMatching(/triggers that are not as they were made/) },
  ]);
});

const columns = ['time', 'who', 'action', 'what', 'version_before', 'version_after', 'status', 'request_id'];

test.each(columns)('an audit entry whose %s was changed is found', async (column) => {
  const value = ['who', 'action', 'what', 'request_id'].includes(column)
    ? `${column} || 'x'`
    : `ifnull(${column}, 0) + 1`;
  expect(await sql(`UPDATE audit SET ${column} = ${value} WHERE seq = 7`)).toEqual([
    {
      where: 'audit entry 7',
      problem: expect.stringMatching(/breaks the chain: it is not as it was written/),
    },
  ]);
});

test('entries that were removed, added, renumbered or sealed anew are found, the first of them named', async () => {
  const places = async (text: string) => (await sql(text)).map(({ where }) => where);
  expect(await places('DELETE FROM audit WHERE seq = 9')).toEqual(['audit entry 9']);
  expect(
    await places('DELETE FROM audit WHERE seq = 9; UPDATE audit SET seq = seq - 1 WHERE seq > 9'),
  ).toEqual(['audit entry 9']);
  expect(await places('UPDATE audit SET seal = zeroblob(32) WHERE seq = 5')).toEqual(['audit entry 5']);
  expect(await places('UPDATE audit SET seal = NULL WHERE seq = 5')).toEqual(['audit entry 5']);
  const [newest] = await counted();
  const copy = `INSERT INTO audit SELECT ${newest + 1}, ${columns.join(', ')}`;
  expect(await places(`${copy}, NULL, NULL, NULL, NULL, NULL, NULL FROM audit WHERE seq = 1`)).toEqual([
    `audit entry ${newest + 1}`,
  ]);
  expect(
    await places(`${copy}, seal, sha256, person, reason_sha256, NULL, NULL FROM audit WHERE seq = 1`),
  ).toEqual([`audit entry ${newest + 1}`]);
});

test('of entries that were sealed together, the group is named', async () => {
  const [newest] = await counted();
  // The reads stand last: 120 of them, in groups of 50.
  const findings = await sql(`UPDATE audit SET who = 'b' WHERE seq = ${newest - 60}`);
  const first = newest - 120 + 1 + 50;
  expect(findings).toEqual([
    { where: `audit entry ${first}`, problem: expect.stringContaining(`one of ${first} to ${first + 49}`) },
  ]);
});

async function counted(): Promise<[entries: number]> {
  return [(await verify(small)).counts.entries];
}

test('no entry can be changed or removed through SQL', () => {
  const path = join(folder, 'copy.db');
  copyFileSync(small, path);
  const database = connect(path);
  expect(() => database.exec(`UPDATE audit SET who = 'b' WHERE seq = 1`)).toThrow(/keeps every row/);
  expect(() => database.exec('DELETE FROM audit WHERE seq = 1')).toThrow(/keeps every row/);
  database.close();
});

test('chartkeeper verify names what it finds and ends with 1; with 0 where there is nothing', async () => {
  expect(await runCli(['verify', '--data', join(folder, 'whole')])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^[\d,]+ records, [\d,]+ versions, [\d,]+ audit entries: no damage\.\n$/),
    stderr: '',
  });
  const data = await mkdtemp(join(tmpdir(), 'chartkeeper-verify-'));
  const path = join(data, 'records.db');
  copyFileSync(whole, path);
  const [flip] = damageBodies(path, { count: 1, seed: 3 });
  const { code, stdout } = await runCli(['verify', '--data', data]);
  expect(code).toBe(1);
  expect(stdout).toContain(`${flip?.type}/${flip?.id}, version ${flip?.version} has a text`);
  expect(stdout).toMatch(/: 1 finding\.\n$/);
  await rm(data, { recursive: true, force: true });
});

test('a folder that is served, or that is none, is told as such', async () => {
  const server = await startTestServer();
  expect(await runCli(['verify', '--data', server.dataDir])).toMatchObject({
    code: 11,
    stderr: expect.stringMatching(/in use by another Chartkeeper/),
  });
  await server.remove();
  expect(await runCli(['verify', '--data', join(folder, 'nowhere')])).toMatchObject({
    code: 10,
    stderr: expect.stringMatching(/is not there/),
  });
});
