import type { Problem } from '../fhir/outcome.ts';
import { endpointProblem, readBaseUrl } from './base-url.ts';
import {
  assertionAlgorithms,
  authenticationKinds,
  connectionColours,
  connectionLimits,
  connectionModes,
  patchTypes,
  type Authentication,
  type ConnectionSettings,
} from './connections.ts';

export type ConnectionCheck =
  { readonly settings: ConnectionSettings } | { readonly problems: readonly Problem[] };

type Fields = Readonly<Record<string, unknown>>;

const { name: nameLimit, text: textLimit, timeout } = connectionLimits;

/** Reads the settings of a connection: in their normal form, with defaults, or one problem for each fault. */
export function checkConnection(value: unknown): ConnectionCheck {
  if (!isFields(value)) return { problems: [{ text: 'Send one JSON object with name and baseUrl.' }] };
  const problems: Problem[] = unknownMembers(value, members, '');
  const fault = (expression: string, text: string) => problems.push({ text, expression });
  const choose = <Item extends string>(name: string, items: readonly Item[], initial: Item): Item => {
    const found = items.find((item) => item === (value[name] ?? initial));
    if (found === undefined) fault(name, `${name} is one of ${items.join(', ')}.`);
    return found ?? initial;
  };
  const { name, timeoutSeconds = timeout.initial, encounterParameter = 'encounter', caFile } = value;
  if (!isName(name)) {
    fault('name', `A name is 1 to ${nameLimit} characters without control characters, and not Local.`);
  }
  const base = readBaseUrl(value.baseUrl);
  if ('problem' in base) fault('baseUrl', base.problem);
  if (!isTimeout(timeoutSeconds)) {
    fault('timeoutSeconds', `The time limit is ${timeout.least} to ${timeout.most} whole seconds.`);
  }
  if (typeof encounterParameter !== 'string' || !/^[A-Za-z][A-Za-z0-9._-]{0,63}$/.test(encounterParameter)) {
    fault(
      'encounterParameter',
      'The encounter parameter is the name of a search parameter, such as encounter.',
    );
  }
  if (caFile !== undefined && !isText(caFile)) fault('caFile', 'caFile is the absolute path of a PEM file.');
  const settings = {
    colour: choose('colour', connectionColours, 'blue'),
    mode: choose('mode', connectionModes, 'read-only'),
    patchType: choose('patchType', patchTypes, patchTypes[0]),
  };
  const authentication = checkAuthentication(value.authentication ?? { kind: 'none' }, problems);
  if (problems.length > 0 || !authentication || 'problem' in base) return { problems };
  return {
    settings: {
      name: String(name),
      baseUrl: base.text,
      ...settings,
      authentication,
      ...(typeof caFile === 'string' && { caFile }),
      timeoutSeconds: Number(timeoutSeconds),
      encounterParameter: String(encounterParameter),
    },
  };
}

const members = [
  'name',
  'baseUrl',
  'colour',
  'mode',
  'authentication',
  'caFile',
  'timeoutSeconds',
  'encounterParameter',
  'patchType',
];

const optionalTexts: Readonly<Record<Authentication['kind'], readonly string[]>> = {
  none: [],
  bearer: [],
  'client-credentials': ['scope', 'tokenEndpoint'],
  'smart-backend': ['scope', 'tokenEndpoint', 'keyId'],
  'authorization-code': ['scope', 'tokenEndpoint', 'authorizationEndpoint'],
};

/** Adds what is wrong to `problems`. */
function checkAuthentication(value: unknown, problems: Problem[]): Authentication | undefined {
  const before = problems.length;
  const kind = isFields(value) ? authenticationKinds.find((one) => one === value.kind) : undefined;
  if (!isFields(value) || kind === undefined) {
    problems.push({
      text: `kind is one of ${authenticationKinds.join(', ')}.`,
      expression: 'authentication.kind',
    });
    return undefined;
  }
  if (kind === 'none' || kind === 'bearer') {
    problems.push(...unknownMembers(value, ['kind'], 'authentication.'));
    return problems.length > before ? undefined : { kind };
  }
  const names = optionalTexts[kind];
  const allowed = ['kind', 'clientId', ...(kind === 'smart-backend' ? ['algorithm'] : []), ...names];
  problems.push(...unknownMembers(value, allowed, 'authentication.'));
  const { clientId, algorithm = 'RS384' } = value;
  if (!isText(clientId)) {
    problems.push({
      text: 'Enter the client id that the server knows.',
      expression: 'authentication.clientId',
    });
  }
  const chosen = assertionAlgorithms.find((one) => one === algorithm);
  if (kind === 'smart-backend' && chosen === undefined) {
    problems.push({
      text: `algorithm is one of ${assertionAlgorithms.join(', ')}.`,
      expression: 'authentication.algorithm',
    });
  }
  const texts = namedTexts(value, names, problems);
  if (problems.length > before || !isText(clientId)) return undefined;
  if (kind === 'smart-backend') return { kind, clientId, algorithm: chosen ?? 'RS384', ...texts };
  return { kind, clientId, ...texts };
}

/** The optional texts that stand there and are not empty. */
function namedTexts(value: Fields, names: readonly string[], problems: Problem[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const text = value[name];
    if (text === undefined || text === '') continue;
    const expression = `authentication.${name}`;
    if (!isText(text))
      problems.push({ text: `${name} is text of at most ${textLimit} characters.`, expression });
    else {
      const problem = name.endsWith('Endpoint') ? endpointProblem(text, expression) : undefined;
      if (problem) problems.push(problem);
      found[name] = text;
    }
  }
  return found;
}

function unknownMembers(value: Fields, known: readonly string[], prefix: string): Problem[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map(() => ({
      text: `Send nothing beside ${known.join(', ')}; a secret has an address of its own.`,
      ...(prefix !== '' && { expression: prefix.slice(0, -1) }),
    }))
    .slice(0, 1);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() !== value || value.toLowerCase() === 'local') return false;
  return value !== '' && value.length <= nameLimit && !/\p{C}/u.test(value);
}

function isText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() === value &&
    value !== '' &&
    value.length <= textLimit &&
    !/\p{C}/u.test(value)
  );
}

function isTimeout(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= timeout.least && value <= timeout.most
  );
}
