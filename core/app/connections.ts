/**
 * Data of `/app/connections`: remote servers. Responses never contain a secret; a secret is sent once, to
 * `PUT /app/connections/{id}/secret`. The list does not contain the local server.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { CodedMessage } from './coded-message.ts';
import { settings, type assertionAlgorithms, type environments } from './connection-check.ts';
import { connectionLimits } from './connection-limits.ts';

export type ConnectionSettings = Shape<typeof settings>;
export type ConnectionColor = ConnectionSettings['colour'];
export type Environment = (typeof environments)[number];
export type ConnectionMode = ConnectionSettings['mode'];
export type PatchType = ConnectionSettings['patchType'];
export type Authentication = ConnectionSettings['authentication'];
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];
export type Proxy = ConnectionSettings['proxy'];
export type DefaultProxy = Exclude<Proxy, { readonly kind: 'default' }>;
export type ClientCertificate = Exclude<ConnectionSettings['clientCertificate'], undefined>;

export interface Connection extends ConnectionSettings {
  readonly id: string;
}

/** An item of `GET /app/connections`. */
export const ConnectionSummary = v.object({
  ...settings.entries,
  id: v.string(),
  host: v.string(),
  secretSet: v.boolean(),
  /** True if the proxy's password and the client certificate's pass phrase are stored. */
  proxySecretSet: v.boolean(),
  certificateSecretSet: v.boolean(),
  /** Readiness of the credentials, and the next step if they are missing. */
  access: v.picklist(['open', 'ready', 'needs-secret', 'needs-sign-in', 'signing-in']),
  /** Reason of the last failed sign-in or token request, one sentence. */
  accessFault: v.exactOptional(v.string()),
  accessMessage: v.exactOptional(CodedMessage),
});
export type ConnectionSummary = Shape<typeof ConnectionSummary>;
export type AccessState = ConnectionSummary['access'];

/** Returns true if the server can be used without a further secret or sign-in. */
export function isEntered(access: AccessState): access is 'open' | 'ready' {
  return access === 'open' || access === 'ready';
}

/** Storage of secrets: memory until the session ends, a file, or the system's keychain. */
export const secretBackends = ['session', 'file', 'system'] as const;
export type SecretBackend = (typeof secretBackends)[number];

/** Secrets of a connection besides the secret of its authentication. */
export const furtherSecrets = ['proxy', 'certificate'] as const;
export type FurtherSecret = (typeof furtherSecrets)[number];

/** `GET /app/connections`. */
export const ConnectionList = v.object({
  secrets: v.picklist(secretBackends),
  /** True if the password of the default proxy is stored. */
  proxySecretSet: v.boolean(),
  connections: v.array(ConnectionSummary),
});
export type ConnectionList = Shape<typeof ConnectionList>;

/** Body of `PUT /app/connections`: ids in the new order. Other connections follow in their old order. */
export const ConnectionOrder = v.strictObject({ order: v.array(v.string()) });

/**
 * Response of `POST /app/connections/{id}/sign-in`. Open `address` in the system's browser, then poll
 * `access`.
 */
export const SignInStarted = v.object({
  address: v.string(),
  /** Instant, UTC. */
  ends: v.string(),
});
export type SignInStarted = Shape<typeof SignInStarted>;

const AnnouncedType = v.object({
  /**
   * `no-version`, `versioned` or `versioned-update` (ETags are required); absent if the server declares none.
   */
  versioning: v.exactOptional(v.string()),
  patch: v.boolean(),
  history: v.boolean(),
  create: v.boolean(),
  update: v.boolean(),
});
export type AnnouncedType = Shape<typeof AnnouncedType>;

/** Steps of a connection test, in order. */
export const testSteps = ['name', 'proxy', 'connection', 'tls', 'authentication', 'fhir', 'rights'] as const;
export type TestStepName = (typeof testSteps)[number];

/** Result of a step. It is skipped if it is not needed or an earlier step failed. */
export const TestStep = v.object({
  step: v.picklist(testSteps),
  outcome: v.picklist(['done', 'failed', 'skipped']),
  ...CodedMessage.entries,
});
export type TestStep = Shape<typeof TestStep>;

/**
 * Response of `POST /app/connections/test` and `POST /app/connections/{id}/test`. Neither changes stored
 * data.
 */
export const ConnectionTest = v.variant('ok', [
  v.object({ ok: v.literal(false), ...CodedMessage.entries, ms: v.number(), steps: v.array(TestStep) }),
  v.object({
    ok: v.literal(true),
    ms: v.number(),
    steps: v.array(TestStep),
    software: v.exactOptional(v.string()),
    version: v.exactOptional(v.string()),
    fhirVersion: v.exactOptional(v.string()),
    formats: v.array(v.string()),
    /** Capabilities by type. Types that the server does not declare are absent. */
    types: v.record(v.string(), AnnouncedType),
    /**
     * Missing or unusual capabilities, in sentences. Empty if the server declares all that the workbench
     * needs.
     */
    remarks: v.array(v.string()),
    /** The remarks with their codes, in the same order. */
    remarkMessages: v.exactOptional(v.array(CodedMessage)),
  }),
]);
export type ConnectionTest = Shape<typeof ConnectionTest>;

/** Names the host of the connection in a confirmed write, for the mode `confirm`. */
export const confirmedHeader = 'X-Chartkeeper-Confirmed';

/** Id of the connection, on each response of the gateway. Responses about the local token lack it. */
export const connectionHeader = 'X-Chartkeeper-Connection';

/** `true` on the response to a write if the result on the remote server is unknown. */
export const unconfirmedHeader = 'X-Chartkeeper-Unconfirmed';

const Secret = v.pipe(v.string(), v.maxLength(connectionLimits.secret), v.regex(/\S/));

/**
 * Body of `POST /app/connections/test`: a connection that is not stored. `settings` have the form of `POST
 * /app/connections`.
 */
export const NewTest = v.object({
  settings: v.unknown(),
  /** Connection whose stored secrets replace missing ones if their destination is the same. */
  id: v.exactOptional(v.string()),
  secrets: v.exactOptional(
    v.object({
      secret: v.exactOptional(Secret),
      proxy: v.exactOptional(Secret),
      certificate: v.exactOptional(Secret),
    }),
  ),
});

/** Body of `PUT /app/connections/{id}/secret` and of the addresses below `secrets/`. */
export const NewSecret = v.object({ secret: Secret });
