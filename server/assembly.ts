/**
 * Assembles service, validation and HTTP over an open store and workspace. Called by start.ts and shared/start-shared.ts, which
 * add the parts that depend on their store. Invariant: all opened resources are closed, in reverse order.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Derivation } from '../core/derive/derivations.ts';
import { removeAddressFile, storeServerAddress } from './access/link-files.ts';
import { owner, type Principal, type TokenLookup } from './access/principal.ts';
import { hashToken } from './access/secret.ts';
import { appVersion } from './app-version.ts';
import { onTimer, type ScheduleEvery, type WorkScheduler } from './background/background.ts';
import { clearSpool } from './import/spool.ts';
import { createServerExports } from './bulk-data/server-exports.ts';
import { createDamage, type DamageDependencies } from './damage/damage.ts';
import { createErasures, type ErasureDependencies } from './erasures/erasures.ts';
import { fhirPath } from '../core/api/contract.ts';
import type { Changes } from './fhir/changes.ts';
import { createSearch } from './fhir/search.ts';
import { createService } from './fhir/service.ts';
import type { Finder } from './find/finder.ts';
import { createGateway } from './gateway/gateway.ts';
import type { ProxyChoice } from './gateway/proxy.ts';
import { sessionSecrets, type SecretStore } from './gateway/secrets.ts';
import { createApp, type HttpDependencies } from './http/app.ts';
import type { Audit } from './http/audit-recorder.ts';
import type { UndoDependencies } from './import/undo-batch.ts';
import type { SignInProvider } from './http/sign-in-routes.ts';
import type { CheckDependencies } from './validation/checks.ts';
import { createValidation, type Validation, type JudgingParts } from './validation/validation-service.ts';
import type { ConformanceSource } from './validation/profiles.ts';
import { textPool } from './validation/text-pool.ts';
import { createListener, listen, stop, type Certificate } from './listener.ts';
import type { Log } from './log-lines.ts';
import { createPackages, type PackagesParts } from './packages/packages.ts';
import { createRemoteValidation } from './remote/remote-validation.ts';
import { defaultSettings, type ServerSettings } from './settings.ts';
import type { SealKey } from './store/audit-chain.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface ServerOptions {
  readonly dataDir: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** A token with every scope, valid in addition to created tokens and sessions. */
  readonly token?: string | undefined;
  readonly pageFolder: string;
  readonly log: Log;
  /** Storage for secrets of connections. Default: in memory, for the session. */
  readonly secrets?: SecretStore;
  /** Required if other computers can reach the address. */
  readonly certificate?: Certificate | undefined;
  /** Key of the seals of the audit log. Without a key the seals are hashes. */
  readonly auditKey?: SealKey | undefined;
  /** Runs recurring tasks. Default: a real timer. */
  readonly scheduleEvery?: ScheduleEvery;
  /** Current time for writes and validation, in milliseconds since 1970. Default: the clock of the store's machine. */
  readonly clock?: () => number;
  /** Derivations that produce the derived rows. Default: the derivations of this program. */
  readonly derivations?: readonly Derivation[];
  /** Limits of custom checks. Default: the usual limits. */
  readonly checks?: CheckDependencies['limits'];
  /** Source of profile definitions. Default: the installed packages. */
  readonly conformance?: ConformanceSource;
  /** Creates the sign-in at a provider. Default: none. */
  readonly openId?: ((base: () => string) => SignInProvider) | undefined;
  /** Overrides the default settings. */
  readonly settings?: Partial<ServerSettings>;
}

/** Collects the open resources of a server. Each is closed before the resources that it uses. */
export interface ServerResources {
  add<Part extends { close(): unknown }>(part: Part): Part;
}

/**
 * Opens a server whose `close` also closes its resources. If `work` throws, closes them at once. A failed close does not
 * stop the others.
 */
export async function opening<Server extends object>(
  work: (resources: ServerResources) => Promise<Server>,
): Promise<Server & { close(): Promise<void> }> {
  const parts: { close(): unknown }[] = [];
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll(parts.toReversed()));
  const add: ServerResources['add'] = (part) => {
    parts.push(part);
    return part;
  };
  try {
    return { ...(await work({ add })), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Closes the parts in order, then throws the first error. */
async function closeAll(parts: readonly { close(): unknown }[]): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      await part.close();
    } catch (error) {
      errors.push(error);
    }
  }
  for (const error of errors) throw error;
}

/** A store, its workspace and the parts that depend on the kind of store. */
export interface Engine {
  readonly store: JudgingParts['store'];
  readonly workspace: Workspace;
  readonly clock: () => number;
  readonly audit: Audit;
  readonly changes: Changes;
  readonly finder: Finder;
  /** Storage from which erasures remove records. */
  readonly place: ErasureDependencies['target'];
  readonly pace: WorkScheduler;
  /** The system's proxy for an address. */
  readonly systemProxy: ProxyChoice;
  readonly packages?: Pick<PackagesParts, 'createMirror'>;
  readonly validation?: Pick<JudgingParts, 'refresh'>;
  readonly damage?: Pick<DamageDependencies, 'listCopies' | 'onOpened'>;
}

/** HTTP options that depend on the kind of store. */
interface Front extends Pick<HttpDependencies, 'codes' | 'state' | 'additionalRoutes'> {
  readonly meters?: HttpDependencies['meters'];
  /** Returns the principal of `ServerOptions.token`. Default: the owner. */
  readonly bearer?: () => Principal;
  /** Throws if the local copy of tokens is out of date. */
  readonly refuseStale?: () => void;
  /** Wraps the HTTP handler of the application. */
  readonly before?: (app: RequestListener, tokens: TokenLookup) => RequestListener;
  /** Runs before the server listens. */
  readonly begin?: () => Promise<void>;
}

/** Creates the services of a server. The returned `serve` starts HTTP. */
export function assemble(options: ServerOptions, resources: ServerResources, engine: Engine) {
  const { dataDir, log, scheduleEvery = onTimer } = options;
  const { store, workspace, clock, audit, changes, finder, pace } = engine;
  const settings = { ...defaultSettings, ...options.settings };
  const { validation: level, requireIfMatch } = settings;
  const erasureList = workspace.erasures;
  const textThreads = resources.add(textPool());
  const { run } = textThreads;
  const service = createService({
    store,
    clock,
    newId: randomUUID,
    run,
    erasures: erasureList,
    level,
    requireIfMatch,
    onStored(version) {
      changes.note(version);
      finder.onVersionStored();
      validation.onVersionStored();
    },
  });
  let origin = '';
  const base = () => settings.publicUrl ?? origin;
  const gateway = resources.add(
    createGateway({
      secrets: options.secrets ?? sessionSecrets(),
      proxies: { getDefaultProxy: () => workspace.proxy(), system: engine.systemProxy },
      base,
    }),
  );
  const packages = resources.add(createPackages({ dataDir, log, ...engine.packages }));
  const validation: Validation = resources.add(
    createValidation({
      store,
      definitions: workspace.checks,
      clock,
      pace,
      scheduleEvery,
      log,
      limits: options.checks,
      onProgress: changes.noteFindings,
      profiles: { source: options.conformance ?? packages, getSelectedProfiles: workspace.chosenProfiles },
      base,
      ...engine.validation,
    }),
  );
  const { rebuilder, checks, profiles, measureService } = validation;
  workspace.onPreferences(() => checks.wake());
  const remote = resources.add(
    createRemoteValidation({
      dataDir,
      gateway,
      clock,
      log,
      checks,
      run,
      leases: store.leases,
      connections: workspace.connections,
    }),
  );
  // No import runs before this server listens.
  clearSpool(dataDir);
  const serverExports = resources.add(
    createServerExports({
      dataDir,
      gateway,
      clock,
      log,
      service,
      store,
      connections: workspace.connections,
      maxBody: settings.maxBody,
    }),
  );
  const erasures = createErasures({
    target: engine.place,
    list: erasureList,
    finder,
    clock,
    onErased() {
      validation.relations.wake();
      serverExports.dropFiles();
    },
  });
  const undo: UndoDependencies = {
    store,
    service,
    clock,
    base: () => base() + fhirPath,
    async onRemoved(records) {
      for (const record of records) changes.note(record);
      validation.relations.wake();
      await finder.erase(records);
    },
  };
  const damage = resources.add(
    createDamage({ store, notes: workspace.damage, clock, scheduleEvery, log, ...engine.damage }),
  );
  const search = createSearch({ store, run, erasures: erasureList, requireSubject: settings.requireSubject });
  // Closes after the last request, but before resources that may be slow to close.
  resources.add(audit);
  return {
    service,
    damage,
    erasures,
    packages,

    /** Resumes interrupted work, then listens. */
    serve: async (front: Front) => {
      const { pageFolder, certificate, port } = options;
      const startTokenHash = options.token === undefined ? undefined : hashToken(options.token);
      const tokens: TokenLookup = (sha256) => {
        if (sha256 === startTokenHash) return front.bearer?.() ?? owner;
        front.refuseStale?.();
        return workspace.sessions.find(sha256) ?? workspace.tokens.find(sha256);
      };
      const isTokenValid = (sha256: string) => {
        if (sha256 === startTokenHash) return true;
        try {
          front.refuseStale?.();
          return workspace.sessions.isTaken(sha256) || typeof workspace.tokens.find(sha256) === 'object';
        } catch {
          // Without a current copy of the tokens the server rejects requests, too.
          return false;
        }
      };
      const app = createApp({
        service,
        store,
        workspace,
        changes,
        finder,
        erasures,
        undo,
        damage,
        packages,
        gateway,
        remote,
        serverExports,
        rebuilder,
        checks,
        profiles,
        measureService,
        search,
        tokens,
        isTokenValid,
        audit,
        clock,
        base,
        settings,
        log,
        dataDir,
        pageFolder,
        maxBody: settings.maxBody,
        onRequest: pace.asked,
        version: appVersion,
        startTime: new Date(clock()).toISOString(),
        codes: front.codes,
        state: front.state,
        additionalRoutes: front.additionalRoutes,
        meters: front.meters ?? [],
        openId: options.openId?.(base),
      });
      await erasures.settle();
      await packages.begin();
      await front.begin?.();
      const server = createListener(front.before?.(app, tokens) ?? app, settings.listen, certificate);
      const scheme = certificate === undefined ? 'http' : 'https';
      origin = await listen(server, { address: settings.listen, port }, scheme);
      resources.add({ close: () => stop(server) });
      resources.add(changes);
      storeServerAddress(dataDir, base());
      resources.add({ close: () => removeAddressFile(dataDir) });
      validation.wake();
      remote.wake();
      serverExports.wake();
      return {
        /** `http://127.0.0.1:<port>`, unless the settings name another address. */
        origin,
        service,
        validation,
        damage,
        /** Creates a code with every scope that works once (core/app/sign-in.ts). */
        signInCode: async () => (await front.codes.issue(owner)).code,
        /** Drops the tokens of remote servers. The next request obtains new tokens. */
        signOut: () => gateway.signOut(),
      };
    },
  };
}
