/** Records of real servers: stored equal in every value, or refused with an outcome that names the element. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { equal } from '../../core/json/equal.ts';
import { copy, member, stringMember, type JsonNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { asker, inParallel, type Asker } from './testing/ask.ts';
import { faultsOfRefusal } from './testing/outcome.ts';
import { at, types, type Type } from './testing/records.ts';
import { needing, realRecords } from './testing/shared.ts';

const { name, absent } = needing(realRecords, 'real records');

interface Source {
  readonly name: string;
  readonly type: Type;
  readonly text: string;
}

function files(): Source[] {
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

/** All with the long tests; else one of ten. */
const oneOf = process.env.LONG_TESTS === undefined ? 10 : 1;

function synthea(): Source[] {
  const lines = readFileSync(resolve(realRecords, 'synthea-careplans.ndjson'), 'utf8').trim().split('\n');
  return lines.map((text, index) => ({ name: `synthea ${index + 1}`, type: 'CarePlan', text }));
}

/** The record without what the server sets: id, meta.versionId, meta.lastUpdated, and a meta that is then empty. */
function withoutStamp(text: string): JsonNode {
  const root = copy(scan(text).root);
  const meta = member(root, 'meta');
  if (meta?.kind === 'object') remove(meta, ['versionId', 'lastUpdated']);
  if (root.kind === 'object') {
    remove(root, meta?.kind === 'object' && meta.members.length === 0 ? ['id', 'meta'] : ['id']);
  }
  return root;
}

function remove(node: JsonNode & { kind: 'object' }, names: readonly string[]): void {
  const kept = node.members.filter(({ key }) => !names.includes(key));
  node.members.splice(0, node.members.length, ...kept);
}

describe.skipIf(absent)(name, () => {
  let server: TestServer;
  let strict: TestServer;
  let below: Asker;
  let strictBelow: Asker;
  beforeAll(async () => {
    server = await startTestServer();
    strict = await startTestServer({ validation: 'strict' });
    below = asker(server);
    strictBelow = asker(strict);
  });
  afterAll(async () => {
    below.close();
    strictBelow.close();
    await server.remove();
    await strict.remove();
  });

  /** Posts each; gives the ids of what was stored by source name, and what was wrong. */
  async function post(sources: readonly Source[], to: Asker) {
    const stored = new Map<string, { id: string; source: Source }>();
    const faults: string[] = [];
    await inParallel(sources, 8, async (source) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await to.ask({ method: 'POST', path: at(source.type), headers, body: source.text });
      if (answer.status === 201) {
        const { id } = JSON.parse(answer.text);
        stored.set(source.name, { id, source });
        const read = await to.ask({ method: 'GET', path: at(source.type, id) });
        if (read.text !== answer.text) faults.push(`${source.name}: read is not what create answered`);
        if (!equal(withoutStamp(read.text), withoutStamp(source.text))) faults.push(`${source.name} changed`);
        return;
      }
      const header = (name: string) => String(answer.headers[name]);
      const wrong = faultsOfRefusal({ status: answer.status, header, text: answer.text });
      if (answer.status !== 400) wrong.push(`status ${answer.status}`);
      const { issue } = JSON.parse(answer.text);
      if (!issue.every(({ expression }: Json) => namesElement(expression, source.type))) {
        wrong.push(`an issue without an element: ${JSON.stringify(issue).slice(0, 300)}`);
      }
      faults.push(...wrong.map((fault) => `${source.name}: ${fault}`));
    });
    return { stored, faults };
  }

  const namesElement = (expression: Json, type: Type) =>
    Array.isArray(expression) && new RegExp(`^${type}(?:\\.[\\w\\[\\].]+)?$`).test(expression[0]);

  /** Those that are not found by the last segment of their subject. */
  async function missing(stored: Iterable<{ id: string; source: Source }>): Promise<string[]> {
    const lost: string[] = [];
    await inParallel([...stored], 8, async ({ id, source }) => {
      const reference = stringMember(member(scan(source.text).root, 'subject'), 'reference');
      if (reference === undefined) return;
      const segment =
        reference
          .replace(/\/_history\/.*$/, '')
          .split(/[/:]/)
          .at(-1) ?? '';
      const path = `${at(source.type)}?subject=${encodeURIComponent(segment)}`;
      const { json } = await server.send('GET', path);
      const ids = json.entry.map(({ resource }: Json) => resource.id);
      if (!ids.includes(id) || json.total !== ids.length) lost.push(`${source.name} by ${segment}`);
    });
    return lost;
  }

  test('each of the 267 files is stored exactly or refused at an element, and is found', async () => {
    const sources = files();
    expect(sources).toHaveLength(267);
    const { stored, faults } = await post(sources, below);
    expect(faults).toEqual([]);
    expect(stored.size).toBeGreaterThan(200);
    expect(await missing(stored.values())).toEqual([]);
  });

  test('at strict, each of the 267 files is stored exactly or refused at an element', async () => {
    const { stored, faults } = await post(files(), strictBelow);
    expect(faults).toEqual([]);
    expect(stored.size).toBeGreaterThan(50);
  });

  test('the 1,769 CarePlans of Synthea, or one of ten, are stored exactly, and each is found', async () => {
    const sources = synthea();
    expect(sources).toHaveLength(1769);
    const chosen = sources.filter((_, at) => at % oneOf === 0);
    const { stored, faults } = await post(chosen, below);
    expect(faults).toEqual([]);
    expect(stored.size).toBe(chosen.length);
    expect(await missing(stored.values())).toEqual([]);
  });

  test('what was stored comes back exactly from search and history, and unchanged from its own PUT', async () => {
    const { stored } = await post(files().slice(0, 60), below);
    for (const { id, source } of stored.values()) {
      const path = at(source.type, id);
      const read = (await server.send('GET', path)).text;
      const root = withoutStamp(read);
      const found = await server.send('GET', `${at(source.type)}?_id=${id}`);
      const history = await server.send('GET', `${path}/_history`);
      for (const { text } of [found, history]) {
        const entry = member(scan(text, 70).root, 'entry');
        const resource = entry?.kind === 'array' ? member(entry.items[0], 'resource') : undefined;
        expect(resource && equal(resource, scan(read).root)).toBe(true);
      }
      const again = await server.send('PUT', path, read);
      expect([again.status, again.headers.get('etag')]).toEqual([200, 'W/"1"']);
      expect(equal(withoutStamp(again.text), root)).toBe(true);
    }
  });
});
