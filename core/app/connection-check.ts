import * as v from 'valibot';
import { members } from '../json/shape.ts';
import { formatList } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { endpointProblem, readBaseUrl } from './base-url.ts';
import { check, codedText, line } from './check.ts';
import { connectionLimits } from './connection-limits.ts';

/** What a connection is told apart by, in plain words; the page has a hue for each. */
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

/** What a server is for; the page has a hue for each, and shows it where the work is. */
export const environments = ['production', 'test', 'training', 'development'] as const;

/** What the gateway lets pass: reads alone; writes that name the host; everything. */
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

/** An object of these members alone. */
function only<Entries extends v.ObjectEntries>(entries: Entries) {
  const known = formatList(Object.keys(entries));
  return v.strictObject(entries, codedText(messages.members({ members: known })));
}

function oneOf<const Items extends readonly string[]>(name: string, items: Items) {
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
        const problem = dataset.typed ? endpointProblem(dataset.value) : undefined;
        if (problem) addIssue({ message: codedText(problem) });
      }),
    ),
  );
}

/**
 * How tokens are asked for; endpoints are found at `.well-known/smart-configuration` where none is typed. What must be there
 * is blank where it is left out, so that its own rule is what is said of it.
 */
const oauth = {
  clientId: v.optional(line(textLimit, codedText(messages.clientId())), ''),
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

const kindRule = codedText(
  messages.oneOf({ name: 'kind', values: formatList(authenticationKinds, 'disjunction') }),
);

const Authentication = v.pipe(
  v.message(members, kindRule),
  v.transform((sent) => Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))),
  v.variant('kind', authentications, kindRule),
);

const proxyRule = codedText(messages.proxyUrl());

const proxyForm = /^http:\/\/(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9][0-9]{0,4}))?\/?$/i;

/** A proxy's address; it speaks HTTP, whatever goes through it. */
const ProxyUrl = v.pipe(
  text('url'),
  v.check((url) => Number(proxyForm.exec(url)?.[2] ?? (proxyForm.test(url) ? 80 : NaN)) <= 65_535, proxyRule),
);

const userRule = codedText(messages.proxyUser({ n: textLimit }));
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
export const DefaultProxy = v.variant('kind', proxies, codedText(messages.defaultProxy()));

export const Proxy = v.variant(
  'kind',
  [only({ kind: v.literal('default') }), ...proxies],
  codedText(messages.proxy()),
);

/** What the machine shows a server that asks who it is (TLS client authentication); a pass phrase is a secret. */
const ClientCertificate = v.variant(
  'kind',
  [
    only({
      kind: v.literal('pem'),
      certificateFile: pemFile('certificateFile'),
      keyFile: pemFile('keyFile'),
    }),
    only({
      kind: v.literal('pkcs12'),
      file: line(textLimit, codedText(messages.pkcs12File({ name: 'file' }))),
    }),
  ],
  codedText(messages.certificate()),
);

const BaseUrl = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = readBaseUrl(dataset.value);
    if ('text' in read) return read.text;
    addIssue({ message: codedText(read.problem) });
    return NEVER;
  }),
);

const nameRule = codedText(messages.name({ n: nameLimit }));

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
      oneOf('colour', connectionColors),
    ),
    'blue',
  ),
  environment: v.exactOptional(oneOf('environment', environments)),
  mode: v.nullish(oneOf('mode', connectionModes), 'read-only'),
  authentication: v.nullish(Authentication, { kind: 'none' }),
  /** Absolute path of a PEM file on the server's machine, trusted beside the public authorities. */
  caFile: v.exactOptional(pemFile('caFile')),
  proxy: v.nullish(Proxy, { kind: 'default' }),
  clientCertificate: v.exactOptional(ClientCertificate),
  /** For a whole request. */
  timeoutSeconds: v.optional(
    v.message(
      v.pipe(v.number(), v.integer(), v.minValue(timeout.least), v.maxValue(timeout.most)),
      codedText(messages.timeout({ least: timeout.least, most: timeout.most })),
    ),
    timeout.initial,
  ),
  /** What the remote server calls the search parameter `encounter`. */
  encounterParameter: v.optional(
    v.message(v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9._-]{0,63}$/)), codedText(messages.encounter())),
    'encounter',
  ),
  patchType: v.nullish(oneOf('patchType', patchTypes), patchTypes[0]),
});

const Settings = v.pipe(v.message(members, codedText(messages.body())), settings);

/** Reads the settings of a connection: in their normal form, with defaults, or one problem for each fault. */
export function checkConnection(value: unknown) {
  return check(Settings, value);
}
