import { check } from '../../../core/app/check.ts';
import { checkConnection, DefaultProxy as CheckedProxy } from '../../../core/app/connection-check.ts';
import { connectionLimits } from '../../../core/app/connection-limits.ts';
import { readBaseUrl } from '../../../core/app/base-url.ts';
import { movedSecrets, type SecretKind } from '../../../core/app/secret-places.ts';
import type {
  AssertionAlgorithm,
  Authentication,
  ClientCertificate,
  ConnectionColour,
  ConnectionMode,
  ConnectionSettings,
  DefaultProxy,
  Environment,
  PatchType,
  Proxy,
} from '../../../core/app/connections.ts';

/** The secrets that a form may hold, by the name that each has on the server. */
export const secretFields = {
  secret: 'secret',
  proxy: 'proxySecret',
  certificate: 'certificateSecret',
} as const;

export const emptyForm = {
  name: '',
  baseUrl: '',
  colour: 'violet' as ConnectionColour,
  /** Blank where it is not said. */
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
  /** Of PKCS#12. */
  file: '',
  certificateSecret: '',
  timeoutSeconds: String(connectionLimits.timeout.initial),
  encounterParameter: 'encounter',
  patchType: 'application/json-patch+json' as PatchType,
};

/** A connection as it is being written. The secret is in it only until it is sent; it never comes back. */
export type ConnectionForm = Readonly<typeof emptyForm>;

/** The form of a connection that there is. */
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
    ...{ name, baseUrl, colour, environment, mode, kind, caFile, encounterParameter, patchType },
    ...access,
    ...{ certificateKind, ...files, ...formOfProxy(proxy) },
    timeoutSeconds: String(settings.timeoutSeconds),
  };
}

/** The form of a further connection like one that there is: with a name of its own, and without secrets. */
export function copyOf(settings: ConnectionSettings, taken: readonly string[]): ConnectionForm {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  const nameOf = (mark: string) => settings.name.slice(0, connectionLimits.name - mark.length) + mark;
  let name = nameOf(' copy');
  for (let next = 2; names.has(name.toLowerCase()); next += 1) name = nameOf(` copy ${next}`);
  return { ...formOf(settings), name };
}

/** The fields that each authentication has beside its secret. */
export const accessFields = {
  none: [],
  bearer: [],
  'client-credentials': ['clientId', 'scope', 'tokenEndpoint'],
  'smart-backend': ['clientId', 'algorithm', 'keyId', 'scope', 'tokenEndpoint'],
  'authorization-code': ['clientId', 'scope', 'authorizationEndpoint', 'tokenEndpoint'],
} as const satisfies Record<Authentication['kind'], readonly (keyof ConnectionForm)[]>;

/** The fields that each form of a client certificate has. */
export const certificateFields = {
  none: [],
  pem: ['certificateFile', 'keyFile'],
  pkcs12: ['file'],
} as const satisfies Record<ConnectionForm['certificateKind'], readonly (keyof ConnectionForm)[]>;

/** The fields of a proxy that there is. */
export function formOfProxy(proxy: Proxy): Pick<ConnectionForm, 'proxyKind' | 'proxyUrl' | 'proxyUser'> {
  const { url = '', user = '' } = proxy.kind === 'address' ? proxy : {};
  return { proxyKind: proxy.kind, proxyUrl: url, proxyUser: user };
}

/** The proxy of all connections that a form says, or what is wrong in it. */
export function readProxy(
  form: Pick<ConnectionForm, 'proxyKind' | 'proxyUrl' | 'proxyUser'>,
): { readonly value: DefaultProxy } | { readonly problems: FormProblems } {
  const read = check(CheckedProxy, proxyOf(form.proxyKind, form));
  if ('value' in read) return read;
  return { problems: problemsAt(read.problems, 'proxy.') };
}

/** What is wrong with a form, by the name that the settings give a field. */
export type FormProblems = Readonly<Record<string, string>>;

/** The settings that a form says, or what is wrong in it. */
export function settingsOf(
  form: ConnectionForm,
): { readonly settings: ConnectionSettings } | { readonly problems: FormProblems } {
  const { name, baseUrl, colour, mode, kind, caFile, encounterParameter, patchType } = form;
  const access = accessFields[kind].flatMap((field): [string, string][] =>
    form[field].trim() === '' ? [] : [[field, form[field].trim()]],
  );
  const { certificateKind, environment, proxyKind } = form;
  const files = certificateFields[certificateKind].map((field) => [field, form[field].trim()] as const);
  const read = checkConnection({
    ...{ name: name.trim(), baseUrl, colour, mode, patchType },
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
  if ('value' in read) return { settings: read.value };
  return { problems: problemsAt(read.problems) };
}

/** The address that requests go to, where it is not what was typed. */
export function completedUrl(typed: string): string | undefined {
  const read = readBaseUrl(typed);
  return 'problem' in read || read.text === typed.trim() ? undefined : read.text;
}

/** A proxy as a form says it. */
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

/** Problems by the field that each is about; `within` is what their members are of. */
export function problemsAt(
  problems: readonly { readonly text: string; readonly expression?: string }[],
  within = '',
): FormProblems {
  return Object.fromEntries(
    problems.map(({ text, expression = '' }) => [
      fieldOf(within + expression.replace('settings.', '')),
      text,
    ]),
  );
}

/** The field of a form that a member of the settings stands in. */
function fieldOf(member: string): string {
  return fieldsByMember[member] ?? member.replace(/^(?:authentication|clientCertificate)\./, '');
}

/** Whether a kept secret will be dropped: it belongs to one place and one way to use it. */
export function dropsSecret(form: ConnectionForm, kept: ConnectionSettings, kind: SecretKind): boolean {
  const read = settingsOf(form);
  return !('problems' in read) && movedSecrets(kept, read.settings).includes(kind);
}

/** What the fields of a form work on. */
export interface FieldsProps {
  readonly form: ConnectionForm;
  readonly problems: FormProblems;
  readonly onChange: (change: Partial<ConnectionForm>) => void;
}
