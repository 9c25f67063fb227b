/**
 * Runs the documented commands and addresses of the previous release against this build. The fixtures come
 * from a checkout of that release: its tables of commands, flags, routes and rules, the examples of its
 * docs/api.md, and the names in its responses to `scripts/testing/previous-requests.ts`, which runs in that
 * checkout without changes. Additions are fine.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestHeaders, responseHeaders } from '../core/api/headers.ts';
import { auditActions } from '../core/app/audit.ts';
import { commands as pageCommands } from '../core/app/commands.ts';
import { fixes } from '../core/fhir/fixes/fixes.ts';
import { rules } from '../core/fhir/validation/rules.ts';
import { commandLine } from '../server/commands/commands.ts';
import { readFlags } from '../server/commands/read-flags.ts';
import { folderExitCodes } from '../server/sqlite/data-folder-error.ts';
import { runCli } from '../server/testing/run-cli.ts';
import { startTestServer, type TestServer } from '../server/testing/test-server.ts';
import { root } from './bundles.ts';
import { sendExamples, sendRequests, sendSearches, type Example } from './testing/previous-requests.ts';
import type { ResponseNames } from './testing/request-recorder.ts';

/** Response of the previous release. Headers that all responses have are in `commonHeaders`. */
interface PreviousResponse {
  readonly status: number;
  readonly headers?: string;
  readonly members?: string;
}

type PreviousResponses = Readonly<Record<string, PreviousResponse>>;

interface PreviousRelease {
  /** Value of each flag: true for a switch. A name with `?` is an optional argument. */
  readonly commands: readonly {
    readonly command: string;
    readonly arguments: readonly string[];
    readonly flags: Readonly<Record<string, string | true>>;
  }[];
  readonly settings: readonly { readonly flag: string; readonly variable: string; readonly sample: string }[];
  readonly documentedCommands: readonly string[];
  readonly packageScripts: readonly string[];
  readonly exitCodes: Readonly<Record<string, number>>;
  readonly addresses: readonly { readonly address: string; readonly success: number }[];
  readonly headers: readonly string[];
  readonly commonHeaders: readonly string[];
  readonly examples: readonly Example[];
  readonly searches: readonly string[];
  readonly rules: readonly string[];
  readonly fixes: readonly string[];
  readonly pageCommands: readonly string[];
  readonly auditActions: readonly string[];
  /** Names in code style in docs/api.md. */
  readonly words: readonly string[];
}

const readFixture = (name: string) =>
  JSON.parse(readFileSync(join(root, 'scripts/fixtures', name), 'utf8')) as unknown;
const release = readFixture('previous-release.json') as PreviousRelease;
const responses = readFixture('previous-responses.json') as Readonly<
  Record<'requests' | 'examples', PreviousResponses>
>;

let server: TestServer;
let requests: ReadonlyMap<string, ResponseNames>;
let examples: ReadonlyMap<string, ResponseNames>;
let failedSearches: Readonly<Record<string, number>>;
let wrongRuns: readonly unknown[];

type Run = readonly [exitCode: number, ...parameters: string[]];

/** Runs commands one after the other, and returns the commands with another exit code. */
async function runAll(runs: readonly Run[]): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  for (const [expected, ...parameters] of runs) {
    const result = await runCli(parameters);
    if (result.code !== expected) wrong.push({ parameters, expected, ...result });
  }
  return wrong;
}

/** Runs the commands on folders of their own, with the flags and exit codes of the previous release. */
async function runCommands(servedFolder: string): Promise<readonly unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-previous-'));
  const write = (name: string, text: string, mode = 0o600) => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  const records = write(
    'a.ndjson',
    '{"resourceType":"CarePlan","id":"a","status":"actve","intent":"plan"}\n',
  );
  const settings = join(folder, 'settings');
  const key = ['--audit-key-file', write('key', 'k'.repeat(40))];
  const data = ['--data', join(folder, 'data')];
  const otherData = ['--data', join(folder, 'other')];
  const scope = ['--scope', 'system/*.read', '--expires', '90d'];
  const serve = ['serve', '--port', '0', ...otherData, '--token-file'];
  const wrong = await Promise.all([
    runAll([
      [1, 'import', '--keep-ids', records, ...data, ...key],
      [0, 'import', '--keep-ids', '--level', 'off', records, ...data, ...key],
      [0, 'backup', '--second-backups', folder, ...data, ...key],
      [0, 'repair', '--write', '--from', records, ...data, ...key],
      [0, 'erase', 'CarePlan/a', '--reason', 'Asked for.', ...data, ...key],
      [0, 'restore', ...data, ...key],
      [0, 'reindex', ...data],
      [0, 'verify', ...data, ...key],
    ]),
    runAll([
      [0, 'token', 'create', '--name', 'lab', ...scope, ...otherData],
      [1, 'token', 'revoke', 'absent', ...otherData],
      [0, 'settings', 'export', settings, ...otherData],
      [0, 'settings', 'import', settings, '--dry-run', ...otherData],
      [1, 'packages', 'add', records, ...otherData],
      [10, 'verify', '--data', records],
      [20, 'token', 'list', '--data', records],
      [11, 'verify', '--data', servedFolder],
      [30, ...serve, write('open', 'x'.repeat(40), 0o644)],
      [31, ...serve, write('weak', 'short')],
    ]),
  ]);
  rmSync(folder, { recursive: true, force: true });
  return wrong.flat();
}

beforeAll(async () => {
  // Some requests are wrong on purpose: their faults in the log are expected.
  server = await startTestServer({ metrics: true, failureLimit: Infinity }, () => undefined);
  const runs = runCommands(server.dataDir);
  examples = await sendExamples(server, release.examples);
  failedSearches = await sendSearches(server, release.searches);
  await server.send('POST', '/app/training/reset', '{"others":1000}');
  requests = await sendRequests(server);
  wrongRuns = await runs;
});
afterAll(() => server.remove());

const split = (names = ''): readonly string[] => names.split(' ').filter(Boolean);

/** Returns the status and the names that a response no longer has. */
function findLost(previous: PreviousResponse, current: ResponseNames | undefined): readonly string[] {
  if (current === undefined) return ['not sent'];
  const members = new Set(split(current.members));
  const headers = new Set(split(current.headers));
  return [
    ...(current.status === previous.status ? [] : [`status ${previous.status}, now ${current.status}`]),
    ...split(previous.headers).flatMap((name) => (headers.has(name) ? [] : [`header ${name}`])),
    ...split(previous.members).flatMap((name) => (members.has(name) ? [] : [`member ${name}`])),
  ];
}

function findChanged(
  previous: PreviousResponses,
  current: ReadonlyMap<string, ResponseNames>,
): Record<string, readonly string[]> {
  const losses = Object.entries(previous).map(
    ([name, response]) => [name, findLost(response, current.get(name))] as const,
  );
  return Object.fromEntries(losses.filter(([, names]) => names.length > 0));
}

describe('addresses', () => {
  test('serves each documented address with its method', async () => {
    const missing: string[] = [];
    // The gateway does not list the methods of other servers.
    for (const { address } of release.addresses.filter(({ address }) => !address.startsWith('any '))) {
      const [method = '', path = ''] = address.split(' ');
      const samplePath = path.replace('{type}', 'CarePlan').replaceAll(/\{\w+\}|\*/g, 'x');
      const { headers } = await server.send('OPTIONS', samplePath);
      const methods = (headers.get('allow') ?? '').split(', ');
      if (!methods.includes(method)) missing.push(address);
    }
    expect(missing).toEqual([]);
  });

  test('responds to each documented address with the documented status', () => {
    // These lines name a loss and a damage, which a healthy store does not have.
    const unavailable = ['POST /app/losses/{id}/read', 'POST /app/damage/{type}/{id}/mend'];
    const failures = release.addresses.filter(({ address, success }) => {
      const name = address.replace(/^any /, 'GET ');
      const expected = unavailable.includes(address) ? 404 : success;
      return ![...requests].some(
        ([key, { status }]) => `${key} `.startsWith(`${name} `) && status === expected,
      );
    });
    expect(failures).toEqual([]);
  });

  test('returns the statuses, headers and members of the previous release', () => {
    expect(findChanged(responses.requests, requests)).toEqual({});
  });

  test('returns the headers that every response had', () => {
    const losses = [...requests].flatMap(([name, { headers }]) =>
      headers.includes(' ') && release.commonHeaders.some((header) => !split(headers).includes(header))
        ? [name]
        : [],
    );
    expect(losses).toEqual([]);
  });

  test('responds to the examples of docs/api.md with every member', () => {
    expect(release.examples.length).toBeGreaterThan(14);
    expect(findChanged(responses.examples, examples)).toEqual({});
  });

  test('accepts each documented search parameter, modifier and prefix', () => {
    expect(release.searches.length).toBeGreaterThan(100);
    expect(failedSearches).toEqual({});
  });
});

/** Returns the command of a name such as `token create`. */
function findCommand(name: string, program = commandLine()): Command {
  return name.split(' ').reduce((parent, part) => {
    const command = parent.commands.find((candidate) => candidate.name() === part);
    if (!command) throw new Error(`There is no command ${name}.`);
    return command;
  }, program);
}

/** Parses a command line without running the command, and returns its options. */
async function parse(name: string, parameters: readonly string[]): Promise<Record<string, unknown>> {
  const program = commandLine();
  const command = findCommand(name, program);
  for (let current: Command | null = command; current; current = current.parent) {
    current.exitOverride().configureOutput({ writeErr: () => undefined });
  }
  command.action(() => undefined);
  await program.parseAsync(['node', 'chartkeeper', ...name.split(' '), ...parameters]);
  return command.opts();
}

/** Splits a documented command line as a shell does. Variables and `$(…)` stay as they are. */
function splitShell(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
}

describe('command line', () => {
  test.each(release.commands)(
    'accepts each documented flag of $command',
    async ({ command, flags, arguments: names }) => {
      const flagParameters = Object.entries(flags).flatMap(([flag, value]) =>
        value === true ? [flag] : [flag, value],
      );
      const parameters = names.flatMap((name) => (name.endsWith('?') ? [] : ['/argument']));
      const options = await parse(command, [...parameters, ...flagParameters]);
      expect(Object.keys(options).length).toBeGreaterThanOrEqual(Object.keys(flags).length);
      const help = findCommand(command).helpInformation();
      for (const [flag, value] of Object.entries(flags))
        expect(help).toMatch(new RegExp(`${flag}${value === true ? '(?! <)' : ' <'}`));
    },
  );

  test.each(release.documentedCommands)('accepts %s', async (line) => {
    const words = splitShell(
      line.replace(/^(?:\w+='[^']*' )?(?:npm run (?:chartkeeper --|(?=serve))|chartkeeper)/, ''),
    );
    const parts = words.filter((word) => word !== '--');
    const count =
      parts.length > 1 && !parts[1]?.startsWith('-') && /^(?:token|packages|settings)$/.test(parts[0] ?? '')
        ? 2
        : 1;
    const name = parts.slice(0, count).join(' ');
    if (parts.length === count || parts.includes('--help')) expect(findCommand(name)).toBeDefined();
    else await parse(name, parts.slice(count));
  });

  test.each(release.settings)('reads $variable as $flag', ({ flag, variable, sample }) => {
    const property = flag.slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const fromVariable = readFlags({}, { [variable]: sample });
    expect(fromVariable).not.toEqual(readFlags({}, {}));
    expect(fromVariable).toEqual(readFlags({ [property]: sample }, {}));
  });

  test('keeps the exit codes of data folders', () => {
    expect(folderExitCodes).toMatchObject(release.exitCodes);
  });

  test('keeps the documented package scripts', () => {
    const text = readFileSync(join(root, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(text) as { readonly scripts: Readonly<Record<string, string>> };
    expect(release.packageScripts.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('runs the documented commands with their flags and exit codes', () => {
    expect(wrongRuns).toEqual([]);
  });
});

describe('names', () => {
  test.each([
    ['header', [...requestHeaders, ...responseHeaders].map(({ name }) => name), release.headers],
    ['rule', rules.map(({ id }) => id), release.rules],
    ['quick fix', fixes.map(({ rule }) => rule), release.fixes],
    ['command of the page', pageCommands.map(({ id }) => id), release.pageCommands],
    ['action of the audit log', auditActions, release.auditActions],
  ])('keeps each %s', (_, current: readonly string[], previous: readonly string[]) => {
    expect(previous.length).toBeGreaterThan(5);
    expect(previous.filter((name) => !current.includes(name))).toEqual([]);
  });

  test('documents each name that docs/api.md documented', () => {
    const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
    expect(release.words.length).toBeGreaterThan(400);
    expect(release.words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
  });
});
