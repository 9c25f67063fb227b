import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importTypes } from '../../core/app/transfer.ts';
import { DryRunMemory } from '../../core/import/dry-run-memory.ts';
import { describeUnread, relocateLine } from '../../core/import/entry.ts';
import { splitIntoPieces } from '../../core/import/import-pieces.ts';
import { importLimits, readEntries } from '../../core/import/read-files.ts';
import type { RecordService } from '../fhir/service.ts';
import { openRecords } from '../start.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { findFiles } from './files.ts';
import { importRecords } from './import-records.ts';

const runs = { numRuns: process.env.LONG_TESTS === undefined ? 150 : 5_000, seed: 46 };
const limits = importLimits(100_000);

let server: TestServer;
let service: RecordService;
let folder: string;
let closeStore: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer({ maxBody: limits.resourceBytes });
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-accounts-'));
  const opened = await openRecords(join(folder, 'data'));
  service = opened.service;
  closeStore = () => opened.store.close();
});
afterAll(async () => {
  await server.remove();
  await closeStore();
  await rm(folder, { recursive: true, force: true });
});

type Account = readonly (readonly [
  place: number | undefined,
  path: string | undefined,
  result: string,
  code: string,
])[];

const summarize = (lines: readonly Json[]): Account =>
  lines.map(({ place, path, result, reason = '', messageCode = reason }) => [
    place,
    path,
    result,
    messageCode,
  ]);

async function send(body: string | Uint8Array<ArrayBuffer>, type: string): Promise<readonly Json[]> {
  const answer = await fetch(`${server.origin}/app/import?dryRun=true`, {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': type },
  });
  const lines = (await answer.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line)).filter(({ done }) => done === undefined);
}

/** Imports like the page: reads the file, and sends its resources in small pieces. */
async function importAsPage(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Account> {
  const lines: Json[] = [];
  const memory = new DryRunMemory('batch:a', false);
  const entries = readEntries([{ path: name, blob: new Blob([bytes]) }], limits);
  for await (const piece of splitIntoPieces(entries, () => 300)) {
    const results = piece.body === undefined ? [] : [...(await send(piece.body, 'application/json'))];
    results.splice(0, piece.contextCount);
    for (const { entry, isSent } of piece.entries) {
      const result = isSent ? results.shift() : undefined;
      const line: Json = entry.text === undefined ? describeUnread(entry) : result;
      lines.push(relocateLine(memory.adjust(entry, line), entry.path));
    }
    expect(results).toEqual([]);
  }
  return summarize(lines);
}

async function importAsCommand(name: string, bytes: Uint8Array): Promise<Account> {
  await writeFile(join(folder, name), bytes);
  const { files } = await findFiles([join(folder, name)]);
  const options = { author: 'test', keepIds: false, dryRun: true, dataDir: folder };
  const lines: Json[] = [];
  for await (const line of importRecords(service, readEntries(files, limits), options)) lines.push(line);
  return summarize(lines);
}

/** Imports by page, command and HTTP. Returns their common account. */
async function importEverywhere(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<Account> {
  const account = await importAsPage(name, bytes);
  expect(await importAsCommand(name, bytes), name).toEqual(account);
  expect(summarize(await send(bytes, type)), name).toEqual(account);
  return account;
}

const resources = [
  '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/é"}}',
  '{"resourceType":"CarePlan","status":"active","status":"draft"}',
  '{"resourceType":"CarePlan","status":1.00}',
  '{"resourceType":"Patient","id":"p","name":[{"text":"]}\\""}]}',
  '{"resourceType":"Patient"}',
  '{"resourceType":"OperationOutcome","issue":[]}',
  '{"resourceType":"OperationOutcome","issue":[{"severity":"error","details":{"text":"é"}}]}',
  '{"transactionTime":"2026","output":[{"url":"https://a.example/b.ndjson"}]}',
  '{"resourceType":"MedicationOrder"}',
  '{"a":[{}]}',
  '{}',
  '[]',
  'null',
  '7',
  '"a"',
  'tru',
];

/** JSON of any shape, valid or not. */
const { json } = fc.letrec<{ json: string }>((tie) => {
  const parts = fc.array(tie('json'), { maxLength: 4 });
  const wrap = (start: string, before: string, after: string, end: string) =>
    parts.map((texts) => start + texts.map((text) => before + text + after).join(',') + end);
  return {
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(...resources),
      wrap('[', '', '', ']'),
      wrap('{"resourceType":"Bundle","type":"batch-response","entry":[', '{"resource":', '}', ']}'),
      wrap(
        '{"entry":[',
        '{"fullUrl":"https://a.example/Patient/p","resource":',
        '}',
        '],"resourceType":"Bundle"}',
      ),
      wrap(
        '{"resourceType":"Bundle","entry":[',
        '{"request":{"method":"DELETE","url":"a/b"},"other":',
        '}',
        ']}',
      ),
      wrap('{"resourceType":"Parameters","parameter":[', '{"name":"a","part":[{"resource":', '}]}', ']}'),
      parts.map(
        (texts) => `{"hook":"a","prefetch":{${texts.map((text, index) => `"k${index}":${text}`).join(',')}}}`,
      ),
    ),
  };
});

const input = fc.record({
  texts: fc.array(json, { minLength: 1, maxLength: 3 }),
  format: fc.constantFrom('json', 'lines', 'gzip'),
  /** Share of the bytes that arrive. */
  share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

test('gives each entry of any input one result, the same by page, command and HTTP', async () => {
  await fc.assert(
    fc.asyncProperty(input, async ({ texts, format, share }) => {
      const text = format === 'json' ? (texts[0] ?? '') : texts.join('\n');
      const plainBytes = new TextEncoder().encode(text);
      const allBytes = format === 'gzip' ? new Uint8Array(gzipSync(plainBytes)) : plainBytes;
      const bytes = allBytes.slice(0, Math.ceil(allBytes.length * share));
      const name = { json: 'a.json', lines: 'a.ndjson', gzip: 'a.gz' }[format];
      const account = await importEverywhere(name, bytes, importTypes[format][0]);
      expect(account.length).toBeGreaterThan(0);
    }),
    runs,
  );
});

const shared = join(import.meta.dirname, '../../../shared');
const inputs = join(shared, 'review/inputs');

test.skipIf(!existsSync(inputs)).each([
  ['01-document-a.json', 'stored kept'],
  ['01-document-b.json', 'stored kept'],
  ['04-links-relative.json', 'stored stored'],
  ['04-links-urn.json', 'stored stored stored'],
  ['08-array.json', 'stored stored'],
  ['08-list.json', 'kept'],
  ['F5a-message-with-document.json', 'kept stored'],
  ['F5b-batch-response-of-searchsets.json', 'stored'],
  ['F5c-parameters.json', 'stored'],
  ['F5d-cds-hooks-request.json', 'stored'],
  ['F6-plan.xml', 'stored'],
  ['F8-ten-digits-of-fraction.json', 'stored'],
  ['F10-resourceType-last.json', 'stored'],
  ['F13-r5-plan.json', 'refused'],
])('imports %s: %s, by page, command and HTTP (not run without the inputs)', async (name, results) => {
  const bytes = new Uint8Array(await readFile(join(inputs, name)));
  const account = await importEverywhere(
    name,
    bytes,
    name.endsWith('.xml') ? importTypes.xml[0] : importTypes.json[0],
  );
  expect(account.map(([, , result]) => result).join(' ')).toBe(results);
});

test.skipIf(!existsSync(inputs)).each([
  ['F13-dstu2-plan.json', 'DSTU2'],
  ['F13-stu3-plan.json', 'STU3'],
  ['F13-r5-plan.json', 'R5'],
])('names the release of %s first: %s (not run without the inputs)', async (name, release) => {
  const text = await readFile(join(inputs, name), 'utf8');
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan/$validate', text);
  expect(json.issue[0].details.text).toContain(`(${release})`);
  const account = await importEverywhere(name, new TextEncoder().encode(text), importTypes.json[0]);
  expect(account).toEqual([
    [undefined, undefined, ...(release === 'R5' ? ['refused', 'fhir-release'] : ['stored', ''])],
  ]);
  const flagged = await server.send('POST', '/app/import?level=off', text);
  expect(JSON.parse(flagged.text.split('\n')[0] ?? '')).toMatchObject({
    result: 'stored',
    issues: expect.any(Number),
  });
});

test('names the release of a resource type', async () => {
  const text = '{"resourceType":"MedicationOrder","id":"a"}';
  const [line] = await send(new TextEncoder().encode(text), importTypes.json[0]);
  expect(line.reason).toBe('MedicationOrder is a resource type of FHIR DSTU2, not of R4.');
});

const paddedPlan = (length: number) =>
  `{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/p1"},"note":[{"text":"${'x'.repeat(length)}"}]}`;
const entriesOf = (...lengths: readonly number[]) =>
  lengths.map((length) => `{"resource":${paddedPlan(length)}}`).join(',');

test.each([
  [
    'a large Bundle whose resourceType is last',
    `{"entry":[${entriesOf(30_000, 30_000, 30_000, 30_000)}],"resourceType":"Bundle"}`,
    'stored stored stored stored',
  ],
  [
    'an entry over the limit',
    `{"resourceType":"Bundle","entry":[${entriesOf(130_000, 30_000, 30_000)}]}`,
    'refused stored stored',
  ],
])('imports %s by page, command and HTTP', async (_, text, results) => {
  const account = await importEverywhere('a.json', new TextEncoder().encode(text), importTypes.json[0]);
  expect(account.map(([, , result]) => result).join(' ')).toBe(results);
});

test.skipIf(!existsSync(join(shared, 'data')))(
  'imports real records the same by page, command and HTTP (not run without the records)',
  async () => {
    const stride = process.env.LONG_TESTS === undefined ? 10 : 1;
    const names = (await readdir(join(shared, 'data'), { recursive: true })).filter((name) =>
      name.endsWith('.json'),
    );
    let count = 0;
    for (const name of names.sort().filter((_, index) => index % stride === 0)) {
      const bytes = new Uint8Array(await readFile(join(shared, 'data', name)));
      const account = await importEverywhere(basename(name), bytes, importTypes.json[0]);
      expect(
        account.map(([place, , result]) => [place, /^(?:stored|refused)$/.test(result)]),
        name,
      ).toEqual([[undefined, true]]);
      count += 1;
    }
    expect(count).toBeGreaterThan(200 / stride);
  },
);
