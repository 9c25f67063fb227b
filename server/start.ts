/**
 * Puts the server together: databases, service, HTTP. Called by the command line and by the worker; resolves once it
 * listens. Invariant: what is opened here is closed here, in the reverse order.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { forgetAddress, linkFiles, noteAddress } from './access/link-files.ts';
import { owner, type TokenLookup } from './access/principal.ts';
import { hashToken } from './access/secret.ts';
import { signInCodes } from './access/sign-in-codes.ts';
import type { Derivation } from '../core/derive/derivations.ts';
import { createBackups, onTimer, type CopiedRecords, type Every } from './backups/backups.ts';
import { createDamage } from './damage/damage.ts';
import { copiesIn, createMending } from './damage/mending.ts';
import { createChanges } from './fhir/changes.ts';
import { createErasures } from './erasures/erasures.ts';
import { folderPlace } from './erasures/folder-place.ts';
import { createApp } from './http/app.ts';
import { fileRoutes } from './http/app-routes.ts';
import { createAudit } from './http/audit-recorder.ts';
import { fileState } from './http/overview-routes.ts';
import type { Log } from './log-lines.ts';
import { createFinder } from './find/finder.ts';
import { createGateway } from './gateway/gateway.ts';
import { environmentProxy, type ProxyChoice } from './gateway/proxy.ts';
import { sessionSecrets, type SecretStore } from './gateway/secrets.ts';
import { createRemoteJudge } from './remote/remote-judge.ts';
import { appVersion } from './app-version.ts';
import { createListener, listen, stop, type Certificate } from './listener.ts';
import { createSearch } from './fhir/search.ts';
import { createService, type RecordService, type ServiceOptions } from './fhir/service.ts';
import { textPool } from './judge/text-pool.ts';
import type { CheckParts } from './judge/checks.ts';
import type { ConformanceSource } from './judge/profiles.ts';
import { createJudging, type Judging } from './judge/judging.ts';
import { createPace } from './judge/pace.ts';
import { createOpenId } from './openid/openid.ts';
import type { OpenIdSettings } from './openid/openid-file.ts';
import { createPackages } from './packages/packages.ts';
import { createTraining } from './import/training.ts';
import { createPractice } from './import/practice.ts';
import { recordMigrations } from './store/sqlite/migrations.ts';
import { makeEmpty } from './store/sqlite/open-database.ts';
import { openRecordStore } from './store/sqlite/sqlite-store.ts';
import { defaultSettings, type ServerSettings } from './settings.ts';
import type { SealKey } from './store/audit-chain.ts';
import type { StoreReaders } from './store/sqlite/asking.ts';
import type { Erased, FileStore } from './store/store.ts';
import { watchTrail } from './trail-watch.ts';
import { erasedIn } from './workspace/erasures.ts';
import { openWorkspace } from './workspace/workspace.ts';

export interface StartOptions {
  readonly dataDir: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** A token with every scope, where one is to hold beside what people sign in with. */
  readonly token?: string | undefined;
  /** Whether that token is the desktop window's: a person sits before it. */
  readonly atWindow?: boolean;
  readonly pageFolder: string;
  readonly log: Log;
  /** Whether records that are missing beside their backups are begun anew; the start stops otherwise. */
  readonly startEmpty?: boolean;
  /** A second folder of backups; the one that was set last where absent. */
  readonly secondBackups?: string;
  /** Of the training data; 1 where absent. */
  readonly seed?: number;
  /** Where secrets of connections are kept; for the session where absent. */
  readonly secrets?: SecretStore;
  /** Needed where other machines reach the address listened on. */
  readonly certificate?: Certificate | undefined;
  /** Of the audit trail's seals; without one they are hashes. */
  readonly auditKey?: SealKey | undefined;
  /** Runs what is to be done again and again; by a real timer where absent. */
  readonly every?: Every;
  /** The system's proxy for an address; the environment's where absent. */
  readonly systemProxy?: ProxyChoice;
  /** Now, in milliseconds since 1970, for what is written and judged; the system's clock where absent. */
  readonly clock?: () => number;
  /** Which derivations the rows of the records are to be of; this program's where absent. */
  readonly derivations?: readonly Derivation[];
  /** The threads that answer what is asked of the records as a whole. */
  readonly readers?: StoreReaders;
  /** Within which stewards' checks are asked; the usual ones where absent. */
  readonly checks?: CheckParts['limits'];
  /** Where the definitions of profiles come from; none where absent. */
  readonly conformance?: ConformanceSource;
  /** The provider that people sign in at; none where absent. */
  readonly openId?: OpenIdSettings | undefined;
  /** Beside the defaults. */
  readonly settings?: Partial<ServerSettings>;
}

type RecordOptions = Partial<Pick<ServerSettings, 'validation' | 'requireIfMatch'>> &
  Pick<StartOptions, 'clock' | 'derivations' | 'auditKey' | 'readers'> &
  Pick<ServiceOptions, 'run' | 'onStored'> & {
    /** Those of the folder's workspace, which nobody holds, where absent. */
    readonly erased?: Pick<Erased, 'has'>;
  };

/** The record store of a data folder, and the service over it; for the command line without a server. */
export async function openRecords(
  dataDir: string,
  {
    clock = Date.now,
    derivations,
    auditKey,
    readers,
    erased,
    run,
    onStored,
    ...settings
  }: RecordOptions = {},
): Promise<{ store: FileStore; service: RecordService }> {
  const { validation: level, requireIfMatch } = { ...defaultSettings, ...settings };
  const store = await openRecordStore(join(dataDir, 'records.db'), derivations, auditKey, readers);
  const options = { store, clock, newId: randomUUID, level, requireIfMatch, onStored, ...(run && { run }) };
  const listed = erased ?? erasedIn(join(dataDir, 'workspace.db'));
  return { store, service: createService({ ...options, erased: listed }) };
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Opens the data folder and listens, on 127.0.0.1 unless told otherwise; rejects where either cannot be done. */
export async function startServer(options: StartOptions) {
  const settings = { ...defaultSettings, ...options.settings };
  const { clock = Date.now, every = onTimer, derivations, auditKey, readers } = options;
  const { validation, requireIfMatch } = settings;
  const recordsPath = join(options.dataDir, 'records.db');
  const isNew = options.startEmpty === true && makeEmpty(recordsPath, recordMigrations);
  const erased: Pick<Erased, 'has'> = { has: (record) => workspace.erasures.has(record) };
  const threads = textPool();
  const changes = createChanges();
  const onStored: ServiceOptions['onStored'] = (version) => {
    changes.note(version);
    judging.stored();
  };
  const { store, service } = await openRecords(options.dataDir, {
    ...{ validation, requireIfMatch, clock, auditKey, erased, run: threads.run, onStored },
    ...(derivations && { derivations }),
    ...(readers && { readers }),
  });
  const workspace = await openWorkspace(join(options.dataDir, 'workspace.db')).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  // The end of a trail that somebody gave up is no loss.
  if (isNew) workspace.trail.keep(undefined);
  const { dataDir, log, seed = 1 } = options;
  const training = createTraining({ service, store, seed, records: recordsPath });
  const practice = createPractice({
    ...{ service, store, training, seed, clock },
    begun: workspace.practice,
  });
  store.room.onChange((full) => {
    const searching = store.alone ? ' Searches are answered one after the other.' : '';
    const told = `The disk is full: records can be read, and nothing is stored.${searching}`;
    log(full ? told : 'The disk has room again.');
  });
  const finder = createFinder(dataDir);
  const list = workspace.erasures;
  const erasures = createErasures({
    ...{ list, finder, clock },
    place: folderPlace({ dataDir, store, list, second: () => backups.second() }),
    erased: () => judging.relations.wake(),
  });
  const trail = await watchTrail({ audit: store.audit, kept: workspace.trail, log, every });
  const records: CopiedRecords = {
    changedSince: (backup) => store.files.changedSince(backup),
    backUp: (path, doer) => store.files.backUp(path, doer),
    restore: (...given) => finder.aside(() => trail.moving(() => store.files.restore(...given))),
  };
  const backups = createBackups({
    ...{ dataDir, records, workspace, log, every },
    erased: () => workspace.erasures.list(),
  });
  await backups.atStart(options.secondBackups).catch(async (error: unknown) => {
    backups.close();
    await trail.close();
    await workspace.close();
    await store.close();
    throw error;
  });
  const pace = createPace();
  const packages = createPackages({ dataDir, log });
  const judging: Judging = createJudging({
    ...{ store, definitions: workspace.checks, clock, pace, every, log, limits: options.checks },
    profiles: { source: options.conformance ?? packages, chosen: workspace.chosenProfiles },
    base: () => base(),
  });
  const { rebuilder, checks, profiles, measuring } = judging;
  workspace.onPreferences(() => checks.wake());
  const damage = createDamage({
    ...{ store, notes: workspace.damage, clock, every, log },
    copiesOf: (names) => copiesIn(recordsPath, names),
    onOpened: (listener) => store.derived.onOpened(listener),
  });
  const mending = createMending({ store, service, damage, records: recordsPath });
  const closeDatabases = async () => {
    backups.close();
    await packages.close();
    await finder.close();
    await damage.close();
    await judging.close();
    await training.stopWriter();
    await threads.close();
    await trail.close();
    await workspace.close();
    await store.close();
  };
  const ownerHash = options.token === undefined ? undefined : hashToken(options.token);
  const ownerNow = () => (options.atWindow ? workspace.people.atWindow(owner) : owner);
  const tokens: TokenLookup = (sha256) =>
    sha256 === ownerHash ? ownerNow() : (workspace.sessions.find(sha256) ?? workspace.tokens.find(sha256));
  const codes = signInCodes(linkFiles(dataDir), Date.now);
  let origin = '';
  const base = () => settings.publicUrl ?? origin;
  const proxies = {
    chosen: () => workspace.proxy(),
    system: options.systemProxy ?? ((url: URL) => Promise.resolve(environmentProxy(url))),
  };
  const gateway = createGateway({ secrets: options.secrets ?? sessionSecrets(), proxies, base });
  const remote = createRemoteJudge({
    ...{ dataDir, gateway, checks, clock, log },
    connections: workspace.connections,
    run: threads.run,
  });
  const audit = createAudit(store.audit, every);
  const app = createApp({
    ...{ audit, service, store, workspace, changes, finder, erasures, damage },
    ...{ rebuilder, checks, profiles, packages, measuring, clock, dataDir, asked: pace.asked },
    state: () => fileState(store, damage),
    more: fileRoutes({ training, practice, backups, mending }),
    maxBody: settings.maxBody,
    search: createSearch({ store, run: threads.run, erased, requireSubject: settings.requireSubject }),
    ...{ version: appVersion, started: new Date(clock()).toISOString() },
    ...{ tokens, codes },
    openId: options.openId && createOpenId({ settings: options.openId, base, clock: Date.now }),
    settings,
    base,
    gateway,
    remote,
    pageFolder: options.pageFolder,
    log: options.log,
  });
  let server: Server;
  try {
    await erasures.settle();
    await packages.begin();
    const { port, certificate } = options;
    server = createListener(app, settings.listen, certificate);
    const scheme = certificate === undefined ? 'http' : 'https';
    origin = await listen(server, { address: settings.listen, port }, scheme);
  } catch (error) {
    audit.close();
    await closeDatabases();
    throw error;
  }
  noteAddress(dataDir, base());
  judging.wake();
  remote.wake();
  return {
    /** `http://127.0.0.1:<port>`, unless the settings name another address. */
    origin,
    ...{ service, training, judging, damage },
    /** A new code with every scope, which works once (core/app/sign-in.ts). */
    signInCode: () => Promise.resolve(codes.issue(owner).code),
    /** Forgets the tokens of remote servers; the next request asks for others. */
    signOut: () => gateway.signOut(),
    /** Finishes the requests under way, then closes the databases. */
    async close(): Promise<void> {
      forgetAddress(dataDir);
      changes.close();
      await stop(server);
      audit.close();
      await remote.close();
      gateway.close();
      await closeDatabases();
    },
  };
}
