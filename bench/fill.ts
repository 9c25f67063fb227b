/**
 * Fills a store with demo records before its server starts, in a process of its own:
 * `node bench/fill.ts --kind ours|bare --data DIR --records N --seed N [--sample FILE]`. Invariant: the rows are those
 * that the server would write, through the same service and writer; only the commits are fewer.
 */
import type { Database } from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { derivations } from '../core/derive/derivations.ts';
import { generateClinic, type DemoRecord } from '../server/demo/generate.ts';
import { createService } from '../server/fhir/service.ts';
import { defaultSettings } from '../server/settings.ts';
import { Coverage } from '../server/store/coverage.ts';
import { IndexBacklog } from '../server/store/index-backlog.ts';
import { recordMigrations } from '../server/store/migrations.ts';
import { closeDatabase, openDatabase } from '../server/store/open-database.ts';
import type { RecordStore } from '../server/store/store.ts';
import { versionWriter, type VersionWriter } from '../server/store/version-writer.ts';
import { openBareStore, stampBare, type BareRecord } from './bare-store.ts';
import { createSampler } from './sample.ts';
import { withLargeGroups } from './large-groups.ts';

interface Filling {
  readonly database: Database;
  readonly add: (record: DemoRecord) => Promise<unknown>;
  /** To be called before each commit. */
  readonly settle: () => void;
}

/** Records of one transaction. */
const batch = 10_000;

/** The records' times, a minute apart, end before today. */
const firstTime = Date.UTC(2023, 0, 1);
const minute = 60_000;

function ours(folder: string, clock: () => number): Filling {
  const database = openDatabase(join(folder, 'records.db'), recordMigrations);
  // What is written here is of today's derivations.
  new Coverage(database, derivations).settle(Date.now());
  const { validation: level, requireIfMatch } = defaultSettings;
  const backlog = new IndexBacklog(database);
  const store = writeOnly(versionWriter(database, backlog));
  const service = createService({ store, clock, newId: randomUUID, level, requireIfMatch });
  const request = { author: 'bench', keepIds: true };
  return {
    database,
    add: ({ type, text }) => service.importRecord({ ...request, type, text }),
    settle: () => backlog.settle(),
  };
}

/** A store that inserts into the transaction that is open; an import of new records asks for nothing else. */
function writeOnly(writer: VersionWriter): RecordStore {
  const known: Pick<RecordStore, 'insert' | 'firstNumber'> = {
    insert: (version) => Promise.resolve(writer.insert(version)),
    firstNumber: () => Promise.resolve(1),
  };
  return new Proxy(known as RecordStore, {
    get(target, name) {
      if (name in known) return Reflect.get(target, name) as unknown;
      return () => Promise.reject(new Error(`The fill inserts only; ${String(name)} was called.`));
    },
  });
}

function bare(folder: string, clock: () => number): Filling {
  const store = openBareStore(join(folder, 'bare.db'));
  return {
    database: store.database,
    settle: () => undefined,
    add({ type, id, text }) {
      const record = JSON.parse(text) as BareRecord;
      store.insert(type, id, record, stampBare(record, id, 1, new Date(clock()).toISOString()));
      return Promise.resolve();
    },
  };
}

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
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
const { database, add, settle } = (values.kind === 'bare' ? bare : ours)(values.data, clock);
// Nobody waits for these commits, and a fault ends the bench: the speed of the disk is left out.
database.pragma('synchronous = OFF');
database.pragma('cache_size = -1000000');
database.exec('BEGIN');
// Every patient has more than one record.
for (const record of withLargeGroups(generateClinic({ seed: Number(values.seed), patients: total }))) {
  await add(record);
  sampler?.add(record);
  done += 1;
  if (done % batch === 0) {
    settle();
    database.exec('COMMIT; BEGIN');
  }
  if (done % (10 * batch) === 0)
    process.stderr.write(`${values.kind ?? 'ours'}: ${done} of ${total} records\n`);
  if (done >= total) break;
}
settle();
database.exec('COMMIT');
closeDatabase(database);
await sampler?.close();
