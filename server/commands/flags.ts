/**
 * Table of the flags of `serve`. Source of --help, environment variables, settings and documentation. Used by the command
 * line. A flag overrides its variable, and the variable overrides the default.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { definitionOf, resourceTypes } from '../../core/fhir/resource.ts';
import { validationLevels } from '../../core/fhir/validation/levels.ts';
import { formatList } from '../../core/text/language.ts';
import { logFormats } from '../log-lines.ts';
import {
  addressOf,
  parseEach,
  hostOf,
  instantOf,
  parseLast,
  parseOneOf,
  originOf,
  portOf,
  positive,
  publicUrlOf,
  switchOf,
  textOf,
  environmentVariableOf,
  wholeNumber,
} from './flag-values.ts';
import { defaultSettings, type ServerSettings } from '../settings.ts';

export interface FlagDescription {
  /** Name on the command line, without leading hyphens. */
  readonly name: string;
  /** Name of the argument. Absent for a switch. */
  readonly argument?: string;
  readonly text: string;
  readonly repeatable?: true;
  /** Description of the default, if its value is not clear by itself. */
  readonly unset?: string;
}

export interface Flag<Value> extends FlagDescription {
  readonly defaultValue: Value;
  readonly parse: (texts: readonly string[]) => Value;
}

/** Types whose searches can require a patient. */
const typesWithSubject = formatList(
  resourceTypes
    .map(definitionOf)
    .flatMap((definition) => (definition.needsSubject === true ? [definition.name] : [])),
  'disjunction',
);

const table = {
  port: {
    name: 'port',
    argument: 'NUMBER',
    defaultValue: 4180,
    parse: parseLast(portOf),
    text: 'Port; 0 picks a free one.',
  },
  listen: {
    name: 'listen',
    argument: 'ADDRESS',
    defaultValue: defaultSettings.listen,
    parse: parseLast(addressOf),
    text: 'IP address to listen on. If other computers can reach it, a certificate and --allow-host are required.',
  },
  tlsCert: {
    name: 'tls-cert',
    argument: 'FILE',
    defaultValue: undefined,
    unset: 'plain HTTP',
    parse: parseLast(textOf),
    text: 'PEM file with the certificate chain. Enables HTTPS only.',
  },
  tlsKey: {
    name: 'tls-key',
    argument: 'FILE',
    defaultValue: undefined,
    unset: 'none',
    parse: parseLast(textOf),
    text: 'PEM file with the certificate’s private key, readable only by its owner.',
  },
  data: {
    name: 'data',
    argument: 'DIR',
    defaultValue: defaultDataDir(),
    unset: 'the system’s folder for program data',
    parse: parseLast(textOf),
    text: 'Folder for records.db and workspace.db.',
  },
  store: {
    name: 'store',
    argument: 'ADDRESS',
    defaultValue: undefined,
    unset: 'records.db in the data folder',
    parse: parseLast(textOf),
    text: 'PostgreSQL store shared by servers: postgres://USER@HOST:PORT/DATABASE; see docs/shared-store.md.',
  },
  secondBackups: {
    name: 'second-backups',
    argument: 'DIR',
    defaultValue: undefined,
    unset: 'the one set last, or none',
    parse: parseLast(textOf),
    text: 'Folder on another disk to copy each backup to.',
  },
  startEmpty: {
    name: 'start-empty',
    defaultValue: false,
    parse: parseLast(switchOf),
    text: 'Start an empty clinic if records.db is missing but its backups exist.',
  },
  tokenFile: {
    name: 'token-file',
    argument: 'FILE',
    defaultValue: undefined,
    unset: 'no token besides those of sign-ins',
    parse: parseLast(textOf),
    text: 'File with a full-access token for programs; created if missing. Refused if other accounts can read it or it has fewer than 32 characters.',
  },
  secrets: {
    name: 'secrets',
    argument: 'FILE',
    defaultValue: undefined,
    unset: 'kept until the server stops',
    parse: parseLast(textOf),
    text: 'File for the secrets of connections to other servers, readable only by its owner.',
  },
  auditKeyFile: {
    name: 'audit-key-file',
    argument: 'FILE',
    defaultValue: undefined,
    unset: 'seals without a key',
    parse: parseLast(textOf),
    text: 'File with the key that seals the audit log, readable only by its owner; created if missing.',
  },
  openid: {
    name: 'openid',
    argument: 'FILE',
    defaultValue: undefined,
    unset: 'sign-in links only',
    parse: parseLast(textOf),
    text: 'JSON file with the OpenID provider for sign-in and the scopes of each role. Needs HTTPS.',
  },
  browser: {
    name: 'browser',
    defaultValue: false,
    parse: parseLast(switchOf),
    text: 'Also open the page in Chromium, Chrome or Edge, and stop when that window is closed.',
  },
  demo: {
    name: 'demo',
    defaultValue: false,
    parse: parseLast(switchOf),
    text: 'Load the demo clinic first.',
  },
  seed: {
    name: 'seed',
    argument: 'NUMBER',
    defaultValue: 1,
    parse: parseLast(wholeNumber),
    text: 'Seed of the demo.',
  },
  clock: {
    name: 'clock',
    argument: 'INSTANT',
    defaultValue: undefined,
    unset: 'the system’s clock',
    parse: parseLast(instantOf),
    text: 'Fixed time for records and checks, for tests. Needs --demo.',
  },
  publicUrl: {
    name: 'public-url',
    argument: 'URL',
    defaultValue: defaultSettings.publicUrl,
    unset: 'the address listened on',
    parse: parseLast(publicUrlOf),
    text: 'Base URL for fullUrl, Location and links, if clients use another address.',
  },
  validation: {
    name: 'validation',
    argument: 'LEVEL',
    defaultValue: defaultSettings.validation,
    parse: parseLast(parseOneOf(validationLevels)),
    text: 'off: JSON form only; standard: wrong content is refused, gaps are flagged; strict: both are refused.',
  },
  maxBody: {
    name: 'max-body',
    argument: 'BYTES',
    defaultValue: defaultSettings.maxBody,
    parse: parseLast(positive),
    text: 'Largest body of a request.',
  },
  rateLimit: {
    name: 'rate-limit',
    argument: 'N',
    defaultValue: defaultSettings.rateLimit,
    unset: 'no limit',
    parse: parseLast(positive),
    text: 'Requests per minute per token.',
  },
  requireIfMatch: {
    name: 'require-if-match',
    defaultValue: defaultSettings.requireIfMatch,
    parse: parseLast(switchOf),
    text: 'Refuse an update or patch without If-Match.',
  },
  requireSubject: {
    name: 'require-subject',
    defaultValue: defaultSettings.requireSubject,
    parse: parseLast(switchOf),
    text: `Refuse a search for ${typesWithSubject} records that doesn’t name a patient.`,
  },
  allowHosts: {
    name: 'allow-host',
    argument: 'NAME',
    repeatable: true,
    defaultValue: defaultSettings.allowHosts,
    parse: parseEach(hostOf),
    text: 'Additional host name to answer to, with a port or for every port.',
  },
  allowOrigins: {
    name: 'allow-origin',
    argument: 'ORIGIN',
    repeatable: true,
    defaultValue: defaultSettings.allowOrigins,
    parse: parseEach(originOf),
    text: 'Origin of another page that may call the API (CORS).',
  },
  logRequests: {
    name: 'log-requests',
    defaultValue: defaultSettings.logRequests,
    parse: parseLast(switchOf),
    text: 'Log each request on one line, without addresses, bodies and tokens.',
  },
  logFormat: {
    name: 'log-format',
    argument: 'FORMAT',
    defaultValue: 'text' as const,
    parse: parseLast(parseOneOf(logFormats)),
    text: 'text: one sentence per line; json: one object per line, for log collectors.',
  },
  metrics: {
    name: 'metrics',
    defaultValue: defaultSettings.metrics,
    parse: parseLast(switchOf),
    text: 'Answer GET /metrics, for Prometheus; it needs a token of any scope.',
  },
} satisfies Readonly<Record<string, Flag<unknown>>> & {
  readonly [Key in keyof Omit<ServerSettings, 'failureLimit' | 'landings'>]: Flag<ServerSettings[Key]>;
};

type Table = typeof table;

/** Values of the flags of `serve`: the parsed value or the default. */
export type ServeFlags = {
  readonly [Key in keyof Table]:
    | ReturnType<Table[Key]['parse']>
    | Extract<Table[Key]['defaultValue'], undefined>;
};

export const flags: { readonly [Key in keyof ServeFlags]: Flag<ServeFlags[Key]> } = table;

/** Row of a flag for --help and the documentation. */
export interface FlagRow {
  /** `--port` */
  readonly name: string;
  readonly argument?: string;
  /** True if the flag accepts several values: repeated, or separated by commas in the variable. */
  readonly repeatable: boolean;
  readonly variable: string;
  /** Description of the default. */
  readonly default: string;
  readonly text: string;
}

export const flagTable: readonly FlagRow[] = Object.values(flags).map((flag) => ({
  name: `--${flag.name}`,
  ...(flag.argument !== undefined && { argument: flag.argument }),
  repeatable: flag.repeatable === true,
  variable: environmentVariableOf(flag),
  default: flag.unset ?? (flag.repeatable === true ? 'none' : String(flag.defaultValue)),
  text: flag.text,
}));

/** Returns the default data folder: the folder of the system for program data. */
function defaultDataDir(platform: string = process.platform, env: NodeJS.ProcessEnv = process.env): string {
  if (platform === 'win32') return join(env.APPDATA ?? homedir(), 'Chartkeeper');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Chartkeeper');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'chartkeeper');
}
