/**
 * Starts a server over a store that several servers share (`serve --store`). Service, addresses and page are the same
 * as in start.ts, except the unsupported parts in core/app/shared-store.ts. Called by the command line.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { absentParts, type AbsentPart } from '../../core/app/shared-store.ts';
import { createSharedCodes } from './sign-in-codes.ts';
import { createSignInCodes } from '../access/sign-in-codes.ts';
import { assemble, opening, type ServerOptions } from '../assembly.ts';
import { onTimer, createWorkScheduler } from '../background/background.ts';
import { createChanges, type ChangeListener, type Changes } from '../fhir/changes.ts';
import { createFinder } from '../find/finder.ts';
import { environmentProxy } from '../gateway/proxy.ts';
import { createAudit } from '../http/audit-recorder.ts';
import type { Meter } from '../http/metrics.ts';
import { createSharedHandler } from './request-handler.ts';
import { createSharedSignIns } from './openid/pending-sign-ins.ts';
import { openPostgresStore, type PostgresStore } from './postgres/postgres-store.ts';
import { maxNotified } from './postgres/signals.ts';
import type { Mirror } from './workspace-mirror.ts';
import { openSharedWorkspace } from './workspace.ts';
import { mirrorOf } from './package-mirror.ts';
import type { createProvider } from './openid/openid-routes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { TableRoute } from '../http/route-table.ts';
import type { SharedStore } from '../store/store.ts';
import type { ErasureTarget } from '../erasures/erasures.ts';
import { ChangeEvent } from '../../core/app/changes.ts';
import { parseAs } from '../../core/json/shape.ts';

/** Milliseconds between two polls for packages. Other servers also request polls. */
const packagePollMs = 60 * 1000;

/** Options of `serve --store`. */
export interface SharedOptions extends ServerOptions {
  /** Address of the store: `postgres://…`. */
  readonly address: string;
  readonly openId?: ReturnType<typeof createProvider> | undefined;
}

export type SharedServer = Awaited<ReturnType<typeof startSharedServer>>;

/** Opens the store and listens. Rejects if the store or the port cannot be opened. */
export function startSharedServer(options: SharedOptions) {
  return opening(async (resources) => {
    const { dataDir, address, log, openId, scheduleEvery = onTimer } = options;
    const store = resources.add(await openPostgresStore(address, options.auditKey, options.derivations));
    const { clock = store.clock.now } = options;
    const sharedState = { rows: store.rows, activity: store.activity, clock: { now: clock } };
    const shared = await openSharedWorkspace(join(dataDir, 'workspace.db'), sharedState);
    const { mirror } = shared;
    const pollMirror = () => mirror.look();
    const finder = resources.add(createFinder(dataDir, { store: address, scheduleEvery }));
    const transport = {
      maxBytes: maxNotified,
      say: (text: string) => store.signals.notify('changes', text),
      on: (listener: (text: string) => void) =>
        store.signals.on('changes', (text) => {
          finder.onVersionStored();
          listener(text);
        }),
    };
    const signIns = { clock, pendingSignIns: createSharedSignIns(store.signIns) };
    const serverOptions = { ...options, openId: openId && ((base: () => string) => openId(base, signIns)) };
    const { erasures, packages, serve } = assemble(serverOptions, resources, {
      store,
      clock,
      workspace: resources.add(shared.workspace),
      audit: createAudit(store.audit, scheduleEvery, clock),
      changes: sharedChanges(createChanges(), transport, randomUUID()),
      finder,
      place: createSharedErasureTarget({ store, reloadList: pollMirror }),
      pace: createWorkScheduler(undefined, undefined, true),
      systemProxy: (url) => Promise.resolve(environmentProxy(url)),
      packages: { createMirror: (parts) => mirrorOf(store.archives, parts) },
      validation: { refresh: pollMirror },
    });
    let forgetting: Promise<unknown> = Promise.resolve();
    shared.onErased((names) => {
      const forgotten = erasures
        .forget(names)
        .catch(() =>
          log('records that another server erased are still in this folder; a restart removes them'),
        );
      forgetting = Promise.all([forgetting, forgotten]);
    });
    resources.add({
      close: async () => {
        // Erasures reported after this point are applied at the next start.
        shared.onErased(() => undefined);
        await forgetting;
      },
    });
    const server = await serve({
      refuseStale: () => mirror.refuseStale(),
      codes: createSharedCodes(createSignInCodes(dataDir, Date.now), store.codes, clock),
      state: () => ({ disk: 'ok', absent: [...absentParts] }),
      additionalRoutes: createUnavailableRoutes(),
      meters: metersOf(store, mirror),
      before: (app, tokens) => createSharedHandler({ app, tokens, mirror, ready: () => store.ready() }),
      begin: () => store.signals.start(),
    });
    resources.add({ close: scheduleEvery(packagePollMs, packages.follow) });
    return server;
  });
}

/** Returns the metrics of a shared store. */
function metersOf(
  store: Pick<PostgresStore, 'load' | 'ready'>,
  mirror: Pick<Mirror, 'age'>,
): readonly Meter[] {
  return [
    {
      name: 'store_writable',
      help: '1 where the database takes writes, else 0.',
      readValue: () =>
        store.ready().then(
          () => 1,
          () => 0,
        ),
    },
    {
      name: 'store_connections_open',
      help: 'Connections to the database.',
      readValue: () => store.load().open,
    },
    {
      name: 'store_connections_busy',
      help: 'Connections to the database that are at work.',
      readValue: () => store.load().busy,
    },
    {
      name: 'store_waiting',
      help: 'Statements that wait for a connection to the database.',
      readValue: () => store.load().waitingCount,
    },
    {
      name: 'workspace_age_seconds',
      help: 'Time since the tokens, sessions and settings of all servers were looked at; above 5, requests are 503.',
      readValue: () => mirror.age() / 1000,
    },
  ];
}

const messages = defineMessages('sharedStore', {
  backups:
    'Not available on a shared store yet. The database’s own backups protect the records. Ask your database administrator.',
  training: 'Not available on a shared store yet. Practice needs a server with its own data folder.',
});

/** Addresses by the part that they belong to: methods, then the path. */
const addresses: Readonly<Record<AbsentPart, readonly string[]>> = {
  backups: [
    'GET POST /app/backups',
    'PUT /app/backups/second-place',
    'POST /app/backups/:name/restore',
    'POST /app/damage/:type/:id/mend',
  ],
  training: [
    'POST /app/demo',
    'GET POST /app/practice-store',
    'GET /app/training',
    'GET /app/training/migration/defects',
    'POST /app/training/reset',
    'POST DELETE /app/training/writer',
    'POST /app/training/:set',
    'GET /app/practice',
    'POST /app/practice/conflict/colleague',
    'POST /app/practice/:exercise',
  ],
};

/** Routes that a shared store does not support yet. Each responds with an alternative. */
export function createUnavailableRoutes(): readonly TableRoute[] {
  return absentParts.flatMap((part) =>
    addresses[part].flatMap((row) => {
      const words = row.split(' ');
      const path = words.at(-1) ?? '';
      return words.slice(0, -1).map((method) => ({
        method,
        path,
        handler() {
          throw new FhirError('not-built', messages[part]());
        },
      }));
    }),
  );
}

interface SharedErasureDependencies {
  readonly store: Pick<SharedStore, 'erase'>;
  readonly reloadList: () => Promise<void>;
}

/**
 * Creates the erasure target of a shared store, which stores the list in the erasing transaction.
 *
 * Logs and backups of the database are managed elsewhere.
 */
export function createSharedErasureTarget({
  store,
  reloadList: look,
}: SharedErasureDependencies): ErasureTarget {
  return {
    async remove(erasure) {
      const erasedNames = await store.erase([erasure]);
      await look();
      return erasedNames.length > 0;
    },
    settle: () => Promise.resolve(),
    emptyLog: () => Promise.resolve(),
    withBackups: (erasures) => erasures.map((erasure) => ({ ...erasure, backups: [], unseen: null })),
  };
}

/** Channel between the servers of one store. */
export interface ChangeTransport {
  /** Bytes of a message, at most. */
  readonly maxBytes: number;
  say(text: string): Promise<void>;
  /**
   * Calls back with each message of any server, including this one. Sends an empty text after the
   * connection was established or restored.
   */
  on(listener: (text: string) => void): void;
}

/**
 * Shares changes between all servers of a store. Each server announces stored versions afterwards and in
 * groups, so that no write waits. A lost message only costs a marker on a page. Streams end if the servers
 * could not communicate for a time.
 */
export function sharedChanges(localChanges: Changes, wire: ChangeTransport, name: string): Changes {
  const listeners = new Set<ChangeListener>();
  const tell: ChangeListener = (event) => {
    for (const listener of listeners) listener(event);
  };
  localChanges.listen((event) => {
    tell(event);
    for (const text of event ? messagesOf(event, name, wire.maxBytes) : [])
      void wire.say(text).catch(() => undefined);
  });
  wire.on((text) => {
    if (text === '') {
      // Messages may be lost: clients reconnect and reload the visible records.
      tell(undefined);
      listeners.clear();
      return;
    }
    const [from, body] = [text.slice(0, name.length), text.slice(name.length)];
    const event = from === name ? undefined : parseAs(ChangeEvent, body);
    if (event) tell(event);
  });
  return {
    ...localChanges,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      localChanges.close();
      listeners.clear();
    },
  };
}

/** Splits an event into messages. If an event has too many records for a message, sends only their number. */
function messagesOf(event: ChangeEvent, name: string, maxCharacters: number): string[] {
  const text = name + JSON.stringify(event);
  if (Buffer.byteLength(text) <= maxCharacters) return [text];
  const { changes, more: unnamedCount, ...eventParts } = event;
  if (changes.length < 2)
    return [name + JSON.stringify({ changes: [], more: unnamedCount + changes.length, ...eventParts })];
  const middleIndex = Math.ceil(changes.length / 2);
  return [
    ...messagesOf(
      { changes: changes.slice(0, middleIndex), more: unnamedCount, ...eventParts },
      name,
      maxCharacters,
    ),
    ...messagesOf({ changes: changes.slice(middleIndex), more: 0 }, name, maxCharacters),
  ];
}
