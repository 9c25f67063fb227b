/**
 * Puts the server together: databases, service, HTTP. Called by the command line and by the worker; resolves once it
 * listens. Invariant: what is opened here is closed here, in the reverse order.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { owner, type TokenLookup } from './access/principal.ts';
import { hashToken } from './access/secret.ts';
import type { Derivation } from '../core/derive/derivations.ts';
import { createBackups, onTimer, type Every } from './backups/backups.ts';
import { createErasures } from './erasures/erasures.ts';
import { createApp } from './http/app.ts';
import type { FaultLog } from './http/reply.ts';
import { createGateway } from './gateway/gateway.ts';
import { sessionSecrets, type SecretStore } from './gateway/secrets.ts';
import { createListener, listen, stop, type Certificate } from './listener.ts';
import { createSearch } from './fhir/search.ts';
import { createService, type RecordService } from './fhir/service.ts';
import { createRebuilder, type Rebuilder } from './judge/rebuilder.ts';
import { createTraining, type Training } from './import/training.ts';
import { openRecordStore } from './store/sqlite-store.ts';
import { defaultSettings, type ServerSettings } from './settings.ts';
import type { Erased, RecordStore } from './store/store.ts';
import { erasedIn } from './workspace/erasures.ts';
import { openWorkspace } from './workspace/workspace.ts';

export interface StartOptions {
  readonly dataDir: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The token with every scope. */
  readonly token: string;
  readonly pageFolder: string;
  readonly log: FaultLog;
  /** Of the training data; 1 where absent. */
  readonly seed?: number;
  /** Where secrets of connections are kept; for the session where absent. */
  readonly secrets?: SecretStore;
  /** Needed where other machines reach the address listened on. */
  readonly certificate?: Certificate | undefined;
  /** Runs what is to be done again and again; by a real timer where absent. */
  readonly every?: Every;
  /** Now, in milliseconds since 1970, for what is written and judged; the system's clock where absent. */
  readonly clock?: () => number;
  /** Which derivations the rows of the records are to be of; this program's where absent. */
  readonly derivations?: readonly Derivation[];
  /** Beside the defaults. */
  readonly settings?: Partial<ServerSettings>;
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>`, unless the settings name another address. */
  readonly origin: string;
  readonly service: RecordService;
  readonly training: Training;
  readonly rebuilder: Rebuilder;
  /** Forgets the tokens of remote servers; the next request asks for others. */
  signOut(): void;
  /** Finishes the requests under way, then closes the databases. */
  close(): Promise<void>;
}

declare const __APP_VERSION__: string | undefined;

/** Version of the program; the bundler writes it in, the sources run as `dev`. */
export const appVersion = typeof __APP_VERSION__ === 'string' ? __APP_VERSION__ : 'dev';

type RecordOptions = Partial<Pick<ServerSettings, 'validation' | 'requireIfMatch'>> &
  Pick<StartOptions, 'clock' | 'derivations'> & {
    /** Those of the folder's workspace, which nobody holds, where absent. */
    readonly erased?: Pick<Erased, 'has'>;
  };

/** The record store of a data folder, and the service over it; for the command line without a server. */
export async function openRecords(
  dataDir: string,
  { clock = Date.now, derivations, erased, ...settings }: RecordOptions = {},
): Promise<{ store: RecordStore; service: RecordService }> {
  const { validation: level, requireIfMatch } = { ...defaultSettings, ...settings };
  const store = await openRecordStore(join(dataDir, 'records.db'), derivations);
  const options = { store, clock, newId: randomUUID, level, requireIfMatch };
  const listed = erased ?? erasedIn(join(dataDir, 'workspace.db'));
  return { store, service: createService({ ...options, erased: listed }) };
}

/** Opens the data folder and listens, on 127.0.0.1 unless told otherwise; rejects where either cannot be done. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const settings = { ...defaultSettings, ...options.settings };
  const { clock = Date.now, every = onTimer, derivations } = options;
  const { validation, requireIfMatch } = settings;
  const erased: Pick<Erased, 'has'> = { has: (record) => workspace.erasures.has(record) };
  const { store, service } = await openRecords(options.dataDir, {
    ...{ validation, requireIfMatch, clock, erased },
    ...(derivations && { derivations }),
  });
  const workspace = await openWorkspace(join(options.dataDir, 'workspace.db')).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  const { dataDir, log, seed = 1 } = options;
  const training = createTraining({ service, store, seed, records: join(dataDir, 'records.db') });
  store.room.onChange((full) => {
    log(full ? 'The disk is full: records can be read, and nothing is stored.' : 'The disk has room again.');
  });
  const erasures = createErasures({ dataDir, store, list: workspace.erasures, clock });
  const backups = createBackups({
    ...{ dataDir, records: store, workspace, log, every },
    erased: () => workspace.erasures.list(),
  });
  const rebuilder = createRebuilder({ store, clock, every, log });
  const closeDatabases = async () => {
    backups.close();
    await rebuilder.close();
    await training.stopWriter();
    await workspace.close();
    await store.close();
  };
  const ownerHash = hashToken(options.token);
  const tokens: TokenLookup = (sha256) => (sha256 === ownerHash ? owner : workspace.tokens.find(sha256));
  let origin = '';
  const base = () => settings.publicUrl ?? origin;
  const gateway = createGateway({ secrets: options.secrets ?? sessionSecrets(), base });
  const app = createApp({
    service,
    store,
    workspace,
    training,
    backups,
    erasures,
    rebuilder,
    maxBody: settings.maxBody,
    search: createSearch({ store, erased }),
    version: appVersion,
    started: new Date().toISOString(),
    tokens,
    settings,
    base,
    gateway,
    pageFolder: options.pageFolder,
    log: options.log,
  });
  let server: Server;
  try {
    await erasures.settle();
    const { port, certificate } = options;
    server = createListener(app, settings.listen, certificate);
    const scheme = certificate === undefined ? 'http' : 'https';
    origin = await listen(server, { address: settings.listen, port }, scheme);
  } catch (error) {
    await closeDatabases();
    throw error;
  }
  rebuilder.wake();
  return {
    origin,
    service,
    training,
    rebuilder,
    signOut: () => gateway.signOut(),
    async close() {
      await stop(server);
      gateway.close();
      await closeDatabases();
    },
  };
}
