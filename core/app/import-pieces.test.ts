import { expect, test } from 'vitest';
import { piecesOf, type Piece, type PieceFault, type PieceSource } from './import-pieces.ts';
import type { FileKind } from './import-records.ts';

const encoder = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The text in chunks of a few bytes, as a stream may bring it. */
async function* chunksOf(whole: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(whole);
  for (let at = 0; at < bytes.length; at += length)
    yield await Promise.resolve(bytes.subarray(at, at + length));
}

interface Named extends PieceSource {
  readonly name: string;
}

const source = (whole: string, kind: FileKind, { chunk = 3, name = 'file' } = {}): Named => ({
  name,
  kind,
  bytes: encoder.encode(whole).length,
  chunks: () => chunksOf(whole, chunk),
});

type Found = Piece<Named> | PieceFault<Named>;

async function pieces(
  sources: readonly Named[],
  {
    size = 8,
    limit = 100,
    wanted,
  }: { size?: number; limit?: number; wanted?: (place: number) => boolean } = {},
): Promise<Found[]> {
  const found: Found[] = [];
  const options = {
    size: () => size,
    limit,
    isJson,
    ...(wanted && { wanted: ({ place = 0 }: { place?: number }) => wanted(place) }),
  };
  for await (const one of piecesOf(sources, options)) found.push(one);
  return found;
}

/** As the page looks. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const isPiece = (one: Found): one is Piece<Named> => 'body' in one;
const placesOf = ({ origins }: Piece<Named>) => origins.map(({ place }) => place);
/** What a test looks at: where the records are from, and what is sent; or what cannot be. */
const told = (one: Found) => (isPiece(one) ? [placesOf(one), text(one.body)] : [one.place, one.fault]);

test.each([1, 3, 7, 1000])('lines in chunks of %i bytes: whole lines, each once, counted', async (chunk) => {
  const lines = Array.from({ length: 51 }, (_, index) => (index % 7 === 0 ? '' : `{"a":"ü${index}"}`));
  const whole = lines.join('\n');
  const found = (await pieces([source(whole, 'lines', { chunk })], { size: 40 })).filter(isPiece);
  for (const one of found) {
    const own = text(one.body).split('\n');
    expect(own).toEqual(placesOf(one).map((place = 0) => lines[place - 1]));
    expect(one.body.length).toBeLessThanOrEqual(41);
  }
  expect(found.flatMap(placesOf)).toEqual(lines.flatMap((line, index) => (line === '' ? [] : index + 1)));
  expect(found.at(-1)?.read).toBe(encoder.encode(whole).length);
});

test('a line that is too large is told by its number, and the next ones come through', async () => {
  const found = await pieces([source(`a\n${'x'.repeat(30)}\nb\nc`, 'lines')], { limit: 10, size: 3 });
  expect(found.map(told)).toEqual([
    [2, 'The record is larger than 10 bytes.'],
    [[1, 3], 'a\nb'],
    [[4], 'c'],
  ]);
});

test('a Bundle becomes small Bundles of its entries as they stand', async () => {
  const entries = ['{"resource":{"a":1.00}}', '{"resource":{"b":"]},{"}}', '{"resource":{}}'];
  const whole = `{"resourceType" : "Bundle", "entry":[ ${entries.join(' ,\n')} ]}`;
  const found = (await pieces([source(whole, 'json')], { size: 50 })).filter(isPiece);
  expect(found.map(told)).toEqual([
    [[1, 2], `{"resourceType":"Bundle","entry":[${entries.slice(0, 2).join(',')}]}`],
    [[3], `{"resourceType":"Bundle","entry":[${entries[2]}]}`],
  ]);
});

test('a Bundle that breaks off says so, and so does what is none', async () => {
  const json = async (whole: string) => (await pieces([source(whole, 'json')])).map(told);
  expect(await json('{"resourceType":"Bundle","entry":[{"resource":{}},{"res')).toContainEqual([
    2,
    'The text ends before the Bundle does.',
  ]);
  expect(await json('{"resourceType":"Bundle","entry":[]}')).toEqual([]);
  expect(await json('{"entry":[{"resource":{}}]}')).toEqual([
    [undefined, expect.stringContaining('does not name its resourceType')],
  ]);
});

test('small files go together, each record with its file; what is no JSON goes alone as it is', async () => {
  const files = [
    source('{"x":[{\n"y":1.00}]}', 'json', { name: 'a' }),
    source('{"resourceType":"Bundle","entry":[{"resource":{}},{"resource":{}}]}', 'json', { name: 'b' }),
    source('{"cut', 'json', { name: 'c' }),
    source('\uFEFF{}', 'json', { name: 'd' }),
    source('1\n2', 'lines', { name: 'e' }),
    source('3\n\n4\n', 'lines', { name: 'f' }),
  ];
  const found = (await pieces(files, { size: 1000 })).filter(isPiece);
  const from = ({ origins }: Piece<Named>) =>
    origins.map(({ source: { name }, place = '' }) => `${name}${place}`);
  expect(found.map((one) => [from(one).join(), one.kind, text(one.body)])).toEqual([
    [
      ...['a,b1,b2', 'json'],
      '{"resourceType":"Bundle","entry":[{"resource":{"x":[{\n"y":1.00}]}},{"resource":{}},{"resource":{}}]}',
    ],
    ['c', 'json', '{"cut'],
    // Decoding takes the byte order mark away, which was sent.
    ['d', 'json', '{}'],
    ['e1,e2,f1,f3', 'lines', '1\n2\n3\n4'],
  ]);
  expect(found.at(-1)?.read).toBe(files.reduce((sum, { bytes }) => sum + bytes, 0));
});

test('of the records only those that are wanted go', async () => {
  const found = await pieces([source('a\nb\nc\nd', 'lines')], { wanted: (place) => place % 2 === 0 });
  expect(found.map(told)).toEqual([[[2, 4], 'b\nd']]);
});
