/** Document Bundles go out as they came in. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import {
  namesIn,
  readDocument,
  sendAsPage,
  sendImport,
  withoutVersion,
  type DocumentBundle,
  type Entry,
} from './testing/documents.ts';

const runs = { numRuns: process.env.LONG_TESTS === undefined ? 25 : 2_000, seed: 46 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const rewrite = (value: Json, links: ReadonlyMap<string, string>): Json =>
  JSON.parse(JSON.stringify(value), (key, member) =>
    key === 'reference' ? (links.get(member) ?? member) : member,
  );

/** Compares a document with the one that came in, whose records have these names now. */
function expectSame(out: Json, came: DocumentBundle, lines: readonly Json[], keepsIds: boolean): void {
  expect({ ...out, entry: [] }).toMatchObject({ ...came, entry: [] });
  expect(out.entry).toHaveLength(came.entry.length);
  const links = new Map<string, string>();
  for (const [index, { fullUrl, resource }] of came.entry.entries()) {
    const [type, id] = String(lines[index].record).split('/');
    if (keepsIds || fullUrl?.startsWith('urn:') === true) continue;
    const former = `${type}/${resource.id}`;
    links.set(former, `${type}/${id}`);
    if (fullUrl !== undefined) links.set(fullUrl, fullUrl.replace(former, `${type}/${id}`));
  }
  // A rewritten link is relative.
  const relativize = (value: Json) =>
    keepsIds ? value : JSON.parse(JSON.stringify(value).replaceAll(/"http:\/\/a\d+\.example\/\w+\//g, '"'));
  for (const [index, { fullUrl, resource }] of came.entry.entries()) {
    const { fullUrl: outUrl, resource: outResource } = out.entry[index];
    const id = String(lines[index].record).split('/')[1];
    if (fullUrl !== undefined) expect(outUrl).toBe(links.get(fullUrl) ?? fullUrl);
    const expected = withoutVersion({ ...rewrite(resource, links), id });
    expect(relativize(withoutVersion(outResource))).toEqual(relativize(expected));
  }
}

/** True if each reference to a resource of the document leads to its entry (R4 bundle.html#references). */
function findDangling({ entry }: Json, came: DocumentBundle): readonly string[] {
  const addresses = new Set(entry.map(({ fullUrl }: Entry) => fullUrl));
  return came.entry.flatMap(({ resource }, index) => {
    const { fullUrl, resource: outResource } = entry[index];
    const references = (value: Json) =>
      Array.from(JSON.stringify(value).matchAll(/"reference":"([^"]*)"/g), ([, reference = '']) => reference);
    const base = String(fullUrl).startsWith('http') ? String(fullUrl).split('/').slice(0, -2).join('/') : '';
    const isThere = (reference: string) => addresses.has(reference) || addresses.has(`${base}/${reference}`);
    return references(outResource).filter(
      (reference, place) => !isThere(reference) && !(references(resource)[place] ?? '').includes('absent'),
    );
  });
}

const uuid = (number: number) => `0d1e2f3a-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** How the entries of a generated document are addressed. */
const kinds = ['base', 'urn', 'urn of another id'] as const;

/** A document of random resources that refer to each other. */
const documents = fc
  .record({
    kind: fc.constantFrom(...kinds),
    number: fc.integer({ min: 1, max: 900_000 }),
    types: fc.array(fc.constantFrom('CarePlan', 'Patient', 'Condition', 'Provenance'), { maxLength: 5 }),
    targets: fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.boolean()), { maxLength: 8 }),
    hasIdentifier: fc.boolean(),
  })
  .map(({ kind, number, types, targets, hasIdentifier }): DocumentBundle => {
    const base = `http://a${number}.example/fhir`;
    const resources: Json[] = ['Composition', ...types].map((resourceType, index) => ({
      resourceType,
      id: kind === 'urn' ? uuid(number * 10 + index) : `r${number}-${index}`,
      x: [1.5, { a: `${index}` }],
      extension: [],
    }));
    const urlOf = (index: number) => {
      const { resourceType, id } = resources[index];
      if (kind === 'base') return `${base}/${resourceType}/${id}`;
      return `urn:uuid:${kind === 'urn' ? id : uuid(number * 10 + index)}`;
    };
    for (const [from, to, isAbsolute] of targets) {
      const [source, target] = [resources[from % resources.length], to % resources.length];
      const { resourceType, id } = resources[target];
      const relative = kind === 'base' && !isAbsolute;
      source.extension.push({
        url: 'http://x.example',
        valueReference: { reference: relative ? `${resourceType}/${id}` : urlOf(target) },
      });
    }
    resources[0].subject = { reference: 'Patient/absent' };
    return {
      resourceType: 'Bundle',
      id: `b${number}`,
      type: 'document',
      ...(hasIdentifier && { identifier: { system: 'http://x.example', value: `d${number}` } }),
      timestamp: '2026-01-02T03:04:05.60+01:00',
      entry: resources.map((resource, index) => ({ fullUrl: urlOf(index), resource })),
    } as DocumentBundle;
  });

test('gives each document back as it came, by HTTP and page, with kept and with new ids', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(documents, fc.boolean(), fc.boolean(), async (came, keepsIds, isPage) => {
      const query = `keepIds=${keepsIds}`;
      count += 1;
      // Each run has resources of its own.
      const body = JSON.stringify(came)
        .replaceAll('.example/fhir', `.example/${count}`)
        .replaceAll('0d1e2f3a', (0x10000000 + count).toString(16))
        .replaceAll(/"r(\d+-\d)"/g, `"r${count}-$1"`)
        .replaceAll(/\/r(\d+-\d)"/g, `/r${count}-$1"`);
      const lines = isPage
        ? await sendAsPage(server, [body], query, 500)
        : await sendImport(server, body, query);
      const document = JSON.parse(body) as DocumentBundle;
      const out = await readDocument(server, lines[0].record);
      expectSame(out, document, lines, keepsIds);
      expect(findDangling(out, document)).toEqual([]);
      // What goes out comes in again as the same, by its identities.
      const again = await sendImport(server, JSON.stringify(out), 'keepIds=true');
      // Only links of supporting resources to new ids are other content.
      const isReplaced = ({ record }: Json) => !keepsIds && /^(?:Patient|Condition|Provenance)/.test(record);
      expect(again.filter((line) => line.result !== 'unchanged' && !isReplaced(line))).toEqual([]);
      expect(await readDocument(server, again[0].record)).toEqual(out);
    }),
    runs,
  );
});

const base = 'http://c.example/fhir';
const shared = join(import.meta.dirname, '../../../shared');

test.skipIf(!existsSync(join(shared, 'review/inputs'))).each([
  ['01-document-a.json', 0],
  ['01-document-b.json', 0],
  ['F5a-message-with-document.json', 1],
])('gives %s back as it came (not run without the inputs)', async (name, index) => {
  const text = readFileSync(join(shared, 'review/inputs', name), 'utf8');
  const outer: Json = JSON.parse(text);
  const came = outer.type === 'document' ? outer : outer.entry[1].resource;
  const commonServer = server;
  server = await startTestServer();
  try {
    for (const query of ['keepIds=true', 'keepIds=false']) {
      for (const lines of [
        await sendImport(server, text, query),
        await sendAsPage(server, [text], query, 300),
      ]) {
        const out = await readDocument(server, lines[index]?.record);
        expectSame(out, came, lines.slice(index), query === 'keepIds=true');
      }
    }
  } finally {
    await server.remove();
    server = commonServer;
  }
});

test.skipIf(!existsSync(join(shared, 'data/Composition')))(
  'gives documents of real Compositions back as they came (not run without the records)',
  async () => {
    const stride = process.env.LONG_TESTS === undefined ? 6 : 1;
    const paths = globSync('*.json', { cwd: join(shared, 'data/Composition') }).sort();
    for (const path of paths.filter((_, index) => index % stride === 0)) {
      const text = readFileSync(join(shared, 'data/Composition', path), 'utf8');
      const { id = 'none' }: Json = JSON.parse(text);
      const references = new Set(
        Array.from(text.matchAll(/"reference"\s*:\s*"([A-Z]\w+\/[\w.-]{1,64})"/g), ([, name = '']) => name),
      );
      const others = [...references].map((name) => {
        const [resourceType, otherId] = name.split('/');
        return { fullUrl: `${base}/${name}`, resource: { resourceType, id: otherId, x: [1.0] } };
      });
      const entries = others
        .filter(({ resource }) => resource.resourceType !== 'Composition')
        .map((entry) => JSON.stringify(entry));
      const body = `{"resourceType":"Bundle","type":"document","identifier":{"value":"${path}"},"timestamp":"2026-01-02T03:04:05Z","entry":[${[`{"fullUrl":"${base}/Composition/${id}","resource":${text}}`, ...entries].join(',')}]}`;
      const [line] = await sendImport(server, body, 'keepIds=true');
      if (line.result !== 'stored') continue;
      const out = await readDocument(server, line.record);
      const isKnown = ({ resource }: Entry) => resource.resourceType !== 'OperationOutcome';
      const came = JSON.parse(body) as DocumentBundle;
      expect(namesIn({ entry: out.entry.filter(isKnown) }).length, path).toBe(came.entry.length);
      expect(out.identifier.value, path).toBe(path);
      expect(withoutVersion(out.entry[0].resource), path).toEqual(
        withoutVersion({ ...came.entry[0]?.resource, id }),
      );
    }
  },
);
