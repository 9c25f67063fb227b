/**
 * What the page and `/app/connections` say to each other about remote servers. No secret is ever in it: a secret is
 * sent once, to `PUT /app/connections/{id}/secret`, and never answered. The local server is not among them.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { settings, type assertionAlgorithms, type environments } from './connection-check.ts';
import { connectionLimits } from './connection-limits.ts';

/** A connection as it is set up. */
export type ConnectionSettings = Shape<typeof settings>;
export type ConnectionColour = ConnectionSettings['colour'];
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
  /** Whether the proxy's password and the client certificate's pass phrase are kept. */
  proxySecretSet: v.boolean(),
  certificateSecretSet: v.boolean(),
  /** Whether requests will carry credentials, and what is to be done where they will not. */
  access: v.picklist(['open', 'ready', 'needs-secret', 'needs-sign-in', 'signing-in']),
  /** Why the last sign-in or token request failed, in a sentence. */
  accessFault: v.exactOptional(v.string()),
});
export type ConnectionSummary = Shape<typeof ConnectionSummary>;
export type AccessState = ConnectionSummary['access'];

/** Whether the server is reached without a further secret or sign-in. */
export function isEntered(access: AccessState): access is 'open' | 'ready' {
  return access === 'open' || access === 'ready';
}

/** What keeps the secrets: memory until the end of the session, a file, or the system's keychain. */
export const secretBackends = ['session', 'file', 'system'] as const;
export type SecretBackend = (typeof secretBackends)[number];

/** The secrets of a connection beside the one of its authentication, and what each is called where it is asked for. */
export const furtherSecrets = ['proxy', 'certificate'] as const;
export type FurtherSecret = (typeof furtherSecrets)[number];

/** `GET /app/connections`. */
export const ConnectionList = v.object({
  secrets: v.picklist(secretBackends),
  /** Whether the password of the default proxy is kept. */
  proxySecretSet: v.boolean(),
  connections: v.array(ConnectionSummary),
});
export type ConnectionList = Shape<typeof ConnectionList>;

/** `PUT /app/connections`: ids in the order that the list is to have; those that are not named follow in theirs. */
export const ConnectionOrder = v.strictObject({ order: v.array(v.string()) });

/** `POST /app/connections/{id}/sign-in`: open `address` in the system's browser, then look at `access`. */
export const SignInStarted = v.object({
  address: v.string(),
  /** Instant, UTC. */
  ends: v.string(),
});
export type SignInStarted = Shape<typeof SignInStarted>;

const AnnouncedType = v.object({
  /** `no-version`, `versioned` or `versioned-update` (ETags are required); absent where nothing is said. */
  versioning: v.exactOptional(v.string()),
  patch: v.boolean(),
  history: v.boolean(),
  create: v.boolean(),
  update: v.boolean(),
});
export type AnnouncedType = Shape<typeof AnnouncedType>;

/** What a test does, in this order. */
export const testSteps = ['name', 'proxy', 'connection', 'tls', 'authentication', 'fhir', 'rights'] as const;
export type TestStepName = (typeof testSteps)[number];

/** What a step came to: skipped where it is not needed, or one before it failed. */
export const TestStep = v.object({
  step: v.picklist(testSteps),
  outcome: v.picklist(['done', 'failed', 'skipped']),
  text: v.string(),
});
export type TestStep = Shape<typeof TestStep>;

/** `POST /app/connections/test` and `POST /app/connections/{id}/test`; neither changes anything. */
export const ConnectionTest = v.variant('ok', [
  v.object({ ok: v.literal(false), text: v.string(), ms: v.number(), steps: v.array(TestStep) }),
  v.object({
    ok: v.literal(true),
    ms: v.number(),
    steps: v.array(TestStep),
    software: v.exactOptional(v.string()),
    version: v.exactOptional(v.string()),
    fhirVersion: v.exactOptional(v.string()),
    formats: v.array(v.string()),
    /** By type: what the server announces; a type that is absent is not announced. */
    types: v.record(v.string(), AnnouncedType),
    /** What is odd or missing, in sentences; empty where all that the workbench needs is announced. */
    remarks: v.array(v.string()),
  }),
]);
export type ConnectionTest = Shape<typeof ConnectionTest>;

/** Names the host of the connection in a write that the steward confirmed, where the mode is `confirm`. */
export const confirmedHeader = 'X-Chartkeeper-Confirmed';

/** Id of the connection, on each answer that the gateway gave; answers about the local token lack it. */
export const connectionHeader = 'X-Chartkeeper-Connection';

/** `true` on an answer to a write of which it is not known whether the remote server did it. */
export const unconfirmedHeader = 'X-Chartkeeper-Unconfirmed';

const Secret = v.pipe(v.string(), v.maxLength(connectionLimits.secret), v.regex(/\S/));

/** `POST /app/connections/test`: a connection that is not stored; `settings` as `POST /app/connections` takes them. */
export const NewTest = v.object({
  settings: v.unknown(),
  /** Whose kept secrets are used where none is sent, as far as they still go to the same place. */
  id: v.exactOptional(v.string()),
  secrets: v.exactOptional(
    v.object({
      secret: v.exactOptional(Secret),
      proxy: v.exactOptional(Secret),
      certificate: v.exactOptional(Secret),
    }),
  ),
});

/** `PUT /app/connections/{id}/secret`, and below `secrets/` the further ones. */
export const NewSecret = v.object({ secret: Secret });
