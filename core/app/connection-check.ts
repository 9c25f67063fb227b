import * as v from 'valibot';
import { members } from '../json/shape.ts';
import { endpointProblem, readBaseUrl } from './base-url.ts';
import { check, line } from './check.ts';
import { connectionLimits } from './connection-limits.ts';

/** What a connection is told apart by, in plain words; the page has a hue for each. */
export const connectionColours = [
  'gray',
  'red',
  'pink',
  'purple',
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

/** What a server is for; the page has a hue for each, and shows it where the work is. */
export const environments = ['production', 'test', 'training', 'development'] as const;

/** What the gateway lets pass: reads alone; writes that name the host; everything. */
export const connectionModes = ['read-only', 'confirm', 'normal'] as const;

export const patchTypes = ['application/json-patch+json', 'application/json'] as const;

export const assertionAlgorithms = ['RS384', 'ES384'] as const;

const { name: nameLimit, text: textLimit, timeout } = connectionLimits;

/** An object of these members alone. */
function only<Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ');
  return v.strictObject(entries, `Send nothing beside ${known}; a secret has an address of its own.`);
}

function oneOf<const Items extends readonly string[]>(name: string, items: Items) {
  return v.picklist(items, `${name} is one of ${items.join(', ')}.`);
}

function text(name: string) {
  return line(textLimit, `${name} is text of at most ${textLimit} characters.`);
}

function endpoint(name: string) {
  return v.exactOptional(
    v.pipe(
      text(name),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? endpointProblem(dataset.value) : undefined;
        if (problem !== undefined) addIssue({ message: problem });
      }),
    ),
  );
}

/**
 * How tokens are asked for; endpoints are found at `.well-known/smart-configuration` where none is typed. What must be there
 * is blank where it is left out, so that its own rule is what is said of it.
 */
const oauth = {
  clientId: v.optional(line(textLimit, 'Enter the client id that the server knows.'), ''),
  /** Scopes, separated by spaces; a default by kind where absent. */
  scope: v.exactOptional(text('scope')),
  tokenEndpoint: endpoint('tokenEndpoint'),
};

const authentications = [
  only({ kind: v.literal('none') }),
  /** The secret is the token. */
  only({ kind: v.literal('bearer') }),
  /** The secret is the client's. */
  only({ kind: v.literal('client-credentials'), ...oauth }),
  /** SMART Backend Services; the secret is a private key, PEM or JWK. */
  only({
    kind: v.literal('smart-backend'),
    algorithm: v.optional(oneOf('algorithm', assertionAlgorithms), 'RS384'),
    keyId: v.exactOptional(text('keyId')),
    ...oauth,
  }),
  /** Sign-in in the system's browser, with PKCE; a secret only where the client has one. */
  only({
    kind: v.literal('authorization-code'),
    authorizationEndpoint: endpoint('authorizationEndpoint'),
    ...oauth,
  }),
] as const;

export const authenticationKinds = authentications.map(({ entries }) => entries.kind.literal);

const kindRule = `kind is one of ${authenticationKinds.join(', ')}.`;

const Authentication = v.pipe(
  v.message(members, kindRule),
  v.transform((sent) => Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))),
  v.variant('kind', authentications, kindRule),
);

const proxyRule =
  'The proxy is an address such as http://proxy.example.org:3128, without user, password or path.';

const proxyForm = /^http:\/\/(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9][0-9]{0,4}))?\/?$/i;

/** A proxy's address; it speaks HTTP, whatever goes through it. */
const ProxyUrl = v.pipe(
  text('url'),
  v.check((url) => Number(proxyForm.exec(url)?.[2] ?? (proxyForm.test(url) ? 80 : NaN)) <= 65_535, proxyRule),
);

const userRule = `The proxy's user is at most ${textLimit} characters without a colon.`;
const proxies = [
  /** As the desktop shell reads the system's settings; without one as HTTPS_PROXY and NO_PROXY say. */
  only({ kind: v.literal('system') }),
  only({ kind: v.literal('none') }),
  /** It takes CONNECT; its password is a secret. */
  only({
    kind: v.literal('address'),
    url: ProxyUrl,
    user: v.exactOptional(v.pipe(line(textLimit, userRule), v.regex(/^[^:]*$/, userRule))),
  }),
] as const;

/** Reads the proxy that connections use which name none. */
export const DefaultProxy = v.variant('kind', proxies, 'The proxy is one of system, none, address.');

export const Proxy = v.variant(
  'kind',
  [only({ kind: v.literal('default') }), ...proxies],
  'The proxy is one of default, system, none, address.',
);

/** What the machine shows a server that asks who it is (TLS client authentication); a pass phrase is a secret. */
const ClientCertificate = v.variant(
  'kind',
  [
    only({
      kind: v.literal('pem'),
      certificateFile: line(textLimit, 'certificateFile is the absolute path of a PEM file.'),
      keyFile: line(textLimit, 'keyFile is the absolute path of a PEM file.'),
    }),
    only({
      kind: v.literal('pkcs12'),
      file: line(textLimit, 'file is the absolute path of a PKCS#12 file.'),
    }),
  ],
  'The client certificate is one of pem, pkcs12.',
);

const BaseUrl = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = readBaseUrl(dataset.value);
    if ('text' in read) return read.text;
    addIssue({ message: read.problem });
    return NEVER;
  }),
);

const nameRule = `A name is 1 to ${nameLimit} characters without control characters, and not Local.`;

/** `POST /app/connections` and `PUT /app/connections/{id}`. */
export const settings = only({
  name: v.optional(
    v.pipe(
      line(nameLimit, nameRule),
      v.check((name) => name.toLowerCase() !== 'local', nameRule),
    ),
    '',
  ),
  baseUrl: v.optional(BaseUrl, ''),
  colour: v.nullish(
    v.pipe(
      v.unknown(),
      // Purple under its former name, by which others may know it.
      v.transform((colour) => (colour === 'grape' ? 'purple' : colour)),
      oneOf('colour', connectionColours),
    ),
    'blue',
  ),
  environment: v.exactOptional(oneOf('environment', environments)),
  mode: v.nullish(oneOf('mode', connectionModes), 'read-only'),
  authentication: v.nullish(Authentication, { kind: 'none' }),
  /** Absolute path of a PEM file on the server's machine, trusted beside the public authorities. */
  caFile: v.exactOptional(line(textLimit, 'caFile is the absolute path of a PEM file.')),
  proxy: v.nullish(Proxy, { kind: 'default' }),
  clientCertificate: v.exactOptional(ClientCertificate),
  /** For a whole request. */
  timeoutSeconds: v.optional(
    v.message(
      v.pipe(v.number(), v.integer(), v.minValue(timeout.least), v.maxValue(timeout.most)),
      `The time limit is ${timeout.least} to ${timeout.most} whole seconds.`,
    ),
    timeout.initial,
  ),
  /** What the remote server calls the search parameter `encounter`. */
  encounterParameter: v.optional(
    v.message(
      v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9._-]{0,63}$/)),
      'The encounter parameter is the name of a search parameter, such as encounter.',
    ),
    'encounter',
  ),
  patchType: v.nullish(oneOf('patchType', patchTypes), patchTypes[0]),
});

const Settings = v.pipe(v.message(members, 'Send one JSON object with name and baseUrl.'), settings);

/** Reads the settings of a connection: in their normal form, with defaults, or one problem for each fault. */
export function checkConnection(value: unknown) {
  return check(Settings, value);
}
