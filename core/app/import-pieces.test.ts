import { expect, test } from 'vitest';
import { piecesOf, type FileKind, type Piece, type PieceFault } from './import-pieces.ts';

const encoder = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The text in chunks of a few bytes, as a stream may bring it. */
async function* chunksOf(whole: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(whole);
  for (let at = 0; at < bytes.length; at += length)
    yield await Promise.resolve(bytes.subarray(at, at + length));
}

async function pieces(
  whole: string,
  kind: FileKind,
  { chunk = 3, size = 8, limit = 100 } = {},
): Promise<(Piece | PieceFault)[]> {
  const found: (Piece | PieceFault)[] = [];
  for await (const one of piecesOf(chunksOf(whole, chunk), kind, { size: () => size, limit }))
    found.push(one);
  return found;
}

const isPiece = (one: Piece | PieceFault): one is Piece => 'body' in one;

test.each([1, 3, 7, 1000])('lines in chunks of %i bytes: whole lines, each once, counted', async (chunk) => {
  const whole = Array.from({ length: 51 }, (_, index) => (index % 7 === 0 ? '' : `{"a":"ü${index}"}`)).join(
    '\n',
  );
  const found = (await pieces(whole, 'lines', { chunk, size: 40 })).filter(isPiece);
  expect(found.map(({ body }) => text(body)).join('')).toBe(whole);
  let lines = 0;
  for (const { body, before, records, read } of found) {
    expect(before).toBe(lines);
    expect(text(body).split('\n').slice(0, records)).toHaveLength(records);
    lines += records;
    expect(encoder.encode(whole.split('\n').slice(0, lines).join('\n')).length).toBeLessThanOrEqual(read);
  }
  expect(lines).toBe(51);
  expect(Math.max(...found.map(({ body }) => body.length))).toBeLessThanOrEqual(41);
  expect(found.at(-1)?.read).toBe(encoder.encode(whole).length);
});

test('a line that is too large is told by its number, and the next ones come through', async () => {
  const found = await pieces(`a\n${'x'.repeat(30)}\nb\nc`, 'lines', { limit: 10 });
  expect(found.map((one) => (isPiece(one) ? [one.before, text(one.body)] : [one.place, one.fault]))).toEqual([
    [0, 'a\n'],
    [2, 'The record is larger than 10 bytes.'],
    [2, 'b\nc'],
  ]);
});

test('a Bundle becomes small Bundles of its entries as they stand', async () => {
  const entries = ['{"resource":{"a":1.00}}', '{"resource":{"b":"]},{"}}', '{"resource":{}}'];
  const whole = `{"resourceType" : "Bundle", "entry":[ ${entries.join(' ,\n')} ]}`;
  const found = (await pieces(whole, 'json', { size: 30 })).filter(isPiece);
  expect(found.map(({ body, before }) => [before, text(body)])).toEqual([
    [0, `{"resourceType":"Bundle","entry":[${entries.slice(0, 2).join(',')}]}`],
    [2, `{"resourceType":"Bundle","entry":[${entries[2]}]}`],
  ]);
});

test('a record alone goes as it is; a Bundle that breaks off says so', async () => {
  const record = '{"resourceType":"CarePlan","x":[{"y":1}]}';
  const [alone] = (await pieces(record, 'json')).filter(isPiece);
  expect(alone && text(alone.body)).toBe(record);
  const broken = await pieces('{"resourceType":"Bundle","entry":[{"resource":{}},{"res', 'json');
  expect(broken.at(-1)).toEqual({ place: 2, fault: 'The text ends before the Bundle does.' });
  expect(await pieces('{"resourceType":"Bundle","entry":[]}', 'json')).toEqual([]);
  expect(await pieces('{"entry":[{"resource":{}}]}', 'json')).toMatchObject([
    { fault: expect.stringContaining('does not name its resourceType') },
  ]);
});
