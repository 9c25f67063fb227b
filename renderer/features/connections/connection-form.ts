import { check } from '../../../core/app/check.ts';
import { checkConnection, DefaultProxy as CheckedProxy } from '../../../core/app/connection-check.ts';
import { connectionLimits } from '../../../core/app/connection-limits.ts';
import { parseBaseUrl } from '../../../core/app/base-url.ts';
import { movedSecrets, type SecretKind } from '../../../core/app/secret-places.ts';
import type {
  AssertionAlgorithm,
  Authentication,
  ClientCertificate,
  ConnectionColor,
  ConnectionMode,
  ConnectionSettings,
  DefaultProxy,
  Environment,
  PatchType,
  Proxy,
} from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';

/** Form fields of the secrets, by the server name of each secret. */
export const secretFields = {
  secret: 'secret',
  proxy: 'proxySecret',
  certificate: 'certificateSecret',
} as const;

export const emptyForm = {
  name: '',
  baseUrl: '',
  colour: 'violet' as ConnectionColor,
  /** Empty if not specified. */
  environment: '' as Environment | '',
  mode: 'read-only' as ConnectionMode,
  kind: 'none' as Authentication['kind'],
  clientId: '',
  scope: '',
  tokenEndpoint: '',
  authorizationEndpoint: '',
  algorithm: 'RS384' as AssertionAlgorithm,
  keyId: '',
  secret: '',
  caFile: '',
  proxyKind: 'default' as Proxy['kind'],
  proxyUrl: '',
  proxyUser: '',
  proxySecret: '',
  certificateKind: 'none' as 'none' | ClientCertificate['kind'],
  certificateFile: '',
  keyFile: '',
  /** PKCS#12 file. */
  file: '',
  certificateSecret: '',
  timeoutSeconds: String(connectionLimits.timeout.initial),
  encounterParameter: 'encounter',
  patchType: 'application/json-patch+json' as PatchType,
};

/** A connection while it is edited. The secret stays only until it is sent, and is never returned. */
export type ConnectionForm = Readonly<typeof emptyForm>;

/** Converts settings to a form. */
export function formOf(settings: ConnectionSettings): ConnectionForm {
  const {
    name,
    baseUrl,
    colour,
    environment = '',
    mode,
    authentication,
    caFile = '',
    encounterParameter,
    patchType,
  } = settings;
  const { kind, ...access } = authentication;
  const { kind: certificateKind = 'none', ...files } = settings.clientCertificate ?? {};
  const { proxy } = settings;
  return {
    ...emptyForm,
    name,
    baseUrl,
    colour,
    environment,
    mode,
    kind,
    caFile,
    encounterParameter,
    patchType,
    ...access,
    certificateKind,
    ...files,
    ...formOfProxy(proxy),
    timeoutSeconds: String(settings.timeoutSeconds),
  };
}

/** Creates the form of a copied connection, with a unique name and without secrets. */
export function copyOf(settings: ConnectionSettings, usedNames: readonly string[]): ConnectionForm {
  const names = new Set(usedNames.map((name) => name.toLowerCase()));
  const { copyName } = text.connection;
  const nameOf = (number: number) => {
    const maxLength = connectionLimits.name - copyName('', number).length;
    return copyName(settings.name.slice(0, maxLength), number);
  };
  let number = 1;
  while (names.has(nameOf(number).toLowerCase())) number += 1;
  return { ...formOf(settings), name: nameOf(number) };
}

/** Fields of each authentication besides its secret. */
export const accessFields = {
  none: [],
  bearer: [],
  'client-credentials': ['clientId', 'scope', 'tokenEndpoint'],
  'smart-backend': ['clientId', 'algorithm', 'keyId', 'scope', 'tokenEndpoint'],
  'authorization-code': ['clientId', 'scope', 'authorizationEndpoint', 'tokenEndpoint'],
} as const satisfies Record<Authentication['kind'], readonly (keyof ConnectionForm)[]>;

export const certificateFields = {
  none: [],
  pem: ['certificateFile', 'keyFile'],
  pkcs12: ['file'],
} as const satisfies Record<ConnectionForm['certificateKind'], readonly (keyof ConnectionForm)[]>;

/** Converts a proxy to form fields. */
export function formOfProxy(proxy: Proxy): Pick<ConnectionForm, 'proxyKind' | 'proxyUrl' | 'proxyUser'> {
  const { url = '', user = '' } = proxy.kind === 'address' ? proxy : {};
  return { proxyKind: proxy.kind, proxyUrl: url, proxyUser: user };
}

/** Parses the default proxy of a form, or returns its problems. */
export function readProxy(
  form: Pick<ConnectionForm, 'proxyKind' | 'proxyUrl' | 'proxyUser'>,
): { readonly value: DefaultProxy } | { readonly problems: FormProblems } {
  const result = check(CheckedProxy, proxyOf(form.proxyKind, form));
  if ('value' in result) return result;
  return { problems: problemsAt(result.problems, 'proxy.') };
}

export type FormProblems = Readonly<Record<string, string>>;

/** Parses the settings of a form, or returns its problems. */
export function settingsOf(
  form: ConnectionForm,
): { readonly settings: ConnectionSettings } | { readonly problems: FormProblems } {
  const { name, baseUrl, colour, mode, kind, caFile, encounterParameter, patchType } = form;
  const access = accessFields[kind].flatMap((field): [string, string][] =>
    form[field].trim() === '' ? [] : [[field, form[field].trim()]],
  );
  const { certificateKind, environment, proxyKind } = form;
  const files = certificateFields[certificateKind].map((field) => [field, form[field].trim()] as const);
  const result = checkConnection({
    name: name.trim(),
    baseUrl,
    colour,
    mode,
    patchType,
    ...(environment !== '' && { environment }),
    authentication: { kind, ...Object.fromEntries(access) },
    ...(caFile.trim() !== '' && { caFile: caFile.trim() }),
    proxy: proxyOf(proxyKind, form),
    ...(certificateKind !== 'none' && {
      clientCertificate: { kind: certificateKind, ...Object.fromEntries(files) },
    }),
    timeoutSeconds: Number(form.timeoutSeconds),
    encounterParameter: encounterParameter.trim(),
  });
  if ('value' in result) return { settings: result.value };
  return { problems: problemsAt(result.problems) };
}

/** Returns the completed address of a server; undefined if it equals the input. */
export function completedUrl(input: string): string | undefined {
  const parsed = parseBaseUrl(input);
  return 'problem' in parsed || parsed.text === input.trim() ? undefined : parsed.text;
}

function proxyOf(
  kind: Proxy['kind'],
  { proxyUrl, proxyUser }: Pick<ConnectionForm, 'proxyUrl' | 'proxyUser'>,
): Record<string, string> {
  if (kind !== 'address') return { kind };
  const user = proxyUser.trim();
  return { kind, url: proxyUrl.trim(), ...(user !== '' && { user }) };
}

const fieldsByMember: Readonly<Record<string, string>> = {
  'proxy.url': 'proxyUrl',
  'proxy.user': 'proxyUser',
};

/** Maps problems to their form fields. `prefix` is prepended to their member paths. */
export function problemsAt(
  problems: readonly { readonly text: string; readonly expression?: string }[],
  prefix = '',
): FormProblems {
  return Object.fromEntries(
    problems.map(({ text, expression = '' }) => [
      fieldOf(prefix + expression.replace('settings.', '')),
      text,
    ]),
  );
}

/** The field of a form that a member of the settings stands in. */
function fieldOf(member: string): string {
  return fieldsByMember[member] ?? member.replace(/^(?:authentication|clientCertificate)\./, '');
}

/** Returns true if a stored secret will be dropped: it is bound to one server and one use. */
export function dropsSecret(
  form: ConnectionForm,
  savedSettings: ConnectionSettings,
  kind: SecretKind,
): boolean {
  const result = settingsOf(form);
  return !('problems' in result) && movedSecrets(savedSettings, result.settings).includes(kind);
}

export interface FieldsProps {
  readonly form: ConnectionForm;
  readonly problems: FormProblems;
  readonly onChange: (change: Partial<ConnectionForm>) => void;
}
