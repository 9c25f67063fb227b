/** Sends records of real servers: each is stored exactly, or rejected with an outcome that names the element. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copy, member, stringMember, equal, type JsonNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createRawClient, inParallel, type RawClient } from './testing/ask.ts';
import { listRejectionFaults } from './testing/outcome.ts';
import { toPath, types, type Type } from './testing/records.ts';
import { describeRequirement, realRecords } from './testing/shared.ts';

const { suiteTitle, isMissing } = describeRequirement(realRecords, 'real records');

interface Source {
  readonly name: string;
  readonly type: Type;
  readonly text: string;
}

function readFiles(): Source[] {
  return types.flatMap((type) => {
    const folder = resolve(realRecords, type);
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map((file) => ({
      name: file,
      type,
      text: readFileSync(resolve(folder, file), 'utf8'),
    }));
  });
}

/** One of so many Synthea records is sent; all in the long tests. */
const stride = process.env.LONG_TESTS === undefined ? 10 : 1;

function readSyntheaRecords(): Source[] {
  const lines = readFileSync(resolve(realRecords, 'synthea-careplans.ndjson'), 'utf8').trim().split('\n');
  return lines.map((text, index) => ({ name: `synthea ${index + 1}`, type: 'CarePlan', text }));
}

/** Returns a record without server metadata: id, meta.versionId, meta.lastUpdated, and an empty meta. */
function withoutServerMetadata(text: string): JsonNode {
  const root = copy(scan(text).root);
  const meta = member(root, 'meta');
  if (meta?.kind === 'object') removeMembers(meta, ['versionId', 'lastUpdated']);
  if (root.kind === 'object') {
    removeMembers(root, meta?.kind === 'object' && meta.members.length === 0 ? ['id', 'meta'] : ['id']);
  }
  return root;
}

function removeMembers(node: JsonNode & { kind: 'object' }, names: readonly string[]): void {
  const remainingMembers = node.members.filter(({ key }) => !names.includes(key));
  node.members.splice(0, node.members.length, ...remainingMembers);
}

describe.skipIf(isMissing)(suiteTitle, () => {
  let server: TestServer;
  let strict: TestServer;
  let rawClient: RawClient;
  let strictRawClient: RawClient;
  beforeAll(async () => {
    server = await startTestServer();
    strict = await startTestServer({ validation: 'strict' });
    rawClient = createRawClient(server);
    strictRawClient = createRawClient(strict);
  });
  afterAll(async () => {
    rawClient.close();
    strictRawClient.close();
    await server.remove();
    await strict.remove();
  });

  /** Posts the records; returns the stored records by source name, and the faults. */
  async function post(sources: readonly Source[], client: RawClient) {
    const storedRecords = new Map<string, { id: string; source: Source }>();
    const faults: string[] = [];
    await inParallel(sources, 8, async (source) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await client.send({
        method: 'POST',
        path: toPath(source.type),
        headers,
        body: source.text,
      });
      if (answer.status === 201) {
        const { id } = JSON.parse(answer.text);
        storedRecords.set(source.name, { id, source });
        const readResponse = await client.send({ method: 'GET', path: toPath(source.type, id) });
        if (readResponse.text !== answer.text)
          faults.push(`${source.name}: read is not what create answered`);
        if (!equal(withoutServerMetadata(readResponse.text), withoutServerMetadata(source.text)))
          faults.push(`${source.name} changed`);
        return;
      }
      const header = (name: string) => String(answer.headers[name]);
      const problems = listRejectionFaults({ status: answer.status, header, text: answer.text });
      if (answer.status !== 400) problems.push(`status ${answer.status}`);
      const { issue } = JSON.parse(answer.text);
      if (!issue.every(({ expression }: Json) => namesElement(expression, source.type))) {
        problems.push(`an issue without an element: ${JSON.stringify(issue).slice(0, 300)}`);
      }
      faults.push(...problems.map((fault) => `${source.name}: ${fault}`));
    });
    return { storedRecords, faults };
  }

  const namesElement = (expression: Json, type: Type) =>
    Array.isArray(expression) && new RegExp(`^${type}(?:\\.[\\w\\[\\].]+)?$`).test(expression[0]);

  /** Lists stored records that a search for the last segment of their subject does not find. */
  async function listUnfindable(storedRecords: Iterable<{ id: string; source: Source }>): Promise<string[]> {
    const unfindable: string[] = [];
    await inParallel([...storedRecords], 8, async ({ id, source }) => {
      const reference = stringMember(member(scan(source.text).root, 'subject'), 'reference');
      if (reference === undefined) return;
      const segment =
        reference
          .replace(/\/_history\/.*$/, '')
          .split(/[/:]/)
          .at(-1) ?? '';
      const path = `${toPath(source.type)}?subject=${encodeURIComponent(segment)}`;
      const { json } = await server.send('GET', path);
      const ids = json.entry.map(({ resource }: Json) => resource.id);
      if (!ids.includes(id) || json.total !== ids.length) unfindable.push(`${source.name} by ${segment}`);
    });
    return unfindable;
  }

  test('stores each of 267 files exactly and finds it, or rejects it at an element', async () => {
    const sources = readFiles();
    expect(sources).toHaveLength(267);
    const { storedRecords, faults } = await post(sources, rawClient);
    expect(faults).toEqual([]);
    expect(storedRecords.size).toBeGreaterThan(200);
    expect(await listUnfindable(storedRecords.values())).toEqual([]);
  });

  test('stores each of 267 files exactly at strict, or rejects it at an element', async () => {
    const { storedRecords, faults } = await post(readFiles(), strictRawClient);
    expect(faults).toEqual([]);
    expect(storedRecords.size).toBeGreaterThan(50);
  });

  test('stores 1,769 CarePlans of Synthea, or a tenth of them, exactly and finds each', async () => {
    const sources = readSyntheaRecords();
    expect(sources).toHaveLength(1769);
    const selectedSources = sources.filter((_, index) => index % stride === 0);
    const { storedRecords, faults } = await post(selectedSources, rawClient);
    expect(faults).toEqual([]);
    expect(storedRecords.size).toBe(selectedSources.length);
    expect(await listUnfindable(storedRecords.values())).toEqual([]);
  });

  test('returns stored records exactly from search and history, and unchanged after a PUT', async () => {
    const { storedRecords } = await post(readFiles().slice(0, 60), rawClient);
    for (const { id, source } of storedRecords.values()) {
      const path = toPath(source.type, id);
      const recordText = (await server.send('GET', path)).text;
      const root = withoutServerMetadata(recordText);
      const searchResponse = await server.send('GET', `${toPath(source.type)}?_id=${id}`);
      const historyResponse = await server.send('GET', `${path}/_history`);
      for (const { text } of [searchResponse, historyResponse]) {
        const entry = member(scan(text, 70).root, 'entry');
        const resource = entry?.kind === 'array' ? member(entry.items[0], 'resource') : undefined;
        expect(resource && equal(resource, scan(recordText).root)).toBe(true);
      }
      const putResponse = await server.send('PUT', path, recordText);
      expect([putResponse.status, putResponse.headers.get('etag')]).toEqual([200, 'W/"1"']);
      expect(equal(withoutServerMetadata(putResponse.text), root)).toBe(true);
    }
  });
});
