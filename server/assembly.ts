/**
 * Puts a server together over a store and a workspace that are open: service, judging, HTTP. Called by start.ts and
 * start-shared.ts, which bring what their stores have of their own. Invariant: what is opened is closed, the last first.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Derivation } from '../core/derive/derivations.ts';
import { removeAddressFile, storeServerAddress } from './access/link-files.ts';
import { owner, type Principal, type TokenLookup } from './access/principal.ts';
import { hashToken } from './access/secret.ts';
import { appVersion } from './app-version.ts';
import { onTimer, type ScheduleEvery } from './backups/backups.ts';
import { createDamage, type DamageDependencies } from './damage/damage.ts';
import { createErasures, type ErasureDependencies } from './erasures/erasures.ts';
import type { Changes } from './fhir/changes.ts';
import { createSearch } from './fhir/search.ts';
import { createService } from './fhir/service.ts';
import type { Finder } from './find/finder.ts';
import { createGateway } from './gateway/gateway.ts';
import type { ProxyChoice } from './gateway/proxy.ts';
import { sessionSecrets, type SecretStore } from './gateway/secrets.ts';
import { createApp, type HttpDependencies } from './http/app.ts';
import type { Audit } from './http/audit-recorder.ts';
import type { CheckDependencies } from './validation/checks.ts';
import { createValidation, type Validation, type JudgingParts } from './validation/validation-service.ts';
import type { WorkScheduler } from './validation/work-scheduler.ts';
import type { ConformanceSource } from './validation/profiles.ts';
import { textPool } from './validation/text-pool.ts';
import { createListener, listen, stop, type Certificate } from './listener.ts';
import type { Log } from './log-lines.ts';
import { createOpenId, type OpenIdDependencies } from './openid/openid.ts';
import type { OpenIdSettings } from './openid/openid-file.ts';
import { createPackages, type PackagesParts } from './packages/packages.ts';
import { createRemoteValidation } from './remote/remote-validation.ts';
import { defaultSettings, type ServerSettings } from './settings.ts';
import type { SealKey } from './store/audit-chain.ts';
import type { Workspace } from './workspace/workspace.ts';

/** What every server is told. */
export interface ServerOptions {
  readonly dataDir: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** A token with every scope, where one is to hold beside what people sign in with. */
  readonly token?: string | undefined;
  readonly pageFolder: string;
  readonly log: Log;
  /** Where secrets of connections are kept; for the session where absent. */
  readonly secrets?: SecretStore;
  /** Needed where other machines reach the address listened on. */
  readonly certificate?: Certificate | undefined;
  /** Of the audit trail's seals; without one they are hashes. */
  readonly auditKey?: SealKey | undefined;
  /** Runs what is to be done again and again; by a real timer where absent. */
  readonly every?: ScheduleEvery;
  /** Now, in milliseconds since 1970, for what is written and judged; that of the store's machine where absent. */
  readonly clock?: () => number;
  /** Which derivations the rows of the records are to be of; this program's where absent. */
  readonly derivations?: readonly Derivation[];
  /** Within which stewards' checks are asked; the usual ones where absent. */
  readonly checks?: CheckDependencies['limits'];
  /** Where the definitions of profiles come from; the packages that are at hand where absent. */
  readonly conformance?: ConformanceSource;
  /** The provider that people sign in at; none where absent. */
  readonly openId?: OpenIdSettings | undefined;
  /** Beside the defaults. */
  readonly settings?: Partial<ServerSettings>;
}

/** Keeps what is open of a server, each part to be closed before those that it was made of. */
export interface Opened {
  add<Part extends { close(): unknown }>(part: Part): Part;
}

/**
 * Opens a server, and closes it with all that is open of it; that too where the work fails. A part that fails to close
 * keeps no other open.
 */
export async function opening<Server extends object>(
  work: (opened: Opened) => Promise<Server>,
): Promise<Server & { close(): Promise<void> }> {
  const parts: { close(): unknown }[] = [];
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll(parts.toReversed()));
  const add: Opened['add'] = (part) => {
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

/** Closes one part after the other, and tells the first fault at the end. */
async function closeAll(parts: readonly { close(): unknown }[]): Promise<void> {
  const faults: unknown[] = [];
  for (const part of parts) {
    try {
      await part.close();
    } catch (error) {
      faults.push(error);
    }
  }
  for (const fault of faults) throw fault;
}

/** What a store brings, and what works over it in its own way. */
export interface Engine {
  readonly store: JudgingParts['store'];
  readonly workspace: Workspace;
  readonly clock: () => number;
  readonly audit: Audit;
  readonly changes: Changes;
  readonly finder: Finder;
  /** Where erased records are to go from. */
  readonly place: ErasureDependencies['target'];
  readonly pace: WorkScheduler;
  /** The system's proxy for an address. */
  readonly systemProxy: ProxyChoice;
  readonly packages?: Pick<PackagesParts, 'shared'>;
  readonly judging?: Pick<JudgingParts, 'refresh'>;
  readonly damage?: Pick<DamageDependencies, 'listCopies' | 'onOpened'>;
}

/** How a server is asked. */
interface Front extends Pick<HttpDependencies, 'codes' | 'state' | 'additionalRoutes'> {
  readonly meters?: HttpDependencies['meters'];
  /** Who bears the token that the server was started with. */
  readonly bearer: () => Principal;
  /** Throws where it is not known whom a token stands for. */
  readonly refuseStale?: () => void;
  readonly signIns: Pick<OpenIdDependencies, 'clock' | 'pendingSignIns'>;
  /** What stands before the application. */
  readonly before?: (app: RequestListener, tokens: TokenLookup) => RequestListener;
  /** Done before it listens. */
  readonly begin?: () => Promise<void>;
}

/** Makes the parts behind the addresses; `serve` has them asked. */
export function assemble(options: ServerOptions, opened: Opened, engine: Engine) {
  const { dataDir, log, every = onTimer } = options;
  const { store, workspace, clock, audit, changes, finder, pace } = engine;
  const settings = { ...defaultSettings, ...options.settings };
  const { validation: level, requireIfMatch } = settings;
  const erased = workspace.erasures;
  const threads = opened.add(textPool());
  const { run } = threads;
  const service = createService({
    store,
    clock,
    newId: randomUUID,
    run,
    erased,
    level,
    requireIfMatch,
    onStored(version) {
      changes.note(version);
      judging.onVersionStored();
    },
  });
  let origin = '';
  const base = () => settings.publicUrl ?? origin;
  const gateway = opened.add(
    createGateway({
      secrets: options.secrets ?? sessionSecrets(),
      proxies: { getDefaultProxy: () => workspace.proxy(), system: engine.systemProxy },
      base,
    }),
  );
  const packages = opened.add(createPackages({ dataDir, log, ...engine.packages }));
  const judging: Validation = opened.add(
    createValidation({
      store,
      definitions: workspace.checks,
      clock,
      pace,
      scheduleEvery: every,
      log,
      limits: options.checks,
      onProgress: changes.noteFindings,
      profiles: { source: options.conformance ?? packages, getSelectedProfiles: workspace.chosenProfiles },
      base,
      ...engine.judging,
    }),
  );
  const { rebuilder, checks, profiles, measuring } = judging;
  workspace.onPreferences(() => checks.wake());
  const remote = opened.add(
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
  const erasures = createErasures({
    target: engine.place,
    list: erased,
    finder,
    clock,
    onErased: () => judging.relations.wake(),
  });
  const damage = opened.add(
    createDamage({ store, notes: workspace.damage, clock, scheduleEvery: every, log, ...engine.damage }),
  );
  const search = createSearch({ store, run, erased, requireSubject: settings.requireSubject });
  // Behind the last request, and before what may take its time to close.
  opened.add(audit);
  return {
    service,
    damage,
    erasures,
    packages,

    /** Listens, and goes on with what was under way when the server ended last. */
    serve: async (front: Front) => {
      const { pageFolder, certificate, port } = options;
      const ownHash = options.token === undefined ? undefined : hashToken(options.token);
      const tokens: TokenLookup = (sha256) => {
        if (sha256 === ownHash) return front.bearer();
        front.refuseStale?.();
        return workspace.sessions.find(sha256) ?? workspace.tokens.find(sha256);
      };
      const isTaken = (sha256: string) => {
        if (sha256 === ownHash) return true;
        try {
          front.refuseStale?.();
          return workspace.sessions.isTaken(sha256) || typeof workspace.tokens.find(sha256) === 'object';
        } catch {
          // Who cannot look refuses requests, too.
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
        damage,
        packages,
        gateway,
        remote,
        rebuilder,
        checks,
        profiles,
        measureService: measuring,
        search,
        tokens,
        isTokenValid: isTaken,
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
        openId: options.openId && createOpenId({ settings: options.openId, base, ...front.signIns }),
      });
      await erasures.settle();
      await packages.begin();
      await front.begin?.();
      const server = createListener(front.before?.(app, tokens) ?? app, settings.listen, certificate);
      const scheme = certificate === undefined ? 'http' : 'https';
      origin = await listen(server, { address: settings.listen, port }, scheme);
      opened.add({ close: () => stop(server) });
      opened.add(changes);
      storeServerAddress(dataDir, base());
      opened.add({ close: () => removeAddressFile(dataDir) });
      judging.wake();
      remote.wake();
      return {
        /** `http://127.0.0.1:<port>`, unless the settings name another address. */
        origin,
        service,
        judging,
        damage,
        /** A new code with every scope, which works once (core/app/sign-in.ts). */
        signInCode: async () => (await front.codes.issue(owner)).code,
        /** Forgets the tokens of remote servers; the next request asks for others. */
        signOut: () => gateway.signOut(),
      };
    },
  };
}
