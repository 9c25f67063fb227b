import * as v from 'valibot';
import { members } from '../json/shape.ts';
import { endpointProblem, readBaseUrl } from './base-url.ts';
import { check, line, type Check } from './check.ts';
import {
  assertionAlgorithms,
  authenticationKinds,
  connectionColours,
  connectionLimits,
  connectionModes,
  environments,
  patchTypes,
  type ConnectionSettings,
} from './connections.ts';

const { name: nameLimit, text: textLimit, timeout } = connectionLimits;

/** Reads the settings of a connection: in their normal form, with defaults, or one problem for each fault. */
export function checkConnection(value: unknown): Check<ConnectionSettings> {
  return check(Settings, value);
}

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

// What must be there is blank where it is left out, so that its own rule is what is said of it.
const oauth = {
  clientId: v.optional(line(textLimit, 'Enter the client id that the server knows.'), ''),
  scope: v.exactOptional(text('scope')),
  tokenEndpoint: endpoint('tokenEndpoint'),
};

const kindRule = `kind is one of ${authenticationKinds.join(', ')}.`;

const Authentication = v.pipe(
  v.message(members, kindRule),
  v.transform((sent) => Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))),
  v.variant(
    'kind',
    [
      only({ kind: v.literal('none') }),
      only({ kind: v.literal('bearer') }),
      only({ kind: v.literal('client-credentials'), ...oauth }),
      only({
        kind: v.literal('smart-backend'),
        algorithm: v.optional(oneOf('algorithm', assertionAlgorithms), 'RS384'),
        keyId: v.exactOptional(text('keyId')),
        ...oauth,
      }),
      only({
        kind: v.literal('authorization-code'),
        authorizationEndpoint: endpoint('authorizationEndpoint'),
        ...oauth,
      }),
    ],
    kindRule,
  ),
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
  only({ kind: v.literal('system') }),
  only({ kind: v.literal('none') }),
  only({
    kind: v.literal('address'),
    url: ProxyUrl,
    user: v.exactOptional(v.pipe(line(textLimit, userRule), v.regex(/^[^:]*$/, userRule))),
  }),
] as const;

/** Reads the proxy that connections use which name none. */
export const DefaultProxy = v.variant('kind', proxies, 'The proxy is one of system, none, address.');

const Proxy = v.variant(
  'kind',
  [only({ kind: v.literal('default') }), ...proxies],
  'The proxy is one of default, system, none, address.',
);

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

const Settings = v.pipe(
  v.message(members, 'Send one JSON object with name and baseUrl.'),
  only({
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
    caFile: v.exactOptional(line(textLimit, 'caFile is the absolute path of a PEM file.')),
    proxy: v.nullish(Proxy, { kind: 'default' }),
    clientCertificate: v.exactOptional(ClientCertificate),
    timeoutSeconds: v.optional(
      v.message(
        v.pipe(v.number(), v.integer(), v.minValue(timeout.least), v.maxValue(timeout.most)),
        `The time limit is ${timeout.least} to ${timeout.most} whole seconds.`,
      ),
      timeout.initial,
    ),
    encounterParameter: v.optional(
      v.message(
        v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9._-]{0,63}$/)),
        'The encounter parameter is the name of a search parameter, such as encounter.',
      ),
      'encounter',
    ),
    patchType: v.nullish(oneOf('patchType', patchTypes), patchTypes[0]),
  }),
);
