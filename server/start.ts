/** Starts a server over a data folder. Called by the command line and by the worker; resolves once it listens. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { owner } from './access/principal.ts';
import { createSignInCodes } from './access/sign-in-codes.ts';
import { assemble, opening, type ServerOptions } from './assembly.ts';
import { createBackups, onTimer, type CopiedRecords } from './backups/backups.ts';
import { listBackupCopies, createRepair } from './damage/repair.ts';
import { createFolderErasureTarget } from './erasures/folder-place.ts';
import { createChanges } from './fhir/changes.ts';
import { createService, type RecordService, type ServiceOptions } from './fhir/service.ts';
import { createFinder } from './find/finder.ts';
import { environmentProxy, type ProxyChoice } from './gateway/proxy.ts';
import { createLocalStoreRoutes } from './http/app-routes.ts';
import { createAudit } from './http/audit-recorder.ts';
import { createPractice } from './import/practice.ts';
import { createTraining } from './import/training.ts';
import { createWorkScheduler } from './validation/work-scheduler.ts';
import { defaultSettings } from './settings.ts';
import type { StoreReaders } from './store/sqlite/reader-client.ts';
import { recordMigrations } from './store/sqlite/migrations.ts';
import { makeEmpty } from './store/sqlite/open-database.ts';
import { openRecordStore } from './store/sqlite/sqlite-store.ts';
import type { FileStore } from './store/store.ts';
import { watchAuditLog } from './audit-log-watch.ts';
import { erasedIn } from './workspace/erasures.ts';
import { openWorkspace } from './workspace/workspace.ts';

export interface StartOptions extends ServerOptions {
  /** Whether the token is the desktop window's: a person sits before it. */
  readonly atWindow?: boolean;
  /** Whether records that are missing beside their backups are begun anew; the start stops otherwise. */
  readonly startEmpty?: boolean;
  /** A second folder of backups; the one that was set last where absent. */
  readonly secondBackups?: string;
  /** Of the training data; 1 where absent. */
  readonly seed?: number;
  /** The system's proxy for an address; the environment's where absent. */
  readonly systemProxy?: ProxyChoice;
  /** The threads that answer what is asked of the records as a whole. */
  readonly readers?: StoreReaders;
}

/** The record store of a data folder, and the service over it; for the command line without a server. */
export async function openRecords(
  dataDir: string,
  {
    auditKey,
    ...given
  }: Pick<StartOptions, 'auditKey'> & Partial<Pick<ServiceOptions, 'clock' | 'level' | 'run'>> = {},
): Promise<{ store: FileStore; service: RecordService }> {
  const store = await openRecordStore(join(dataDir, 'records.db'), undefined, auditKey);
  const { validation: level, requireIfMatch } = defaultSettings;
  const erased = erasedIn(join(dataDir, 'workspace.db'));
  const usual = { store, clock: Date.now, newId: randomUUID, level, requireIfMatch, erased };
  return { store, service: createService({ ...usual, ...given }) };
}

const diskFull = 'The disk is full: records can be read, but nothing is saved.';
const diskFullAlone =
  'The disk is full: records can be read, but nothing is saved. Searches run one at a time.';

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Opens the data folder and listens, on 127.0.0.1 unless told otherwise; rejects where either cannot be done. */
export function startServer(options: StartOptions) {
  return opening(async (opened) => {
    const { dataDir, log, seed = 1, clock = Date.now, every = onTimer, derivations } = options;
    const path = join(dataDir, 'records.db');
    const isNew = options.startEmpty === true && makeEmpty(path, recordMigrations);
    const store = opened.add(await openRecordStore(path, derivations, options.auditKey, options.readers));
    const workspace = opened.add(await openWorkspace(join(dataDir, 'workspace.db')));
    // The end of a trail that somebody gave up is no loss.
    if (isNew) workspace.trail.keep(undefined);
    store.room.onChange((full) => {
      if (!full) log('The disk has free space again.');
      else log(store.isSingleThreaded ? diskFullAlone : diskFull);
    });
    const finder = opened.add(createFinder(dataDir));
    const list = workspace.erasures;
    const trail = opened.add(await watchAuditLog({ audit: store.audit, kept: workspace.trail, log, every }));
    const records: CopiedRecords = {
      changedSince: (backup) => store.files.changedSince(backup),
      backUp: (...given) => store.files.backUp(...given),
      empty: (...given) => store.files.empty(...given),
      restore: (...given) => finder.aside(() => trail.moving(() => store.files.restore(...given))),
    };
    const backups = opened.add(
      createBackups({ dataDir, records, workspace, log, every, erased: () => list.list() }),
    );
    await backups.atStart(options.secondBackups);
    const { service, damage, serve } = assemble(options, opened, {
      store,
      workspace,
      clock,
      finder,
      audit: createAudit(store.audit, every),
      changes: createChanges(),
      place: createFolderErasureTarget({
        dataDir,
        store,
        list,
        listSecondaryBackups: () => backups.second(),
      }),
      pace: createWorkScheduler(),
      systemProxy: options.systemProxy ?? ((url) => Promise.resolve(environmentProxy(url))),
      damage: {
        listCopies: (names) => listBackupCopies(path, names),
        onOpened: (listener) => store.derived.onOpened(listener),
      },
    });
    const training = createTraining({ service, store, seed, empty: backups.empty });
    opened.add({ close: () => training.stopWriter() });
    const practice = createPractice({ service, store, training, seed, clock, begun: workspace.practice });
    const mending = createRepair({ store, service, damage, recordsPath: path });
    const server = await serve({
      bearer: () => (options.atWindow ? workspace.people.atWindow(owner) : owner),
      codes: createSignInCodes(dataDir, Date.now),
      signIns: { clock: Date.now },
      state: () => ({ disk: store.room.full ? 'full' : 'ok' }),
      additionalRoutes: createLocalStoreRoutes({ training, practice, backups, repair: mending }),
    });
    // On a full disk none would find room; the clock tries again.
    if (!store.room.full) void backups.begin();
    return { ...server, training };
  });
}
