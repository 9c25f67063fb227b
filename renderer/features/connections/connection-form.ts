import { checkConnection } from '../../../core/app/connection-check.ts';
import { readBaseUrl } from '../../../core/app/base-url.ts';
import {
  connectionLimits,
  type AssertionAlgorithm,
  type Authentication,
  type ConnectionColour,
  type ConnectionMode,
  type ConnectionSettings,
  type PatchType,
} from '../../../core/app/connections.ts';

/** A connection as it is being written. The secret is in it only until it is sent; it never comes back. */
export interface ConnectionForm {
  readonly name: string;
  readonly baseUrl: string;
  readonly colour: ConnectionColour;
  readonly mode: ConnectionMode;
  readonly kind: Authentication['kind'];
  readonly clientId: string;
  readonly scope: string;
  readonly tokenEndpoint: string;
  readonly authorizationEndpoint: string;
  readonly algorithm: AssertionAlgorithm;
  readonly keyId: string;
  readonly secret: string;
  readonly caFile: string;
  readonly timeout: string;
  readonly encounterParameter: string;
  readonly patchType: PatchType;
}

export const emptyForm: ConnectionForm = {
  name: '',
  baseUrl: '',
  colour: 'violet',
  mode: 'read-only',
  kind: 'none',
  clientId: '',
  scope: '',
  tokenEndpoint: '',
  authorizationEndpoint: '',
  algorithm: 'RS384',
  keyId: '',
  secret: '',
  caFile: '',
  timeout: String(connectionLimits.timeout.initial),
  encounterParameter: 'encounter',
  patchType: 'application/json-patch+json',
};

/** The form of a connection that there is. */
export function formOf(settings: ConnectionSettings): ConnectionForm {
  const {
    name,
    baseUrl,
    colour,
    mode,
    authentication,
    caFile = '',
    encounterParameter,
    patchType,
  } = settings;
  const { kind, ...access } = authentication;
  return {
    ...emptyForm,
    ...{ name, baseUrl, colour, mode, kind, caFile, encounterParameter, patchType },
    ...access,
    timeout: String(settings.timeoutSeconds),
  };
}

/** The fields that each authentication has beside its secret. */
export const accessFields = {
  none: [],
  bearer: [],
  'client-credentials': ['clientId', 'scope', 'tokenEndpoint'],
  'smart-backend': ['clientId', 'algorithm', 'keyId', 'scope', 'tokenEndpoint'],
  'authorization-code': ['clientId', 'scope', 'authorizationEndpoint', 'tokenEndpoint'],
} as const satisfies Record<Authentication['kind'], readonly (keyof ConnectionForm)[]>;

/** What is wrong with a form, by the name that the settings give a field. */
export type FormProblems = Readonly<Record<string, string>>;

/** The settings that a form says, or what is wrong in it. */
export function settingsOf(
  form: ConnectionForm,
): { readonly settings: ConnectionSettings } | { readonly problems: FormProblems } {
  const { name, baseUrl, colour, mode, kind, caFile, timeout, encounterParameter, patchType } = form;
  const access = accessFields[kind].flatMap((field): [string, string][] =>
    form[field].trim() === '' ? [] : [[field, form[field].trim()]],
  );
  const check = checkConnection({
    ...{ name: name.trim(), baseUrl, colour, mode, patchType },
    authentication: { kind, ...Object.fromEntries(access) },
    ...(caFile.trim() !== '' && { caFile: caFile.trim() }),
    timeoutSeconds: Number(timeout),
    encounterParameter: encounterParameter.trim(),
  });
  if ('value' in check) return { settings: check.value };
  return {
    problems: Object.fromEntries(
      check.problems.map(({ text, expression = '' }) => [expression.replace('authentication.', ''), text]),
    ),
  };
}

/** The address that requests go to, where it is not what was typed. */
export function completedUrl(typed: string): string | undefined {
  const read = readBaseUrl(typed);
  return 'problem' in read || read.text === typed.trim() ? undefined : read.text;
}

/** Whether a kept secret will be dropped: it belongs to one server and one way to use it. */
export function dropsSecret(form: ConnectionForm, kept: ConnectionSettings): boolean {
  const read = settingsOf({ ...form, secret: '' });
  if ('problems' in read) return false;
  const place = ({ baseUrl, authentication }: ConnectionSettings) =>
    JSON.stringify([baseUrl, Object.entries(authentication).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return place(read.settings) !== place(kept);
}
