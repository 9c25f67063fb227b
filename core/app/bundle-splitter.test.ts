import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BundleSplitter, ChunkTooLargeError } from './bundle-splitter.ts';

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function split(text: string, size: number, limit = 1_000_000): { entries: string[]; outerText: string } {
  const splitter = new BundleSplitter(limit);
  const bytes = Buffer.from(text);
  const entries: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += size) {
    entries.push(...splitter.feed(bytes.subarray(offset, offset + size)).map(textOf));
  }
  return { entries, outerText: textOf(splitter.getOuterText()) };
}

test('returns each entry unchanged for any chunk boundaries', () => {
  const entry = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(
      fc.array(entry),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 1),
      (list, size, indent) => {
        const otherMembers = { note: '"entry":[{', nested: { entry: [{ a: 1 }] } };
        const text = JSON.stringify(
          { resourceType: 'Bundle', ...otherMembers, entry: list, after: [{ b: ']' }] },
          null,
          indent,
        );
        const { entries, outerText } = split(text, size);
        expect(entries.map((entryText) => JSON.parse(entryText) as unknown)).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
        expect(outerText.replace(/[\s,]/g, '')).toContain('"after":[{"b":"]"}]');
        expect(outerText).toContain('"nested"');
      },
    ),
    { seed: 20261121, numRuns: 300 },
  );
});

test('preserves digits; returns JSON without a Bundle as outer text', () => {
  expect(split('{"entry":[{"x":1.00}]}', 3).entries).toEqual(['{"x":1.00}']);
  const record = '{"resourceType":"Composition","section":[{"entry":[{"reference":"a"}]}]}';
  expect(split(record, 5)).toEqual({ entries: [], outerText: record });
});

test('limits the bytes of an entry and of the outer text', () => {
  const text = `{"entry":[{"x":"${'a'.repeat(50)}"},{"x":"${'b'.repeat(50)}"}]}`;
  expect(split(text, 7, 60).entries).toHaveLength(2);
  expect(() => split(text, 7, 57)).toThrow(ChunkTooLargeError);
  expect(() => split(`{"x":"${'a'.repeat(50)}"}`, 7, 40)).toThrow(ChunkTooLargeError);
});

test('copies each byte of an entry a few times at most, even for small chunks', () => {
  const entry = `{"x":"${'a'.repeat(200_000)}"}`;
  const text = `{"entry":[${entry}]}`;
  // All typed arrays inherit this method.
  const arrays = Reflect.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const setBytes: (from: ArrayLike<number>, offset?: number) => void = Reflect.get(arrays, 'set');
  let copiedBytes = 0;
  const set = vi.spyOn(arrays, 'set').mockImplementation(function (this: Uint8Array, from, offset) {
    copiedBytes += from.length;
    Reflect.apply(setBytes, this, [from, offset]);
  });
  onTestFinished(() => set.mockRestore());
  expect(split(text, 20).entries).toEqual([entry]);
  set.mockRestore();
  expect(copiedBytes).toBeLessThan(6 * text.length);
});

test('reads no more of a long string outside entries than the longest key', () => {
  const text = `{"${'x'.repeat(1_000_000)}":"${'entry'.repeat(200_000)}","entry":[{}]}`;
  expect(split(text, 65_536, 3_000_000).entries).toEqual(['{}']);
});

test('does not count separators between entries against the limit', () => {
  const count = 100_000;
  const text = `{"resourceType":"Bundle","entry":[${'{"x":1},\n'.repeat(count - 1)}{"x":2}],"total":1}`;
  const { entries, outerText } = split(text, 65_536, 100);
  expect([entries.length, entries[0], entries.at(-1)]).toEqual([count, '{"x":1}', '{"x":2}']);
  expect(outerText).toBe('{"resourceType":"Bundle","entry":[],"total":1}');
});
