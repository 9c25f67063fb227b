import * as v from 'valibot';
import { members } from '../json/shape.ts';
import { formatList } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { findEndpointProblem, parseBaseUrl } from './base-url.ts';
import { check, codedText, line } from './check.ts';
import { connectionLimits } from './connection-limits.ts';

/** Colors of connections. The page has a hue for each. */
export const connectionColors = [
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

/** Purposes of servers. The page has a hue for each and shows it beside the work. */
export const environments = ['production', 'test', 'training', 'development'] as const;

/** Requests that the gateway permits: reads only, writes that name the host, or all. */
export const connectionModes = ['read-only', 'confirm', 'normal'] as const;

export const patchTypes = ['application/json-patch+json', 'application/json'] as const;

export const assertionAlgorithms = ['RS384', 'ES384'] as const;

const { name: nameLimit, text: textLimit, timeout } = connectionLimits;

const messages = defineMessages('connection', {
  members: 'Send only {members}. Secrets have their own address.',
  oneOf: '{name} must be {values}.',
  length: '{name} can have at most {n} characters.',
  clientId: 'Enter the client ID.',
  proxyUrl: 'Enter the proxy as http://proxy.example.org:3128, without user, password or path.',
  proxyUser: 'The proxy user can have at most {n} characters and no colon.',
  defaultProxy: 'The proxy must be system, none or address.',
  proxy: 'The proxy must be default, system, none or address.',
  pemFile: '{name} must be the absolute path of a PEM file.',
  pkcs12File: '{name} must be the absolute path of a PKCS#12 file.',
  certificate: 'The client certificate must be pem or pkcs12.',
  name: 'A name must have 1 to {n} characters, no control characters, and can’t be Local.',
  timeout: 'The timeout must be {least} to {most} whole seconds.',
  encounter: 'The encounter parameter must be the name of a search parameter, such as encounter.',
  body: 'Send one JSON object with name and baseUrl.',
});

/** Returns a schema for an object without other members. */
function exactObject<Entries extends v.ObjectEntries>(entries: Entries) {
  const memberNames = formatList(Object.keys(entries));
  return v.strictObject(entries, codedText(messages.members({ members: memberNames })));
}

function pickFrom<const Items extends readonly string[]>(name: string, items: Items) {
  return v.picklist(items, codedText(messages.oneOf({ name, values: formatList(items, 'disjunction') })));
}

function text(name: string) {
  return line(textLimit, codedText(messages.length({ name, n: textLimit })));
}

function pemFile(name: string) {
  return line(textLimit, codedText(messages.pemFile({ name })));
}

function endpoint(name: string) {
  return v.exactOptional(
    v.pipe(
      text(name),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? findEndpointProblem(dataset.value) : undefined;
        if (problem) addIssue({ message: codedText(problem) });
      }),
    ),
  );
}

/**
 * Token request settings. Without endpoints, `.well-known/smart-configuration` names them. A missing required
 * member becomes blank, so that its own rule reports it.
 */
const oauth = {
  clientId: v.optional(line(textLimit, codedText(messages.clientId())), ''),
  /** Scopes, separated by spaces; absent for the default of the kind. */
  scope: v.exactOptional(text('scope')),
  tokenEndpoint: endpoint('tokenEndpoint'),
};

const authentications = [
  exactObject({ kind: v.literal('none') }),
  /** The secret is the token. */
  exactObject({ kind: v.literal('bearer') }),
  /** The secret is the client secret. */
  exactObject({ kind: v.literal('client-credentials'), ...oauth }),
  /** SMART Backend Services. The secret is a private key, PEM or JWK. */
  exactObject({
    kind: v.literal('smart-backend'),
    algorithm: v.optional(pickFrom('algorithm', assertionAlgorithms), 'RS384'),
    keyId: v.exactOptional(text('keyId')),
    ...oauth,
  }),
  /** Sign-in in the browser of the system, with PKCE. Only some clients have a secret. */
  exactObject({
    kind: v.literal('authorization-code'),
    authorizationEndpoint: endpoint('authorizationEndpoint'),
    ...oauth,
  }),
] as const;

export const authenticationKinds = authentications.map(({ entries }) => entries.kind.literal);

const kindRule = codedText(
  messages.oneOf({ name: 'kind', values: formatList(authenticationKinds, 'disjunction') }),
);

const Authentication = v.pipe(
  v.message(members, kindRule),
  v.transform((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''))),
  v.variant('kind', authentications, kindRule),
);

const proxyRule = codedText(messages.proxyUrl());

const proxyPattern =
  /^http:\/\/(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9][0-9]{0,4}))?\/?$/i;

/** Address of an HTTP proxy, for http and https targets. */
const ProxyUrl = v.pipe(
  text('url'),
  v.check(
    (url) => Number(proxyPattern.exec(url)?.[2] ?? (proxyPattern.test(url) ? 80 : NaN)) <= 65_535,
    proxyRule,
  ),
);

const userRule = codedText(messages.proxyUser({ n: textLimit }));
const proxies = [
  /** The desktop shell reads the system settings. Without a shell, HTTPS_PROXY and NO_PROXY apply. */
  exactObject({ kind: v.literal('system') }),
  exactObject({ kind: v.literal('none') }),
  /** Proxy with CONNECT. The password is a secret. */
  exactObject({
    kind: v.literal('address'),
    url: ProxyUrl,
    user: v.exactOptional(v.pipe(line(textLimit, userRule), v.regex(/^[^:]*$/, userRule))),
  }),
] as const;

/** Schema of the proxy for connections without their own. */
export const DefaultProxy = v.variant('kind', proxies, codedText(messages.defaultProxy()));

export const Proxy = v.variant(
  'kind',
  [exactObject({ kind: v.literal('default') }), ...proxies],
  codedText(messages.proxy()),
);

/** TLS client certificate. Its pass phrase is a secret. */
const ClientCertificate = v.variant(
  'kind',
  [
    exactObject({
      kind: v.literal('pem'),
      certificateFile: pemFile('certificateFile'),
      keyFile: pemFile('keyFile'),
    }),
    exactObject({
      kind: v.literal('pkcs12'),
      file: line(textLimit, codedText(messages.pkcs12File({ name: 'file' }))),
    }),
  ],
  codedText(messages.certificate()),
);

const BaseUrl = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const result = parseBaseUrl(dataset.value);
    if ('text' in result) return result.text;
    addIssue({ message: codedText(result.problem) });
    return NEVER;
  }),
);

const nameRule = codedText(messages.name({ n: nameLimit }));

/** `POST /app/connections` and `PUT /app/connections/{id}`. */
export const settings = exactObject({
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
      // Former name of purple, which other clients may still send.
      v.transform((colour) => (colour === 'grape' ? 'purple' : colour)),
      pickFrom('colour', connectionColors),
    ),
    'blue',
  ),
  environment: v.exactOptional(pickFrom('environment', environments)),
  mode: v.nullish(pickFrom('mode', connectionModes), 'read-only'),
  authentication: v.nullish(Authentication, { kind: 'none' }),
  /**
   * Absolute path of a PEM file on the server's machine. Its authorities are trusted in addition to the
   * public ones.
   */
  caFile: v.exactOptional(pemFile('caFile')),
  proxy: v.nullish(Proxy, { kind: 'default' }),
  clientCertificate: v.exactOptional(ClientCertificate),
  /** Limit for a whole request. */
  timeoutSeconds: v.optional(
    v.message(
      v.pipe(v.number(), v.integer(), v.minValue(timeout.least), v.maxValue(timeout.most)),
      codedText(messages.timeout({ least: timeout.least, most: timeout.most })),
    ),
    timeout.initial,
  ),
  /** Name of the search parameter `encounter` on the remote server. */
  encounterParameter: v.optional(
    v.message(v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9._-]{0,63}$/)), codedText(messages.encounter())),
    'encounter',
  ),
  patchType: v.nullish(pickFrom('patchType', patchTypes), patchTypes[0]),
});

const Settings = v.pipe(v.message(members, codedText(messages.body())), settings);

/**
 * Validates the settings of a connection.
 *
 * @returns The normal form with defaults, or one problem for each error.
 */
export function checkConnection(value: unknown) {
  return check(Settings, value);
}
