import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BundleSplitter, PieceTooLarge } from './bundle-splitter.ts';

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function split(text: string, size: number, limit = 1_000_000): { entries: string[]; rest: string } {
  const splitter = new BundleSplitter(limit);
  const bytes = Buffer.from(text);
  const entries: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    entries.push(...splitter.feed(bytes.subarray(at, at + size)).map(textOf));
  }
  return { entries, rest: textOf(splitter.rest()) };
}

test('hands over each entry exactly as it stands, wherever the chunks break', () => {
  const entry = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(
      fc.array(entry),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 1),
      (list, size, indent) => {
        const other = { note: '"entry":[{', nested: { entry: [{ a: 1 }] } };
        const text = JSON.stringify(
          { resourceType: 'Bundle', ...other, entry: list, after: [{ b: ']' }] },
          null,
          indent,
        );
        const { entries, rest } = split(text, size);
        expect(entries.map((one) => JSON.parse(one) as unknown)).toEqual(JSON.parse(JSON.stringify(list)));
        expect(rest.replace(/[\s,]/g, '')).toContain('"after":[{"b":"]"}]');
        expect(rest).toContain('"nested"');
      },
    ),
    { seed: 20261121, numRuns: 300 },
  );
});

test('digits stay, and JSON that is no Bundle is all rest', () => {
  expect(split('{"entry":[{"x":1.00}]}', 3).entries).toEqual(['{"x":1.00}']);
  const record = '{"resourceType":"Composition","section":[{"entry":[{"reference":"a"}]}]}';
  expect(split(record, 5)).toEqual({ entries: [], rest: record });
});

test('holds at most the limit of one entry, and of the rest', () => {
  const text = `{"entry":[{"x":"${'a'.repeat(50)}"},{"x":"${'b'.repeat(50)}"}]}`;
  expect(split(text, 7, 60).entries).toHaveLength(2);
  expect(() => split(text, 7, 57)).toThrow(PieceTooLarge);
  expect(() => split(`{"x":"${'a'.repeat(50)}"}`, 7, 40)).toThrow(PieceTooLarge);
});

test('counts no separators between entries against the limit', () => {
  const count = 100_000;
  const text = `{"resourceType":"Bundle","entry":[${'{"x":1},\n'.repeat(count - 1)}{"x":2}],"total":1}`;
  const { entries, rest } = split(text, 65_536, 100);
  expect([entries.length, entries[0], entries.at(-1)]).toEqual([count, '{"x":1}', '{"x":2}']);
  expect(rest).toBe('{"resourceType":"Bundle","entry":[],"total":1}');
});
