/**
 * Starts a server over a store that it shares with others (`serve --store`): the same service, addresses and page as
 * start.ts, without what such a store does not offer yet (core/app/shared-store.ts). Called by the command line. Invariant:
 * what is opened here is closed here, in the reverse order.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { absentParts } from '../core/app/shared-store.ts';
import { forgetAddress, linkFiles, noteAddress } from './access/link-files.ts';
import { owner, type TokenLookup } from './access/principal.ts';
import { hashToken } from './access/secret.ts';
import { sharedCodes } from './access/shared-codes.ts';
import { signInCodes } from './access/sign-in-codes.ts';
import { onTimer } from './backups/backups.ts';
import { createDamage, type Damage } from './damage/damage.ts';
import { createErasures } from './erasures/erasures.ts';
import { sharedPlace } from './erasures/shared-place.ts';
import { createChanges } from './fhir/changes.ts';
import { createSearch } from './fhir/search.ts';
import { createService } from './fhir/service.ts';
import { sharedChanges } from './fhir/shared-changes.ts';
import { createFinder } from './find/finder.ts';
import { createGateway } from './gateway/gateway.ts';
import { environmentProxy } from './gateway/proxy.ts';
import { sessionSecrets } from './gateway/secrets.ts';
import { absentRoutes } from './http/absent-routes.ts';
import { createApp } from './http/app.ts';
import { createAudit } from './http/audit-recorder.ts';
import { derivedState, type StoreState } from './http/overview-routes.ts';
import { sharedHandler } from './http/shared-handler.ts';
import { createJudging } from './judge/judging.ts';
import { createPace } from './judge/pace.ts';
import { textPool } from './judge/text-pool.ts';
import { createListener, listen, stop } from './listener.ts';
import { createOpenId } from './openid/openid.ts';
import { sharedSignIns } from './openid/under-way.ts';
import { createPackages } from './packages/packages.ts';
import { createRemoteJudge } from './remote/remote-judge.ts';
import { defaultSettings } from './settings.ts';
import { sharedMeters } from './shared-meters.ts';
import type { RunningServer, StartOptions } from './start.ts';
import { appVersion } from './app-version.ts';
import { openPostgresStore, type PostgresStore } from './store/postgres/postgres-store.ts';
import { mostTold } from './store/postgres/signals.ts';
import { openSharedWorkspace } from './workspace/workspace.ts';

/** Milliseconds between two looks for packages, beside those that another server asks for. */
const looked = 60 * 1000;

/** What `serve --store` is told. */
export interface SharedOptions extends Omit<
  StartOptions,
  'atWindow' | 'startEmpty' | 'secondBackups' | 'seed' | 'systemProxy' | 'readers'
> {
  /** Of the store: `postgres://…`. */
  readonly address: string;
}

/** What of a running server one over a shared store has. */
export type SharedServer = Pick<
  RunningServer,
  'origin' | 'service' | 'damage' | 'judging' | 'signInCode' | 'close'
>;

/** Opens the store and listens; rejects where either cannot be done. */
export async function startSharedServer(options: SharedOptions): Promise<SharedServer> {
  const { dataDir, address, log, every = onTimer } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const store = await openPostgresStore(address, options.auditKey, options.derivations);
  const { clock = store.clock.now } = options;
  const parts = { rows: store.rows, activity: store.activity, clock: { now: clock } };
  const opened = await openSharedWorkspace(join(dataDir, 'workspace.db'), parts).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  const { workspace, mirror } = opened;
  const erased = workspace.erasures;
  const threads = textPool();
  const changes = sharedChanges(
    createChanges(),
    {
      most: mostTold,
      say: (text) => store.signals.say('changes', text),
      on: (told) => store.signals.on('changes', told),
    },
    randomUUID(),
  );
  const service = createService({
    ...{ store, clock, newId: randomUUID, run: threads.run, erased },
    onStored(version) {
      changes.note(version);
      judging.stored();
    },
    ...{ level: settings.validation, requireIfMatch: settings.requireIfMatch },
  });
  let origin = '';
  const base = () => settings.publicUrl ?? origin;
  const gateway = createGateway({
    secrets: options.secrets ?? sessionSecrets(),
    proxies: { chosen: () => workspace.proxy(), system: (url) => Promise.resolve(environmentProxy(url)) },
    base,
  });
  const pace = createPace(undefined, undefined, true);
  const packages = createPackages({ dataDir, log, shared: store.archives });
  const judging = createJudging({
    ...{ store, definitions: workspace.checks, clock, pace, every, log, limits: options.checks },
    profiles: { source: options.conformance ?? packages, chosen: workspace.chosenProfiles },
    refresh: () => mirror.look(),
    base,
  });
  const { rebuilder, checks, profiles, measuring } = judging;
  workspace.onPreferences(() => checks.wake());
  const remote = createRemoteJudge({
    ...{ dataDir, gateway, clock, log, checks, leases: store.leases },
    connections: workspace.connections,
    run: threads.run,
  });
  const finder = createFinder(dataDir, address);
  const erasures = createErasures({
    place: sharedPlace({ store, look: () => mirror.look() }),
    ...{ list: erased, finder, clock, erased: () => judging.relations.wake() },
  });
  opened.onErased((names) => {
    erasures
      .forget(names)
      .catch(() => log('what another server erased is not gone from this folder; a start anew removes it'));
  });
  const damage = createDamage({ store, notes: workspace.damage, clock, every, log });
  const ownHash = options.token === undefined ? undefined : hashToken(options.token);
  const tokens: TokenLookup = (sha256) => {
    if (sha256 === ownHash) return owner;
    mirror.refuseStale();
    return workspace.sessions.find(sha256) ?? workspace.tokens.find(sha256);
  };
  const codes = sharedCodes(signInCodes(linkFiles(dataDir), Date.now), store.codes, clock);
  const audit = createAudit(store.audit, every, clock);
  const app = createApp({
    ...{ audit, service, store, workspace, changes, finder, erasures, damage, measuring },
    ...{ clock, dataDir, gateway, remote, tokens },
    ...{ settings, base, log, pageFolder: options.pageFolder, maxBody: settings.maxBody },
    ...{ rebuilder, checks, profiles, packages, asked: pace.asked },
    state: () => storeState(store, damage),
    more: absentRoutes(),
    meters: sharedMeters(store, mirror),
    search: createSearch({ store, run: threads.run, erased, requireSubject: settings.requireSubject }),
    version: appVersion,
    started: new Date(clock()).toISOString(),
    codes,
    openId:
      options.openId &&
      createOpenId({
        ...{ settings: options.openId, base, clock },
        underWay: sharedSignIns(store.signIns),
      }),
  });
  const closeAll = async () => {
    audit.close();
    // What is heard of from here on goes at the next start.
    opened.onErased(() => undefined);
    await finder.close();
    await damage.close();
    await remote.close();
    gateway.close();
    await judging.close();
    await packages.close();
    await threads.close();
    await workspace.close();
    await store.close();
  };
  const handler = sharedHandler({ app, tokens, mirror, ready: () => store.ready() });
  const server = createListener(handler, settings.listen, options.certificate);
  try {
    await erasures.settle();
    await packages.begin();
    await store.signals.begin();
    const scheme = options.certificate === undefined ? 'http' : 'https';
    origin = await listen(server, { address: settings.listen, port: options.port }, scheme);
  } catch (error) {
    await closeAll();
    throw error;
  }
  noteAddress(dataDir, base());
  judging.wake();
  remote.wake();
  const stopLooking = every(looked, packages.follow);
  return {
    ...{ origin, service, damage, judging },
    signInCode: async () => (await codes.issue(owner)).code,
    async close() {
      stopLooking();
      forgetAddress(dataDir);
      changes.close();
      await stop(server);
      await closeAll();
    },
  };
}

async function storeState({ derived }: PostgresStore, damage: Pick<Damage, 'state'>): Promise<StoreState> {
  return {
    ...(await derivedState(derived)),
    damage: await damage.state(),
    disk: 'ok',
    absent: [...absentParts],
  };
}
