import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childPath, type ImportEntry } from './entry.ts';
import { readJsonEntries } from './read-json.ts';

async function collect<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}

async function* chunked(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += length)
    yield await Promise.resolve(bytes.slice(start, start + length));
}

async function read(
  text: string,
  { limit = 1_000_000, chunkLength = 64_000, isNdjson = false } = {},
): Promise<ImportEntry[]> {
  return collect(readJsonEntries(chunked(text, chunkLength), limit, isNdjson));
}

/** Resources in random documents are numbered by `next`. A shape is a document without the numbers. */
type Shape =
  | { readonly kind: 'resource'; readonly padding: number }
  | {
      readonly kind: 'array' | 'bundle' | 'late bundle' | 'parameters' | 'prefetch';
      readonly shapes: readonly Shape[];
    };

const leaf = fc.record({ kind: fc.constant('resource' as const), padding: fc.nat(60) });
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constantFrom('array', 'bundle', 'late bundle', 'parameters', 'prefetch'),
      shapes: fc.array(tie('shape'), { maxLength: 4 }),
    }),
  ),
}));

function write(value: Shape, expectedPaths: string[], path = ''): string {
  const child = (name: string) => childPath(path, name);
  if (value.kind === 'resource') {
    expectedPaths.push(path);
    return `{"id":"${expectedPaths.length}","resourceType":"CarePlan","title":"${'x'.repeat(value.padding)}"}`;
  }
  const inner = (toPath: (index: number) => string, toText: (text: string, index: number) => string) =>
    value.shapes.map((item, index) => toText(write(item, expectedPaths, toPath(index)), index)).join(' ,\n');
  switch (value.kind) {
    case 'array':
      return `[${inner(
        (index) => `${path}[${index}]`,
        (text) => text,
      )}]`;
    case 'bundle':
      return `{"resourceType":"Bundle","type":"collection","entry":[${inner(
        (index) => `${child('entry')}[${index}].resource`,
        (text) => `{"resource":${text}}`,
      )}]}`;
    case 'late bundle':
      return `{"entry":[${inner(
        (index) => `${child('entry')}[${index}].resource`,
        (text) => `{"fullUrl":"urn:a","resource":${text}}`,
      )}],"resourceType":"Bundle"}`;
    case 'parameters':
      return `{"resourceType":"Parameters","parameter":[${inner(
        (index) => `${child('parameter')}[${index}].resource`,
        (text) => `{"name":"a","resource":${text}}`,
      )}]}`;
    case 'prefetch':
      return `{"hook":"a","prefetch":{${inner(
        (index) => child(`prefetch.k${index}`),
        (text, index) => `"k${index}":${text}`,
      )}}}`;
  }
}

const runs = { numRuns: 300, seed: 46 };

describe('property', () => {
  test('yields each resource once, in order, with its path, for any limit and chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        shape,
        fc.integer({ min: 150, max: 2_000 }),
        fc.integer({ min: 1, max: 400 }),
        async (value, limit, chunkLength) => {
          const expectedPaths: string[] = [];
          const text = write(value, expectedPaths);
          const entries = await read(text, { limit, chunkLength });
          expect(entries.map(({ path }) => path)).toEqual(expectedPaths);
          expect(entries.map((entry) => (JSON.parse(entry.text ?? '{}') as { id: string }).id)).toEqual(
            expectedPaths.map((_, index) => `${index + 1}`),
          );
        },
      ),
      runs,
    );
  });

  test('of a text that is cut off, yields the complete resources and one problem', async () => {
    await fc.assert(
      fc.asyncProperty(
        shape,
        fc.nat(),
        fc.integer({ min: 150, max: 2_000 }),
        async (value, position, limit) => {
          const expectedPaths: string[] = [];
          const text = write(value, expectedPaths);
          const entries = await read(text.slice(0, position % text.length), { limit, chunkLength: 50 });
          if (position % text.length === 0) expect(entries).toEqual([]);
          else {
            const last = entries.pop();
            expect(last?.problem?.messageCode).toBe('import.cutOff');
            expect(entries.map(({ path }) => path)).toEqual(expectedPaths.slice(0, entries.length));
            expect(entries.every((entry) => entry.text !== undefined)).toBe(true);
          }
        },
      ),
      runs,
    );
  });

  test('reads NDJSON line by line, with any name of the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shape, { minLength: 2, maxLength: 5 }),
        fc.boolean(),
        fc.integer({ min: 150, max: 2_000 }),
        async (values, isNdjson, limit) => {
          const expectedPaths: string[] = [];
          const lines = values.map((value, index) => {
            const countBefore = expectedPaths.length;
            const line = write(value, expectedPaths, `line ${index + 1}`).replaceAll('\n', ' ');
            // A line without resources is skipped as a whole.
            if (expectedPaths.length === countBefore) expectedPaths.push(`line ${index + 1}`);
            return line;
          });
          const entries = await read(lines.join('\r\n'), { limit, isNdjson, chunkLength: 70 });
          // A first line over the limit tells only behind it that there are more.
          const isRecognized = isNdjson || (lines[0]?.length ?? 0) < limit;
          expect(entries.map(({ path }) => path)).toEqual(
            isRecognized ? expectedPaths : expectedPaths.map((path) => path.replace(/^line 1 ?/, '')),
          );
        },
      ),
      runs,
    );
  });
});

const plan = (id: string) => `{"resourceType":"CarePlan","id":"${id}"}`;

test.each([
  [
    'an entry without a resource',
    `{"resourceType":"Bundle","entry":[{"response":{"status":"201"}},{"resource":${plan('a')}}]}`,
    [
      ['entry[0]', 'import.noResourceInResponse'],
      ['entry[1].resource', 'a'],
    ],
  ],
  [
    'entries without a resource',
    '{"resourceType":"Bundle","entry":[{},{"resource":null},{"request":{"method":"DELETE","url":"CarePlan/a"}}]}',
    [
      ['entry[0]', 'import.noResource'],
      ['entry[1]', 'import.noResource'],
      ['entry[2]', 'import.deletedAtSource'],
    ],
  ],
  [
    'values that are no resource',
    '[null,7,"a"]',
    [
      ['[0]', 'import.notAResource'],
      ['[1]', 'import.notAResource'],
      ['[2]', 'import.notAResource'],
    ],
  ],
  [
    'an entry with a duplicate name',
    `{"resourceType":"Bundle","entry":[{"resource":{"a":1,"a":2}},{"resource":${plan('a')}}]}`,
    [
      ['entry[0].resource', 'json.duplicateName'],
      ['entry[1].resource', 'a'],
    ],
  ],
  [
    'a duplicate name outside of the entries',
    `{"resourceType":"Bundle","entry":[],"entry":[{"resource":${plan('a')}}]}`,
    [['', 'json.duplicateName']],
  ],
  ['a List', '{"resourceType":"List","id":"l","entry":[{"item":{"reference":"CarePlan/a"}}]}', [['', 'l']]],
  [
    'text behind the JSON',
    `${plan('a')} x`,
    [
      ['', 'a'],
      ['', 'import.invalidJson'],
    ],
  ],
  ['nothing but white space', ' \n ', []],
  ['a byte order mark', `\uFEFF${plan('a')}`, [['', 'a']]],
])('accounts for %s', async (_, text, expected) => {
  const entries = await read(text);
  expect(
    entries.map(({ path, problem, skipReason, ...entry }) => [
      path,
      problem?.messageCode ?? skipReason?.messageCode ?? (JSON.parse(entry.text ?? '') as { id: string }).id,
    ]),
  ).toEqual(expected);
});

const bundleOf = (entries: string) => `{"resourceType":"Bundle","entry":[${entries}]}`;

test.each([
  ['a Bundle', bundleOf],
  [
    'a Bundle whose resourceType is last',
    (entries: string) => `{"entry":[${entries}],"resourceType":"Bundle"}`,
  ],
  ['an array of Bundles', (entries: string) => `[${bundleOf(entries)}]`],
  ['a CDS Hooks request', (entries: string) => `{"hook":"a","prefetch":{"b":${bundleOf(entries)}}}`],
])('reads %s that takes long entry by entry, so that invalid JSON concerns one entry', async (_, wrap) => {
  const resources = Array.from({ length: 4_000 }, (_unused, index) => plan(`${index}`));
  resources[2_000] = '{"resourceType":tru}';
  const entries = await read(wrap(resources.map((resource) => `{"resource":${resource}}`).join(',')));
  expect(entries).toHaveLength(4_000);
  const problems = entries.flatMap(({ path, problem }) => (problem ? [[path, problem.messageCode]] : []));
  expect(problems).toEqual([[expect.stringMatching(/entry\[2000\]$/), 'json.valueExpected']]);
});

test('reads a large resource that is no Bundle as a whole', async () => {
  const text = `{"id":"a","note":"resourceType","Bundle":"${'a'.repeat(70_000)}","resourceType":"CarePlan"}`;
  expect(await read(text)).toEqual([{ path: '', text }]);
});

test('reads what follows an entry over the limit', async () => {
  const large = `{"resourceType":"Binary","data":"${'a'.repeat(2_000)}"}`;
  const text = `{"resourceType":"Bundle","entry":[{"resource":${plan('a')}},{"resource":${large}},{"resource":${plan('b')}}]}`;
  const entries = await read(text, { limit: 1_000, chunkLength: 100 });
  expect(entries.map(({ path, problem }) => [path, problem?.messageCode])).toEqual([
    ['entry[0].resource', undefined],
    ['entry[1].resource', 'import.recordTooLarge'],
    ['entry[2].resource', undefined],
  ]);
});

test('rejects bytes that are not UTF-8 only where they are', async () => {
  async function* chunks() {
    yield await Promise.resolve(
      Uint8Array.from([...new TextEncoder().encode(`${plan('a')}\n"`), 0xff, 0x22, 0x0a]),
    );
    yield new TextEncoder().encode(plan('b'));
  }
  const entries = await collect(readJsonEntries(chunks(), 1_000, true));
  expect(entries.map(({ path, problem }) => [path, problem?.messageCode])).toEqual([
    ['line 1', undefined],
    ['line 2', 'import.invalidUtf8'],
    ['line 3', undefined],
  ]);
});

test.each(['first', 'last'])(
  'keeps the addresses of an entry over the limit whose resource is within it: %s',
  async (place) => {
    const resource = `{"resourceType":"CarePlan","title":"${'x'.repeat(400)}"}`;
    const addresses = '"fullUrl":"http://a.example/CarePlan/1","request":{"method":"PUT","url":"CarePlan/1"}';
    const members = [addresses, `"resource":${resource}`, '"link":[]'];
    const entry = `{${(place === 'first' ? members : members.toReversed()).join(',')}}`;
    const limit = resource.length + 10;
    expect(entry.length).toBeGreaterThan(limit);
    const entries = await read(`{"resourceType":"Bundle","type":"document","entry":[${entry}],"id":"b"}`, {
      limit,
    });
    expect(entries).toMatchObject([
      {
        path: 'entry[0].resource',
        text: resource,
        fullUrl: 'http://a.example/CarePlan/1',
        requestUrl: 'CarePlan/1',
        bundlePlace: { index: 0, bundle: { head: '"type":"document","id":"b"', entryCount: 1 } },
      },
    ]);
  },
);
