/** Starts a server over a data folder. Called by the command line and by the worker. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { defined } from '../core/json/defined.ts';
import { owner } from './access/principal.ts';
import { createSignInCodes } from './access/sign-in-codes.ts';
import { assemble, opening, type ServerOptions } from './assembly.ts';
import { onTimer, createWorkScheduler } from './background/background.ts';
import { createBackups, type CopiedRecords } from './backups/backups.ts';
import { listBackupCopies, createRepair } from './damage/repair.ts';
import { createFolderErasureTarget } from './erasures/folder-place.ts';
import { createChanges } from './fhir/changes.ts';
import { createService, type RecordService, type ServiceOptions } from './fhir/service.ts';
import { createFinder } from './find/finder.ts';
import { environmentProxy, type ProxyChoice } from './gateway/proxy.ts';
import { sessionSecrets } from './gateway/secrets.ts';
import { createLocalStoreRoutes } from './http/app-routes.ts';
import { createAudit } from './http/audit-recorder.ts';
import { formatError } from './log-lines.ts';
import { createPractice } from './import/practice.ts';
import { createPracticeStore, type PracticeServer } from './practice-store.ts';
import { createTraining } from './import/training.ts';
import { defaultSettings } from './settings.ts';
import type { StoreReaders } from './store/sqlite/reader-client.ts';
import { recordMigrations } from './store/sqlite/migrations.ts';
import { makeEmpty } from './sqlite/open-database.ts';
import { openRecordStore } from './store/sqlite/sqlite-store.ts';
import type { FileStore } from './store/store.ts';
import { watchAuditLog } from './audit-log-watch.ts';
import { readErasures } from './workspace/erasures.ts';
import { openWorkspace } from './workspace/workspace.ts';

export interface StartOptions extends ServerOptions {
  /** True if the token belongs to the desktop window, which has a current person. */
  readonly atWindow?: boolean;
  /** True if missing records are replaced by an empty file although backups exist. Otherwise the start fails. */
  readonly startEmpty?: boolean;
  /** Secondary backup folder. Default: the last one set. */
  readonly secondBackups?: string;
  /** Seed of the training data. Default: 1. */
  readonly seed?: number;
  /** Returns the system proxy of an address. Default: from the environment. */
  readonly systemProxy?: ProxyChoice;
  /** Threads for queries over all records. */
  readonly readers?: StoreReaders;
  /** True for the server of a practice store, which has none itself. */
  readonly isPracticeStore?: boolean;
}

/** Opens the record store of a data folder and its service, for commands that start no server. */
export async function openRecords(
  dataDir: string,
  {
    auditKey,
    ...serviceOptions
  }: Pick<StartOptions, 'auditKey'> & Partial<Pick<ServiceOptions, 'clock' | 'level' | 'run'>> = {},
): Promise<{ store: FileStore; service: RecordService }> {
  const store = await openRecordStore(join(dataDir, 'records.db'), undefined, auditKey);
  const { validation: level, requireIfMatch } = defaultSettings;
  const erasedRecords = readErasures(join(dataDir, 'workspace.db'));
  const defaultOptions = {
    store,
    clock: Date.now,
    newId: randomUUID,
    level,
    requireIfMatch,
    erasures: erasedRecords,
  };
  return { store, service: createService({ ...defaultOptions, ...serviceOptions }) };
}

const diskFull = 'The disk is full: records can be read, but nothing is saved.';
const diskFullSingleThreaded =
  'The disk is full: records can be read, but nothing is saved. Searches run one at a time.';

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Opens the data folder and listens. Rejects if the folder or the port cannot be opened. */
export function startServer(options: StartOptions) {
  return opening(async (resources) => {
    const { dataDir, log, seed = 1, clock = Date.now, scheduleEvery = onTimer, derivations } = options;
    const path = join(dataDir, 'records.db');
    const isNew = options.startEmpty === true && makeEmpty(path, recordMigrations);
    const store = resources.add(await openRecordStore(path, derivations, options.auditKey, options.readers));
    const workspace = resources.add(await openWorkspace(join(dataDir, 'workspace.db')));
    // An abandoned audit log is not a loss.
    if (isNew) workspace.trail.keep(undefined);
    store.diskSpace.onChange((full) => {
      if (!full) log('The disk has free space again.');
      else log(store.isSingleThreaded ? diskFullSingleThreaded : diskFull);
    });
    const finder = resources.add(createFinder(dataDir, { scheduleEvery }));
    const erasureList = workspace.erasures;
    const auditLogWatch = resources.add(
      await watchAuditLog({ store, anchorStore: workspace.trail, log, scheduleEvery }),
    );
    const records: CopiedRecords = {
      changedSince: (backup) => store.files.changedSince(backup),
      backUp: (...parameters) => store.files.backUp(...parameters),
      empty: (...parameters) => store.files.empty(...parameters),
      restore: (...parameters) =>
        finder.pauseDuring(() => auditLogWatch.replaceRecords(() => store.files.restore(...parameters))),
    };
    const backups = resources.add(
      createBackups({
        dataDir,
        migrations: recordMigrations,
        records,
        workspace,
        log,
        scheduleEvery,
        listErasures: () => erasureList.list(),
      }),
    );
    await backups.atStart(options.secondBackups);
    const secrets = options.secrets ?? sessionSecrets();
    const { service, damage, serve } = assemble({ ...options, secrets }, resources, {
      store,
      workspace,
      clock,
      finder,
      audit: createAudit(store.audit, scheduleEvery),
      changes: createChanges(),
      place: createFolderErasureTarget({
        dataDir,
        store,
        list: erasureList,
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
    resources.add({ close: () => training.stopWriter() });
    const practice = createPractice({
      service,
      store,
      training,
      seed,
      clock,
      startedExercises: workspace.practice,
    });
    const practiceStore = options.isPracticeStore
      ? undefined
      : resources.add(
          createPracticeStore({
            dataDir,
            connections: workspace.connections,
            secrets,
            start: (folder, token) => startPracticeServer(options, folder, token),
          }),
        );
    const repair = createRepair({ store, service, damage, recordsPath: path });
    const server = await serve({
      ...(options.atWindow && { bearer: () => workspace.people.atWindow(owner) }),
      codes: createSignInCodes(dataDir, Date.now),
      state: () => ({ disk: store.diskSpace.isFull ? 'full' : 'ok' }),
      additionalRoutes: createLocalStoreRoutes({ training, practice, practiceStore, backups, repair }),
      async begin() {
        if (!practiceStore?.exists()) return;
        await practiceStore
          .resume()
          .catch((error: unknown) => log(`Couldn’t open the practice store: ${formatError(error)}`));
      },
    });
    // A full disk has no space for a backup. The timer tries again.
    if (!store.diskSpace.isFull) void backups.begin();
    return { ...server, training, practice };
  });
}

/** Starts the server of a practice store, which only this computer reaches. */
async function startPracticeServer(
  { pageFolder, log, seed, clock, scheduleEvery, readers, settings }: StartOptions,
  dataDir: string,
  token: string,
): Promise<PracticeServer> {
  return startServer({
    isPracticeStore: true,
    dataDir,
    token,
    port: 0,
    pageFolder,
    log,
    ...defined({ seed, clock, scheduleEvery, readers }),
    ...(settings?.validation !== undefined && { settings: { validation: settings.validation } }),
  });
}
