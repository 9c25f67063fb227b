/**
 * Fills a store with demo records before its server starts, in a process of its own:
 * `node bench/fill.ts --kind ours|bare|shared|shared-bare --data DIR|postgres://… --records N --seed N [--sample FILE]`.
 * Invariant: the rows are those that the server would write, through the same service; only the commits are fewer.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { derivations } from '../core/derive/derivations.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { Coverage } from '../server/store/sqlite/coverage.ts';
import { IndexBacklog } from '../server/store/sqlite/index-backlog.ts';
import { recordMigrations } from '../server/store/sqlite/migrations.ts';
import { closeDatabase, openDatabase } from '../server/store/sqlite/open-database.ts';
import type { SqliteDatabase } from '../server/store/sqlite/sqlite.ts';
import { versionWriter } from '../server/store/sqlite/version-writer.ts';
import { openBareStore, stampBare, type BareRecord } from './bare-store.ts';
import { createSampler } from './sample.ts';
import { shared, sharedBare } from './shared-fill.ts';
import { withLargeGroups } from './large-groups.ts';
import { throughService, type Filling } from './writing.ts';

/** Records of one transaction. */
const batch = 10_000;

/** The records' times, a minute apart, end before today. */
const firstTime = Date.UTC(2023, 0, 1);
const minute = 60_000;

function ours(folder: string, clock: () => number): Filling {
  const database = openDatabase(join(folder, 'records.db'), recordMigrations);
  // What is written here is of today's derivations.
  new Coverage(database, derivations).settle(Date.now());
  const backlog = new IndexBacklog(database);
  const writer = versionWriter(database, backlog);
  return {
    add: throughService((version) => writer.insert(version), clock),
    ...committing(database, () => backlog.settle()),
  };
}

function bare(folder: string, clock: () => number): Filling {
  const store = openBareStore(join(folder, 'bare.db'));
  return {
    add({ type, id, text }) {
      const record = JSON.parse(text) as BareRecord;
      store.insert(type, id, record, stampBare(record, id, 1, new Date(clock()).toISOString()));
      return Promise.resolve();
    },
    ...committing(store.database, () => undefined),
  };
}

/** @param settle - To be called before each commit. */
function committing(database: SqliteDatabase, settle: () => void): Pick<Filling, 'commit' | 'close'> {
  // Nobody waits for these commits, and a fault ends the bench: the speed of the disk is left out.
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

const kinds: Readonly<Record<string, (data: string, clock: () => number) => Filling | Promise<Filling>>> = {
  ours,
  bare,
  shared,
  'shared-bare': sharedBare,
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
let done = 0;
const clock = () => firstTime + done * minute;
const { add, commit, close } = await (kinds[values.kind] ?? ours)(values.data, clock);
// Every patient has more than one record.
for (const record of withLargeGroups(generateClinic({ seed: Number(values.seed), patients: total }))) {
  await add(record);
  sampler?.add(record);
  done += 1;
  if (done % batch === 0) await commit();
  if (done % (10 * batch) === 0) process.stderr.write(`${values.kind}: ${done} of ${total} records\n`);
  if (done >= total) break;
}
await commit();
await close();
await sampler?.close();
