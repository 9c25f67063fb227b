/**
 * Writes docs/api.md: the tables of the contract, and for each operation a curl command with the response of
 * a real server. `npm run docs`.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { fhirPath, limits, matchRoute, routes, type Operation } from '../core/api/contract.ts';
import { requestHeaders, responseHeaders } from '../core/api/headers.ts';
import {
  datePrefixes,
  includeName,
  includesOf,
  modifierList,
  resultParameters,
  searchParametersOf,
} from '../core/fhir/search-parameters.ts';
import { fullScope } from '../core/app/scopes.ts';
import { faults } from '../core/fhir/outcome.ts';
import { resourceTypes } from '../core/fhir/resource.ts';
import { formatNode } from '../core/json/node.ts';
import { scan } from '../core/json/scan.ts';
import { flagTable } from '../server/commands/flags.ts';
import { createToken } from '../server/access/secret.ts';
import { pageFolder } from '../server/serve.ts';
import { startServer } from '../server/start.ts';
import { appSections, signInSection } from './app-addresses.ts';
import type { AppSection } from './app-section.ts';
import { root } from './bundles.ts';

const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  title: 'Walk daily',
  subject: { reference: 'Patient/demo-patient-001' },
};

/**
 * Path, body and headers of each operation's example. `{id}` is the record that the first example stored,
 * `{document}` a Composition.
 */
const examples: Readonly<
  Record<Operation, readonly [path: string, body?: unknown, headers?: Record<string, string>]>
> = {
  create: ['/CarePlan', plan],
  metadata: ['/metadata'],
  read: ['/CarePlan/{id}'],
  search: ['/CarePlan?subject=demo-patient-001&_count=1'],
  'search-post': ['/CarePlan/_search', 'subject=demo-patient-001&_count=1'],
  update: ['/CarePlan/{id}', { ...plan, title: 'Walk daily, 30 minutes' }, { 'If-Match': 'W/"1"' }],
  patch: [
    '/CarePlan/{id}',
    [{ op: 'replace', path: '/language', value: 'en-GB' }],
    { 'If-Match': 'W/"2"', 'Content-Type': 'application/json-patch+json' },
  ],
  validate: ['/CarePlan/$validate', { ...plan, status: 'walking' }],
  'validate-stored': ['/CarePlan/{id}/$validate'],
  'validate-instance': ['/CarePlan/{id}/$validate'],
  document: ['/Composition/{document}/$document'],
  'document-post': ['/Composition/{document}/$document'],
  'history-instance': ['/CarePlan/{id}/_history?_count=1'],
  'history-type': ['/CarePlan/_history?_count=1'],
  vread: ['/CarePlan/{id}/_history/1'],
};

/** Longest response that is shown completely, in lines. */
const maxLines = 40;

function shorten(text: string): string {
  const lines = formatNode(scan(text, 70).root).split('\n');
  if (lines.length <= maxLines) return lines.join('\n');
  return [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`].join('\n');
}

const formatCode = (text: string) => `\`${text}\``;

function formatTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [formatRow(headers), formatRow(headers.map(() => '---')), ...rows.map(formatRow)].join('\n');
}

/** Returns the row of a header, or of a parameter that shapes responses. */
function createRow(name: string, targets: readonly string[], text: string): string[] {
  return [formatCode(name), targets.join(', '), text];
}

/** Formats heading, text and table of a section of the addresses under `/app`. */
function formatSection(level: string, { title, text, rows }: AppSection): readonly string[] {
  const cells = Object.entries(rows).map(([key, description]) => {
    const [method = '', path = '', status = ''] = key.split(' ');
    return [`${method} \`${path}\``, status, description];
  });
  return [
    `${level} ${title}`,
    ...(text === undefined ? [] : [text]),
    formatTable(['Request', 'Success', 'Description'], cells),
  ];
}

/** Formats the part of the page that needs no server. A test compares it with the page. */
export function formatContract(): string {
  const included = resourceTypes.flatMap((type) =>
    includesOf[type].map((include) => includeName(type, include)),
  );
  const address = (path: string) => `\`${fhirPath}${path.replace(/:(\w+)/g, '{$1}')}\``;
  return [
    ...formatSection('##', signInSection),
    '## Operations',
    formatTable(
      ['Operation', 'Request', 'Body', 'Scope', 'Success', 'Description'],
      routes.map((route) => [
        route.operation,
        `${route.method} ${address(route.path)}`,
        route.consumes.map(formatCode).join(', '),
        route.access,
        String(route.success),
        route.text,
      ]),
    ),
    'Any other method is 405 with `Allow`; for a record, that is ' +
      `\`${matchRoute('/:type/:id')?.item.allow ?? ''}\`.`,
    'A response counts as a read. If a token may write but not read, POST and PUT return the body that was sent, with id and ' +
      'meta. PATCH, and a POST for which `If-None-Exist` found a record, return resourceType, id and meta, tagged ' +
      '`SUBSETTED`. `Prefer` does not change this.',
    '## Search parameters',
    'All parameters that R4 defines for the types, with its descriptions. Dates accept the prefixes ' +
      `${datePrefixes.map(formatCode).join(', ')}; a time without a zone is UTC, and ` +
      'fractions of a second are compared to the millisecond. `ge` and `le` find a period that overlaps the range, with or ' +
      'without an end. A reference is found by a bare ID or by any literal, a canonical with or without its version, and ' +
      'strings by their beginning, ignoring case and accents; `:text` by the beginning of a text or display.',
    ...resourceTypes.flatMap((type) => [
      `### ${type}`,
      formatTable(
        ['Name', 'Type', 'Modifiers', 'What it finds'],
        searchParametersOf(type).map((parameter) => [
          formatCode(parameter.name),
          parameter.type,
          modifierList(parameter.modifiers).map(formatCode).join(' '),
          parameter.text,
        ]),
      ),
    ]),
    '### Included records',
    `\`_include\` and \`_revinclude\` accept ${included.map(formatCode).join(', ')}. Included records follow the matches with the mode \`include\`, each once, and do not count in \`total\`. ` +
      `There are at most ${limits.page}; an entry with the mode \`outcome\` says if there are more. Other values are 400, ` +
      'and ignored with `Prefer: handling=lenient`, as are `_has` and chained parameters.',
    '### Response parameters',
    formatTable(
      ['Name', 'On', 'Description'],
      resultParameters.map(({ name, interactions, text }) => createRow(name, interactions, text)),
    ),
    '## Headers',
    formatTable(
      ['Request header', 'On', 'Meaning'],
      requestHeaders.map(({ name, operations, text }) => createRow(name, operations, text)),
    ),
    formatTable(
      ['Response header', 'On', 'Meaning'],
      responseHeaders.map(({ name, operations, text }) => createRow(name, operations, text)),
    ),
    '## Errors',
    'Every failure is an OperationOutcome. Its `id` is the request ID, also in `X-Request-Id`. `details.text` of an issue is a ' +
      'sentence in English, which may change. `details.coding` has a code that does not change: the name of the sentence, or the ' +
      'ID of a rule. Extensions of the coding are the parameters of the sentence, each with its name as `id`. A program that ' +
      'translates sentences needs only these.',
    formatTable(
      ['Status', 'Issue code', 'Kind'],
      Object.entries(faults).map(([kind, { status, code }]) => [String(status), `\`${code}\``, kind]),
    ),
    '## Limits',
    formatTable(
      ['Limit', 'Value'],
      Object.entries(limits).map(([name, value]) => [name, String(value)]),
    ),
    limitsText,
    '## Endpoints under `/app`',
    appText,
    ...appSections.flatMap((section) => formatSection('###', section)),
    '## Settings of `serve`',
    formatTable(
      ['Flag', 'Environment variable', 'Default', 'Meaning'],
      flagTable.map((flag) => [
        `\`${[flag.name, flag.argument && `<${flag.argument}>`].filter(Boolean).join(' ')}\``,
        `\`${flag.variable}\``,
        // Where records live differs from machine to machine.
        flag.name === '--data' ? 'the user’s data folder' : flag.default,
        flag.text,
      ]),
    ),
  ].join('\n\n');
}

const appText = `These endpoints serve the workbench, and any client with full access: each needs a token with the scope \`${fullScope}\`;
a narrower scope is 403. Bodies are JSON (\`Content-Type: application/json\`), and so are responses unless stated otherwise.
Members marked with ? are optional, or absent if they do not apply. Times are UTC instants; \`type\` is one
of ${resourceTypes.join(', ')}. An invalid body or parameter is 400, an unknown ID 404; 204 has no body.
If a section says so, \`X-Chartkeeper-Connection\` names a connection by ID; without it, the local server is used.`;

const limitsText = `Values are bytes, except values (JSON values of a body; in an import, of each record), matches, page and
patchOperations. The rest of a body over its limit is discarded, up to four times the limit or two seconds, so that the
413 arrives. A large Bundle and an export are sent in chunks, without a Content-Length; an error in them ends the connection.
If responses in progress have reached their limit, another large one is 503 with \`Retry-After\`. Small responses and
responses to writes are always sent. A client that reads nothing of a response for 30 s is disconnected.`;

async function formatExamples(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chartkeeper-docs-'));
  const token = createToken();
  const clock = () => Date.parse('2026-02-01T09:00:00Z');
  const server = await startServer({ dataDir, port: 0, token, pageFolder, clock, log: () => undefined });
  const document = await storeComposition(server.origin, token);
  let id = '';
  const parts: string[] = [];
  try {
    for (const [operation, [path, body, headers = {}]] of Object.entries(examples)) {
      const route = routes.find((candidate) => candidate.operation === operation);
      if (!route) throw new Error(`The contract has no ${operation}.`);
      const bodyText = typeof body === 'string' ? body : JSON.stringify(body);
      const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
      const allHeaders = { ...(body !== undefined && { 'Content-Type': type }), ...headers };
      const visibleCommand = [
        `curl -X ${route.method} -H "Authorization: Bearer $TOKEN"`,
        ...Object.entries(allHeaders).map(([name, value]) => `-H '${name}: ${value}'`),
        ...(body === undefined ? [] : [`-d '${bodyText}'`]),
        `"$BASE${fhirPath}${path.replace('$', '\\$')}"`,
      ].join(' \\\n  ');
      // Runs as a reader runs it: in a shell.
      const command = visibleCommand.replace('{id}', id).replace('{document}', document);
      const env = { ...process.env, TOKEN: token, BASE: server.origin };
      const { stdout: responseText } = await promisify(execFile)('sh', ['-c', command], { env });
      if (operation === 'create') id = (JSON.parse(responseText) as { id: string }).id;
      parts.push(
        `### ${operation}`,
        `\`\`\`sh\n${visibleCommand}\n\`\`\``,
        `\`\`\`json\n${shorten(responseText)}\n\`\`\``,
      );
    }
  } finally {
    await server.close();
    rmSync(dataDir, { recursive: true });
  }
  return numberIds(parts.join('\n\n').replaceAll(server.origin, '$BASE'));
}

/** Numbers the UUIDs of a text, so that only changed responses change the page. */
function numberIds(text: string): string {
  const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
  const ids = [...new Set(text.match(uuid))];
  return text.replace(
    uuid,
    (id) => `00000000-0000-4000-8000-${String(ids.indexOf(id) + 1).padStart(12, '0')}`,
  );
}

/** Stores a Composition and returns its id. */
async function storeComposition(origin: string, token: string): Promise<string> {
  const record = {
    resourceType: 'Composition',
    status: 'final',
    title: 'Discharge note',
    date: '2026-02-01',
    type: { coding: [{ system: 'http://loinc.org', code: '18842-5', display: 'Discharge summary' }] },
    subject: { reference: 'Patient/demo-patient-001' },
    author: [{ display: 'Zoë Fixture' }],
  };
  const response = await fetch(`${origin}${fhirPath}/Composition`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(record),
  });
  return ((await response.json()) as { id: string }).id;
}

const introduction = `# The API

Generated by \`npm run docs\` from the tables in \`core/api\` and \`scripts/app-addresses.ts\`. Each example was run against a
server and shows its response. The OpenAPI document is at \`/openapi.json\`, the CapabilityStatement at \`${fhirPath}/metadata\`.`;

if (import.meta.main) {
  const text = [
    introduction,
    formatContract(),
    '## Examples',
    '`$BASE` is the server’s address, `{id}` the ID of the created record, `{document}` the ID of a Composition.',
    await formatExamples(),
  ];
  writeFileSync(resolve(root, 'docs/api.md'), `${text.join('\n\n')}\n`);
}
