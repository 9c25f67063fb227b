/**
 * Starts a server over a store that several servers share (`serve --store`). Service, addresses and page are the same
 * as in start.ts, except the unsupported parts in core/app/shared-store.ts. Called by the command line.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { absentParts } from '../../core/app/shared-store.ts';
import { owner } from '../access/principal.ts';
import { createSharedCodes } from './sign-in-codes.ts';
import { createSignInCodes } from '../access/sign-in-codes.ts';
import { assemble, opening, type ServerOptions } from '../assembly.ts';
import { onTimer, createWorkScheduler } from '../background/background.ts';
import { createSharedErasureTarget } from './erasure-target.ts';
import { createChanges } from '../fhir/changes.ts';
import { sharedChanges } from './changes.ts';
import { createFinder } from '../find/finder.ts';
import { environmentProxy } from '../gateway/proxy.ts';
import { createUnavailableRoutes } from './absent-routes.ts';
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
    shared.onErased((names) => {
      erasures
        .forget(names)
        .catch(() =>
          log('records that another server erased are still in this folder; a restart removes them'),
        );
    });
    // Erasures reported after this point are applied at the next start.
    resources.add({ close: () => shared.onErased(() => undefined) });
    const server = await serve({
      bearer: () => owner,
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
