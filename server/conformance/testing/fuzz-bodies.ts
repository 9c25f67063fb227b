/** Arbitrary bodies: records and patches that are valid or nearly valid, and corrupted text. */
import fc from 'fast-check';
import { pick, wordsOf } from './fuzz-words.ts';
import { sample, types, type Type } from './records.ts';

const leaf = fc.oneof(
  pick<unknown>(
    null,
    '',
    'a',
    'active',
    '2026-01-01',
    '2026-02-30',
    0,
    -0,
    1e308,
    true,
    '\u0000',
    '\ud800',
    '<div/>',
    '#x',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const key = fc.oneof(
  wordsOf(
    'id meta text status div title subject reference note period start end activity detail contained extension url ' +
      'valueString section author identifier category coding code system _status resourceType language implicitRules ' +
      'encounter date type __proto__ constructor x',
  ),
  pick(''),
);

const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('node')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).node;

/** Members that are valid in every type. */
const validMembers = fc.subarray<[string, unknown]>([
  ['language', 'nb'],
  ['identifier', undefined],
  [
    'extension',
    [
      { url: 'urn:a', valueString: 'å' },
      { url: 'urn:b', valueDecimal: 1.5 },
    ],
  ],
  ['category', [{ coding: [{ system: 'urn:s', code: 'c' }], text: 'Care' }]],
  ['encounter', { reference: 'Encounter/1' }],
  ['text', { status: 'additional', div: '<div xmlns="http://www.w3.org/1999/xhtml">a</div>' }],
  ['meta', { tag: [{ code: 't' }] }],
  ['title', 'Plan'],
  ['x', { y: [1, [2]] }],
]);

const randomMembers = fc.array(fc.tuple(key, tree), { minLength: 1, maxLength: 3 });

/** Creates records of a type; half of them are valid. */
export const recordsOf = (type: Type) =>
  fc
    .tuple(validMembers, fc.oneof(pick<[string, unknown][]>([]), randomMembers))
    .map(([valid, random]) => JSON.stringify(sample(type, Object.fromEntries([...valid, ...random]))));

const validOperation = fc
  .oneof(
    fc.tuple(pick('/language'), wordsOf('nb nn en-GB x-a')),
    fc.tuple(pick('/extension/0/valueString'), fc.string({ minLength: 1, unit: 'grapheme-ascii' })),
    fc.tuple(pick('/subject/reference'), wordsOf('Patient/1 urn:uuid:a sample')),
    fc.tuple(pick('/meta'), pick({ source: 'urn:a' })),
    fc.tuple(pick('/subject'), pick({ display: 'A' })),
  )
  .map(([path, value]) => ({ op: 'replace', path, value }));

const pointer = fc.oneof(
  wordsOf(
    '/language /status /subject/reference /extension/0/valueString /extension/0 /extension /meta /id / /~2 ' +
      '/extension/- /extension/00 x /__proto__/x /toString /title',
  ),
  pick(''),
  fc
    .array(fc.oneof(key, wordsOf('0 1 - ~0 ~1')), { maxLength: 4 })
    .map((keys) => keys.map((token) => `/${token}`).join('')),
);

const operation = fc.oneof(
  { arbitrary: fc.record({ op: pick('replace'), path: pointer, value: tree }), weight: 8 },
  {
    arbitrary: fc.record(
      { op: pick('add', 'remove', 'test', '', 'REPLACE'), path: pointer, value: tree },
      { requiredKeys: [] },
    ),
    weight: 2,
  },
  { arbitrary: tree, weight: 1 },
);

/** Patches; half of them are valid. */
export const patches = fc.oneof(
  fc.array(validOperation, { maxLength: 3 }).map((list) => JSON.stringify(list)),
  fc.array(fc.oneof(validOperation, operation), { maxLength: 4 }).map((list) => JSON.stringify(list)),
);

const text = fc.oneof(...types.map(recordsOf), patches);

/** Text with a part removed or overwritten. */
const corruptedText = fc
  .tuple(text, fc.nat(), fc.nat(12), pick('', '"', '{', '}', '[', ',', '\\u', '\u0000', '1e999', ' '))
  .map(([original, offset, length, replacement]) => {
    const start = offset % (original.length + 1);
    return original.slice(0, start) + replacement + original.slice(start + length);
  });

/** Bodies for any route: records, patches, forms, bytes. */
export const bodies = fc.oneof(
  { arbitrary: text, weight: 2 },
  { arbitrary: corruptedText, weight: 3 },
  wordsOf('subject=sample subject=% &&== grant_type=client_credentials a=b&a=c [] {} null'),
  pick('', '[['.repeat(2000), `{"a":${'['.repeat(100)}`),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
