/**
 * What the page and `/app/connections` say to each other about remote servers. No secret is ever in it: a secret is
 * sent once, to `PUT /app/connections/{id}/secret`, and never answered. The local server is not among them.
 */

export const connectionColours = [
  'gray',
  'red',
  'pink',
  'grape',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
] as const;
export type ConnectionColour = (typeof connectionColours)[number];

/** What the gateway lets pass: reads alone; writes that name the host; everything. */
export const connectionModes = ['read-only', 'confirm', 'normal'] as const;
export type ConnectionMode = (typeof connectionModes)[number];

export const patchTypes = ['application/json-patch+json', 'application/json'] as const;
export type PatchType = (typeof patchTypes)[number];

export const assertionAlgorithms = ['RS384', 'ES384'] as const;
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];

/** How tokens are asked for; endpoints are found at `.well-known/smart-configuration` where none is typed. */
interface OAuthSettings {
  readonly clientId: string;
  /** Scopes, separated by spaces; a default by kind where absent. */
  readonly scope?: string;
  readonly tokenEndpoint?: string;
}

export type Authentication =
  | { readonly kind: 'none' }
  /** The secret is the token. */
  | { readonly kind: 'bearer' }
  /** The secret is the client's. */
  | ({ readonly kind: 'client-credentials' } & OAuthSettings)
  /** SMART Backend Services; the secret is a private key, PEM or JWK. */
  | ({
      readonly kind: 'smart-backend';
      readonly algorithm: AssertionAlgorithm;
      readonly keyId?: string;
    } & OAuthSettings)
  /** Sign-in in the system's browser, with PKCE; a secret only where the client has one. */
  | ({ readonly kind: 'authorization-code'; readonly authorizationEndpoint?: string } & OAuthSettings);

export const authenticationKinds = [
  'none',
  'bearer',
  'client-credentials',
  'smart-backend',
  'authorization-code',
] as const satisfies readonly Authentication['kind'][];

/** `POST /app/connections` and `PUT /app/connections/{id}`. */
export interface ConnectionSettings {
  readonly name: string;
  /** In its normal form; see {@link readBaseUrl} in base-url.ts. */
  readonly baseUrl: string;
  readonly colour: ConnectionColour;
  readonly mode: ConnectionMode;
  readonly authentication: Authentication;
  /** Absolute path of a PEM file on the server's machine, trusted beside the public authorities. */
  readonly caFile?: string;
  /** For a whole request. */
  readonly timeoutSeconds: number;
  /** What the remote server calls the search parameter `encounter`. */
  readonly encounterParameter: string;
  readonly patchType: PatchType;
}

export interface Connection extends ConnectionSettings {
  readonly id: string;
}

/** Whether requests will carry credentials, and what is to be done where they will not. */
const accessStates = ['open', 'ready', 'needs-secret', 'needs-sign-in', 'signing-in'] as const;
export type AccessState = (typeof accessStates)[number];

/** An item of `GET /app/connections`. */
export interface ConnectionSummary extends Connection {
  readonly host: string;
  readonly secretSet: boolean;
  readonly access: AccessState;
  /** Why the last sign-in or token request failed, in a sentence. */
  readonly accessFault?: string;
}

/** What keeps the secrets: memory until the end of the session, a file, or the system's keychain. */
export const secretBackends = ['session', 'file', 'system'] as const;
export type SecretBackend = (typeof secretBackends)[number];

/** `GET /app/connections`. */
export interface ConnectionList {
  readonly secrets: SecretBackend;
  readonly connections: readonly ConnectionSummary[];
}

/** `POST /app/connections/{id}/sign-in`: open `address` in the system's browser, then look at `access`. */
export interface SignInStarted {
  readonly address: string;
  /** Instant, UTC. */
  readonly ends: string;
}

/** `POST /app/connections/{id}/test`. */
export type ConnectionTest =
  | { readonly ok: false; readonly text: string; readonly ms: number }
  | {
      readonly ok: true;
      readonly ms: number;
      readonly software?: string;
      readonly version?: string;
      readonly fhirVersion?: string;
      readonly formats: readonly string[];
      /** By type: what the server announces; a type that is absent is not announced. */
      readonly types: Readonly<Record<string, AnnouncedType>>;
      /** What is odd or missing, in sentences; empty where all that the workbench needs is announced. */
      readonly remarks: readonly string[];
    };

export interface AnnouncedType {
  /** `no-version`, `versioned` or `versioned-update` (ETags are required); absent where nothing is said. */
  readonly versioning?: string;
  readonly patch: boolean;
  readonly history: boolean;
  readonly create: boolean;
  readonly update: boolean;
}

/** Names the host of the connection in a write that the steward confirmed, where the mode is `confirm`. */
export const confirmedHeader = 'X-Chartkeeper-Confirmed';

/** Id of the connection, on each answer that the gateway gave; answers about the local token lack it. */
export const connectionHeader = 'X-Chartkeeper-Connection';

/** `true` on an answer to a write of which it is not known whether the remote server did it. */
export const unconfirmedHeader = 'X-Chartkeeper-Unconfirmed';

export const connectionLimits = {
  name: 60,
  text: 500,
  secret: 20_000,
  connections: 50,
  timeout: { least: 1, most: 300, initial: 30 },
} as const;

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isConnectionList(value: unknown): value is ConnectionList {
  return (
    isFields(value) &&
    secretBackends.some((one) => one === value.secrets) &&
    Array.isArray(value.connections) &&
    value.connections.every(isConnectionSummary)
  );
}

export function isConnectionSummary(value: unknown): value is ConnectionSummary {
  return (
    isFields(value) &&
    ['id', 'name', 'baseUrl', 'host', 'encounterParameter'].every(
      (name) => typeof value[name] === 'string',
    ) &&
    typeof value.secretSet === 'boolean' &&
    typeof value.timeoutSeconds === 'number' &&
    isFields(value.authentication) &&
    accessStates.some((one) => one === value.access) &&
    connectionColours.some((one) => one === value.colour) &&
    connectionModes.some((one) => one === value.mode) &&
    patchTypes.some((one) => one === value.patchType)
  );
}

export function isSignInStarted(value: unknown): value is SignInStarted {
  return isFields(value) && typeof value.address === 'string' && typeof value.ends === 'string';
}

export function isConnectionTest(value: unknown): value is ConnectionTest {
  if (!isFields(value) || typeof value.ms !== 'number') return false;
  if (value.ok === false) return typeof value.text === 'string';
  return (
    value.ok === true && Array.isArray(value.formats) && isFields(value.types) && Array.isArray(value.remarks)
  );
}
