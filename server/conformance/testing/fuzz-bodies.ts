/** Arbitrary bodies: records and patches that are nearly right, and text that was cut and overwritten. */
import fc from 'fast-check';
import { sample, types, type Type } from './records.ts';

const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);

const someType: fc.Arbitrary<Type> = pick(...types);

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
    'Patient/1',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const key = pick(
  'id',
  'meta',
  'text',
  'status',
  'div',
  'title',
  'subject',
  'reference',
  'note',
  'period',
  'start',
  'end',
  'activity',
  'detail',
  'contained',
  'extension',
  'url',
  'valueString',
  'section',
  'author',
  'identifier',
  'category',
  'coding',
  'code',
  'system',
  '_status',
  'resourceType',
  'language',
  'implicitRules',
  'encounter',
  'date',
  'type',
  '__proto__',
  'constructor',
  'x',
  '',
);
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('node')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).node;

const record = fc
  .tuple(someType, fc.array(fc.tuple(key, tree), { maxLength: 4 }))
  .map(([type, members]) => JSON.stringify(sample(type, Object.fromEntries(members))));

const pointer = fc.oneof(
  pick(
    '/language',
    '/status',
    '/subject/reference',
    '/extension/0/valueString',
    '/extension/0',
    '/extension',
    '/meta',
    '/id',
    '',
    '/',
    '/~2',
    '/extension/-',
    '/extension/00',
    'x',
    '/__proto__/x',
    '/toString',
    '/title',
  ),
  fc
    .array(fc.oneof(key, pick('0', '1', '-', '~0', '~1')), { maxLength: 4 })
    .map((keys) => keys.map((one) => `/${one}`).join('')),
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
const patch = fc.array(operation, { maxLength: 4 }).map((list) => JSON.stringify(list));

/** Text with a piece cut out, put in twice or overwritten. */
const bent = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.nat(), fc.nat(12), pick('', '"', '{', '}', '[', ',', '\\u', '\u0000', '1e999', ' '))
    .map(([one, at, length, by]) => {
      const start = at % (one.length + 1);
      return one.slice(0, start) + by + one.slice(start + length);
    });

/** Bodies of any route: records, patches, forms, bytes. */
export const bodies = fc.oneof(
  { arbitrary: record, weight: 5 },
  { arbitrary: patch, weight: 5 },
  { arbitrary: bent(fc.oneof(record, patch)), weight: 2 },
  {
    arbitrary: pick('subject=sample', 'subject=%', '&&==', 'grant_type=client_credentials', 'a=b&a=c'),
    weight: 1,
  },
  { arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)), weight: 1 },
  { arbitrary: pick('', '[]', '{}', 'null', '[['.repeat(2000), `{"a":${'['.repeat(100)}`), weight: 1 },
);
