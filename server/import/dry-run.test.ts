/** A dry run announces what the import does. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DryRunMemory } from '../../core/import/dry-run-memory.ts';
import { splitIntoPieces } from '../../core/import/import-pieces.ts';
import { importLimits, readEntries } from '../../core/import/read-files.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';

const runs = { numRuns: process.env.LONG_TESTS === undefined ? 25 : 1_000, seed: 46 };

/** A line of the report without what a dry run cannot know. */
const summarize = ({ place, path, result, messageCode }: Json) => [place, path, result, messageCode];

async function sendLines(server: TestServer, body: string, type: string, query: string): Promise<Json[]> {
  const { text } = await server.send('POST', `/app/import?${query}`, body, { 'Content-Type': type });
  const lines = text.trim().split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** Runs a dry run like the page, in one request for each entry or document. */
async function dryRunAsPage(server: TestServer, body: string, keepsIds: boolean): Promise<Json[]> {
  const memory = new DryRunMemory('batch:a', keepsIds);
  const lines: Json[] = [];
  const files = [{ path: 'a.ndjson', blob: new Blob([body]) }];
  for await (const piece of splitIntoPieces(readEntries(files, importLimits(5_000_000)), () => 1)) {
    const query = `dryRun=true&keepIds=${keepsIds}`;
    const results = await sendLines(server, piece.body ?? '', 'application/json', query);
    for (const [index, { entry }] of piece.entries.entries())
      lines.push(memory.adjust(entry, results[index]));
  }
  return lines;
}

const base = 'http://a.example/fhir';
const resources = fc.record({
  resourceType: fc.constantFrom('CarePlan', 'Composition', 'Patient', 'Practitioner'),
  id: fc.constantFrom('1', '2'),
  value: fc.constantFrom('a', 'b'),
  order: fc.boolean(),
  url: fc.constantFrom('none', 'base', 'urn'),
  isValid: fc.boolean(),
});

/** Lines of NDJSON: single resources, and documents. */
const inputs = fc.array(fc.array(resources, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });

function writeLine(items: readonly { [Key in keyof Json]: Json }[], run: number): string {
  const entry = items.map(({ resourceType, id: number, value, order, url, isValid }) => {
    const id = `r${run}-${number}`;
    const title = isValid ? value : 7;
    const members = Object.entries({ id, title, name: [{ text: value }], meta: { versionId: value } });
    const resource = { resourceType, ...Object.fromEntries(order ? members : members.toReversed()) };
    const urn = `urn:uuid:0d1e2f3a-0000-4000-8000-${String(run * 10 + Number(number)).padStart(12, '0')}`;
    const urls: Readonly<Record<string, string>> = { base: `${base}/${resourceType}/${id}`, urn };
    const fullUrl = urls[url];
    return { ...(fullUrl !== undefined && { fullUrl }), resource };
  });
  const type = entry.length > 1 ? 'document' : 'collection';
  return JSON.stringify({ resourceType: 'Bundle', type, entry });
}

test('announces each result of the import, by HTTP and page', async () => {
  const server = await startTestServer();
  let run = 0;
  try {
    await fc.assert(
      fc.asyncProperty(inputs, fc.boolean(), async (lines, keepsIds) => {
        run += 1;
        const body = lines.map((items) => writeLine(items, run)).join('\n');
        const type = 'application/ndjson';
        const dryRun = await sendLines(server, body, type, `dryRun=true&keepIds=${keepsIds}`);
        const page = await dryRunAsPage(server, body, keepsIds);
        const expected = (await sendLines(server, body, type, `keepIds=${keepsIds}`)).map(summarize);
        expect(dryRun.map(summarize)).toEqual(expected);
        const results = (account: readonly Json[]) => account.map(([, , result, code]) => [result, code]);
        expect(results(page.map(summarize))).toEqual(results(expected));
      }),
      runs,
    );
  } finally {
    await server.remove();
  }
});

const data = join(import.meta.dirname, '../../../shared/data');

test.skipIf(!existsSync(data))(
  'announces the results of real records that share IDs (not run without the records)',
  async () => {
    const server = await startTestServer();
    try {
      const paths = globSync('Composition/*.json', { cwd: data }).sort();
      const body = paths
        .map((path) => JSON.stringify(JSON.parse(readFileSync(join(data, path), 'utf8'))))
        .join('\n');
      const count = async (query: string) => {
        const lines = await sendLines(server, body, 'application/ndjson', `keepIds=true&${query}`);
        return lines.map(summarize);
      };
      const dryRun = await count('dryRun=true');
      const expected = await count('');
      expect(dryRun).toEqual(expected);
      expect(expected.map(([, , , code]) => code)).toContain('record.idTaken');
    } finally {
      await server.remove();
    }
  },
);
