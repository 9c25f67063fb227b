import { expect, test } from 'vitest';
import { splitIntoChunks, type Piece, type ChunkProblem, type ChunkSource } from './import-pieces.ts';
import type { FileKind } from './import-records.ts';

const encoder = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Yields the text in small chunks, as a stream may. */
async function* chunksOf(content: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(content);
  for (let offset = 0; offset < bytes.length; offset += length)
    yield await Promise.resolve(bytes.subarray(offset, offset + length));
}

interface NamedSource extends ChunkSource {
  readonly name: string;
}

const source = (content: string, kind: FileKind, { chunk = 3, name = 'file' } = {}): NamedSource => ({
  name,
  kind,
  bytes: encoder.encode(content).length,
  chunks: () => chunksOf(content, chunk),
});

type ImportResult = Piece<NamedSource> | ChunkProblem<NamedSource>;

async function readChunks(
  sources: readonly NamedSource[],
  {
    size = 8,
    limit = 100,
    isPlaceRequested,
  }: { size?: number; limit?: number; isPlaceRequested?: (place: number) => boolean } = {},
): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  const options = {
    size: () => size,
    limit,
    isJson,
    ...(isPlaceRequested && { isRequested: ({ place = 0 }: { place?: number }) => isPlaceRequested(place) }),
  };
  for await (const result of splitIntoChunks(sources, options)) results.push(result);
  return results;
}

/** As the page checks it. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const isChunk = (result: ImportResult): result is Piece<NamedSource> => 'body' in result;
const placesOf = ({ origins }: Piece<NamedSource>) => origins.map(({ place }) => place);
/** Returns the origins and the body, or the place and the code of the problem. */
const summarize = (result: ImportResult) =>
  isChunk(result) ? [placesOf(result), text(result.body)] : [result.place, result.fault.messageCode];

test.each([1, 3, 7, 1000])(
  'sends whole lines once and counts bytes for chunks of %i bytes',
  async (chunk) => {
    const lines = Array.from({ length: 51 }, (_, index) => (index % 7 === 0 ? '' : `{"a":"ü${index}"}`));
    const content = lines.join('\n');
    const chunks = (await readChunks([source(content, 'lines', { chunk })], { size: 40 })).filter(isChunk);
    for (const chunkOfLines of chunks) {
      const sentLines = text(chunkOfLines.body).split('\n');
      expect(sentLines).toEqual(placesOf(chunkOfLines).map((place = 0) => lines[place - 1]));
      expect(chunkOfLines.body.length).toBeLessThanOrEqual(41);
    }
    expect(chunks.flatMap(placesOf)).toEqual(lines.flatMap((line, index) => (line === '' ? [] : index + 1)));
    expect(chunks.at(-1)?.bytesRead).toBe(encoder.encode(content).length);
  },
);

test('reports an oversized line by its number and continues', async () => {
  const results = await readChunks([source(`a\n${'x'.repeat(30)}\nb\nc`, 'lines')], { limit: 10, size: 3 });
  expect(results.map(summarize)).toEqual([
    [2, 'import.tooLarge'],
    [[1, 3], 'a\nb'],
    [[4], 'c'],
  ]);
});

test('splits a Bundle into small Bundles of its unchanged entries', async () => {
  const entries = ['{"resource":{"a":1.00}}', '{"resource":{"b":"]},{"}}', '{"resource":{}}'];
  const content = `{"resourceType" : "Bundle", "entry":[ ${entries.join(' ,\n')} ]}`;
  const chunks = (await readChunks([source(content, 'json')], { size: 50 })).filter(isChunk);
  expect(chunks.map(summarize)).toEqual([
    [[1, 2], `{"resourceType":"Bundle","entry":[${entries.slice(0, 2).join(',')}]}`],
    [[3], `{"resourceType":"Bundle","entry":[${entries[2]}]}`],
  ]);
});

test('reports a truncated Bundle and JSON that is not a Bundle', async () => {
  const readJsonFile = async (content: string) =>
    (await readChunks([source(content, 'json')])).map(summarize);
  expect(await readJsonFile('{"resourceType":"Bundle","entry":[{"resource":{}},{"res')).toContainEqual([
    2,
    'import.bundleCutOff',
  ]);
  expect(await readJsonFile('{"resourceType":"Bundle","entry":[]}')).toEqual([]);
  expect(await readJsonFile('{"entry":[{"resource":{}}]}')).toEqual([[undefined, 'import.notABundle']]);
});

test('groups small files with their origins and sends invalid JSON separately', async () => {
  const files = [
    source('{"x":[{\n"y":1.00}]}', 'json', { name: 'a' }),
    source('{"resourceType":"Bundle","entry":[{"resource":{}},{"resource":{}}]}', 'json', { name: 'b' }),
    source('{"cut', 'json', { name: 'c' }),
    source('\uFEFF{}', 'json', { name: 'd' }),
    source('1\n2', 'lines', { name: 'e' }),
    source('3\n\n4\n', 'lines', { name: 'f' }),
  ];
  const chunks = (await readChunks(files, { size: 1000 })).filter(isChunk);
  const formatOrigins = ({ origins }: Piece<NamedSource>) =>
    origins.map(({ source: { name }, place = '' }) => `${name}${place}`);
  expect(
    chunks.map((sentChunk) => [formatOrigins(sentChunk).join(), sentChunk.kind, text(sentChunk.body)]),
  ).toEqual([
    [
      'a,b1,b2',
      'json',
      '{"resourceType":"Bundle","entry":[{"resource":{"x":[{\n"y":1.00}]}},{"resource":{}},{"resource":{}}]}',
    ],
    ['c', 'json', '{"cut'],
    // Decoding removes the byte order mark, which was sent.
    ['d', 'json', '{}'],
    ['e1,e2,f1,f3', 'lines', '1\n2\n3\n4'],
  ]);
  expect(chunks.at(-1)?.bytesRead).toBe(files.reduce((sum, { bytes }) => sum + bytes, 0));
});

test('sends requested records only', async () => {
  const results = await readChunks([source('a\nb\nc\nd', 'lines')], {
    isPlaceRequested: (place) => place % 2 === 0,
  });
  expect(results.map(summarize)).toEqual([[[2, 4], 'b\nd']]);
});
