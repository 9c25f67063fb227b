/**
 * The practice store: a second data folder with made-up records, opened by this program as a server of its own. The page
 * reaches it like any other server, so that none of its records gets into the store of this one. Called by start.ts.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../core/api/contract.ts';
import { checkConnection } from '../core/app/connection-check.ts';
import type { Connection } from '../core/app/connections.ts';
import { replacePrivateFile } from './access/private-file.ts';
import { createToken } from './access/secret.ts';
import type { SecretStore } from './gateway/secrets.ts';
import type { PracticeStore } from './http/practice-store-routes.ts';
import type { TrainingParts } from './http/training-routes.ts';
import type { ConnectionStore } from './workspace/connections.ts';

/** The server of the practice store. */
export interface PracticeServer extends TrainingParts {
  readonly origin: string;
  close(): Promise<void>;
}

export interface PracticeStoreOptions {
  readonly dataDir: string;
  readonly connections: Pick<ConnectionStore, 'add' | 'change' | 'find' | 'list'>;
  readonly secrets: Pick<SecretStore, 'set'>;
  /** Starts the server of a data folder. It accepts the token. */
  readonly start: (dataDir: string, token: string) => Promise<PracticeServer>;
}

interface OpenServer {
  readonly server: PracticeServer;
  readonly token: string;
}

const connectionName = 'Practice';

/** Creates the practice store of a data folder. It is opened when it is first needed. */
export function createPracticeStore({ dataDir, connections, secrets, start }: PracticeStoreOptions) {
  const folder = join(dataDir, 'practice');
  const idFile = join(folder, 'connection');
  let opening: Promise<OpenServer> | undefined;
  let connectionId = '';

  async function openFolder(): Promise<OpenServer> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const token = createToken();
    return { server: await start(folder, token), token };
  }

  /** Opens the store and saves its connection, whose port is another one after each start. */
  async function connect(): Promise<PracticeServer> {
    opening ??= openFolder();
    const { server, token } = await opening.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const connection = await saveConnection(server.origin + fhirPath);
    await secrets.set(connection.id, token);
    connectionId = connection.id;
    return server;
  }

  async function saveConnection(baseUrl: string): Promise<Connection> {
    const knownConnection = await connections.find((await readFile(idFile, 'utf8').catch(() => '')).trim());
    if (knownConnection?.baseUrl === baseUrl) return knownConnection;
    if (knownConnection) {
      const { id, ...settings } = knownConnection;
      const changed = await connections.change(id, { ...settings, baseUrl });
      if (typeof changed === 'object') return changed;
    }
    const names = (await connections.list()).map(({ name }) => name.toLowerCase());
    const isTaken = names.includes(connectionName.toLowerCase());
    const added = await connections.add(
      createSettings(isTaken ? `${connectionName} (Chartkeeper)` : connectionName, baseUrl),
    );
    if (typeof added !== 'object') throw new Error(`The connection to the practice store: ${added}`);
    await replacePrivateFile(idFile, added.id);
    return added;
  }

  return {
    /** True if the store was opened before, by this or an earlier process. */
    exists: (): boolean => existsSync(join(folder, 'records.db')),

    /** Opens the store again after a restart. */
    resume: async (): Promise<void> => void (await connect()),

    connectionId: () => (connectionId === '' ? undefined : connectionId),

    async open(actor) {
      const server = await connect();
      const loaded = await server.training.load('clean', actor);
      return { connection: connectionId, ...loaded };
    },

    async partsOf(connection) {
      if (connection === undefined || connection !== connectionId) return undefined;
      return (await opening)?.server;
    },

    async close(): Promise<void> {
      const openServer = await opening?.catch(() => undefined);
      await openServer?.server.close();
    },
  } satisfies PracticeStore & Record<string, unknown>;
}

function createSettings(name: string, baseUrl: string) {
  const checked = checkConnection({
    name,
    baseUrl,
    colour: 'lime',
    environment: 'training',
    mode: 'normal',
    authentication: { kind: 'bearer' },
    proxy: { kind: 'none' },
  });
  if ('value' in checked) return checked.value;
  throw new Error('The settings of the practice store are invalid.');
}
