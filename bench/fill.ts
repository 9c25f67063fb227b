/**
 * Fills a store with demo records before its server starts, in a separate process:
 * `node bench/fill.ts --kind ours
 * bare shared shared-bare --data DIR postgres://… --records N --seed N [--sample FILE]`. Invariant: the server would
 * write the same rows, through the same service, but with more commits.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { derivations } from '../core/derive/derivations.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { DerivationStatus } from '../server/store/sqlite/derivation-status.ts';
import { recordMigrations } from '../server/store/sqlite/migrations.ts';
import { closeDatabase, openDatabase } from '../server/sqlite/open-database.ts';
import type { SqliteDatabase } from '../server/sqlite/sqlite.ts';
import { versionWriter, IndexBacklog } from '../server/store/sqlite/version-writer.ts';
import { openBareStore, serializeBareRecord, type BareRecord } from './bare-store.ts';
import { createSampler } from './sample.ts';
import { openSharedFilling, openSharedBareFilling } from './shared-fill.ts';
import { withLargeGroups } from './large-groups.ts';
import { createImporter, type Filling } from './writing.ts';

/** Records of one transaction. */
const batchSize = 10_000;

/** Time of the first record. Times are a minute apart and end before today. */
const firstTime = Date.UTC(2023, 0, 1);
const minute = 60_000;

function openOurs(folder: string, clock: () => number): Filling {
  const database = openDatabase(join(folder, 'records.db'), recordMigrations);
  // These rows match the current derivations.
  new DerivationStatus(database, derivations).storePlan(Date.now());
  const backlog = new IndexBacklog(database);
  const writer = versionWriter(database, backlog);
  return {
    add: createImporter((version) => (writer.insert(version) === 'stored' ? 'stored' : 'exists'), clock),
    ...createCommits(database, () => backlog.writeAll()),
  };
}

function openBare(folder: string, clock: () => number): Filling {
  const store = openBareStore(join(folder, 'bare.db'));
  return {
    add({ type, id, text }) {
      const record = JSON.parse(text) as BareRecord;
      store.insert(type, id, record, serializeBareRecord(record, id, 1, new Date(clock()).toISOString()));
      return Promise.resolve();
    },
    ...createCommits(store.database, () => undefined),
  };
}

/** @param settle - Called before each commit. */
function createCommits(database: SqliteDatabase, settle: () => void): Pick<Filling, 'commit' | 'close'> {
  // Nobody waits for these commits, and an error ends the benchmark, so the speed of the disk does not
  // matter.
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -1000000');
  database.exec('BEGIN');
  return {
    commit() {
      settle();
      database.exec('COMMIT; BEGIN');
      return Promise.resolve();
    },
    close() {
      database.exec('COMMIT');
      closeDatabase(database);
      return Promise.resolve();
    },
  };
}

const openers: Readonly<Record<string, (data: string, clock: () => number) => Filling | Promise<Filling>>> = {
  ours: openOurs,
  bare: openBare,
  shared: openSharedFilling,
  'shared-bare': openSharedBareFilling,
};

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'ours' },
    data: { type: 'string', default: '.' },
    records: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string' },
  },
});
const total = Number(values.records);
const sampler = values.sample === undefined ? undefined : createSampler(values.sample, total);
let recordCount = 0;
const clock = () => firstTime + recordCount * minute;
const { add, commit, close } = await (openers[values.kind] ?? openOurs)(values.data, clock);
// Each patient has several records, so this number of patients is enough.
for (const record of withLargeGroups(generateClinic({ seed: Number(values.seed), patients: total }))) {
  await add(record);
  sampler?.add(record);
  recordCount += 1;
  if (recordCount % batchSize === 0) await commit();
  if (recordCount % (10 * batchSize) === 0)
    process.stderr.write(`${values.kind}: ${recordCount} of ${total} records\n`);
  if (recordCount >= total) break;
}
await commit();
await close();
await sampler?.close();
