/** Which ways are offered at a finding, and what the record is behind each. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { print } from '../../json/print.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { fixesAt } from './fixes.ts';

const settings = { today: '2026-11-24', zoneOf: () => '+01:00' };
const own = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { display: 'x' } };

function offers(record: object, rule: string, pointer: string, type: ResourceType = 'CarePlan') {
  const { root } = scan(JSON.stringify(record));
  return fixesAt(root as JsonObject, type, { rule, pointer }, settings);
}

type Case = readonly [rule: string, pointer: string, before: object, ways: Readonly<Record<string, object>>];

const url = 'http://x.example';
const extended = (members: object) => ({ extension: [{ url, ...members }] });
const inner = [{ url, valueString: 'b' }];
const timed = (repeat: object) => ({
  activity: [{ detail: { status: 'unknown', scheduledTiming: { repeat } } }],
});
const repeat = '/activity/0/detail/scheduledTiming/repeat';
const happened = (...dates: readonly string[]) => ({
  activity: [{ detail: { status: 'unknown', scheduledTiming: { event: dates } } }],
});
const event = '/activity/0/detail/scheduledTiming/event';
const quantity = (parts: object) => extended({ valueQuantity: { value: 1, ...parts } });
const at = '/extension/0/valueQuantity/code';
const ucum = { system: 'http://unitsofmeasure.org' };
const named = (parts: object) => extended({ valueHumanName: parts });
const name = '/extension/0/valueHumanName';
const said = (id: string) => ({ extension: [{ url, valueString: id }] });

test.each<Case>([
  ['ext-1', '/extension/0', { title: 'T', extension: [{ url }] }, { 'ext-1=remove': { title: 'T' } }],
  [
    'ext-1',
    '/extension/0',
    extended({ valueString: 'a', _valueString: { id: 's' }, extension: inner }),
    {
      'ext-1=value': extended({ valueString: 'a', _valueString: { id: 's' } }),
      'ext-1=extension': extended({ extension: inner }),
    },
  ],
  [
    'cpt-2',
    '/extension/0/valueContactPoint',
    extended({ valueContactPoint: { value: '030 1234' } }),
    Object.fromEntries(
      ['phone', 'sms', 'fax'].map((system) => [
        `cpt-2=${system}`,
        extended({ valueContactPoint: { value: '030 1234', system } }),
      ]),
    ),
  ],
  [
    'att-1',
    '/extension/0/valueAttachment',
    extended({ valueAttachment: { data: 'iVBORw0K' } }),
    { 'att-1=image/png': extended({ valueAttachment: { data: 'iVBORw0K', contentType: 'image/png' } }) },
  ],
  ['att-1', '/extension/0/valueAttachment', extended({ valueAttachment: { data: 'AAAA' } }), {}],
  [
    'ucum',
    at,
    quantity({ ...ucum, code: ' MMHG ' }),
    { 'ucum=mm[Hg]': quantity({ ...ucum, code: 'mm[Hg]' }) },
  ],
  ['ucum', at, quantity({ ...ucum, code: 'm g' }), { 'ucum=mg': quantity({ ...ucum, code: 'mg' }) }],
  ['ucum', at, quantity({ ...ucum, code: 'spoon' }), {}],
  [
    'qty-3',
    '/extension/0/valueQuantity',
    quantity({ code: 'h' }),
    { 'qty-3': quantity({ code: 'h', ...ucum }) },
  ],
  [
    'drt-1',
    '/extension/0/valueDuration',
    extended({ valueDuration: { value: 1, code: 'h' } }),
    { 'drt-1': extended({ valueDuration: { value: 1, code: 'h', ...ucum } }) },
  ],
  [
    'rng-2',
    '/extension/0/valueRange',
    extended({ valueRange: { low: { value: 2 }, high: { value: 1 } } }),
    { 'rng-2': extended({ valueRange: { low: { value: 1 }, high: { value: 2 } } }) },
  ],
  [
    'reference-type',
    '/subject/type',
    { subject: { reference: 'Patient/1', type: 'Group' } },
    {
      'reference-type': { subject: { reference: 'Patient/1', type: 'Patient' } },
      'reference-type=remove': { subject: { reference: 'Patient/1' } },
    },
  ],
  [
    'data-absent-reason',
    '/extension/0/valueString',
    extended({
      url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
      valueString: 'whatever',
    }),
    {},
  ],
  [
    'currency',
    '/extension/0/valueMoney/currency',
    extended({ valueMoney: { currency: 'eur' } }),
    {
      currency: extended({ valueMoney: { currency: 'EUR' } }),
    },
  ],
  // The same day in either order.
  [
    'schema-primitive',
    '/created',
    { created: '05/05/2024' },
    {
      'schema-primitive=date=day-first': { created: '2024-05-05' },
    },
  ],
  ['schema-primitive', `${event}/0`, happened('30.02.2024', '2024-02-30'), {}],
  [
    'currency',
    '/extension/0/valueMoney/currency',
    extended({ valueMoney: { currency: ' chf ' } }),
    {
      currency: extended({ valueMoney: { currency: 'CHF' } }),
    },
  ],
  [
    'element-id',
    '/subject/id',
    { subject: { id: ' a  b ', display: 'x' } },
    {
      'element-id': { subject: { id: 'a-b', display: 'x' } },
    },
  ],
  [
    'element-id-twice',
    '/period/id',
    { subject: { id: 'a', display: 'x' }, period: { id: 'a', start: '2026' } },
    { 'element-id-twice': { subject: { id: 'a', display: 'x' }, period: { start: '2026' } } },
  ],
  [
    'choice',
    '/extension/0/valueString',
    extended({ valueCode: 'a', valueString: 'b', _valueString: { id: 's' } }),
    {
      'choice=valueCode': extended({ valueCode: 'a' }),
      'choice=valueString': extended({ valueString: 'b', _valueString: { id: 's' } }),
    },
  ],
  ['control-character', '/title', { title: 'a\u0007b\tc' }, { 'control-character': { title: 'ab\tc' } }],
  ['control-character', '/title', { title: '\u0000' }, {}],
  [
    'base64-length',
    '/extension/0/valueBase64Binary',
    extended({ valueBase64Binary: 'YW\nI' }),
    { 'base64-length': extended({ valueBase64Binary: 'YWI=' }) },
  ],
  [
    'base64-length',
    '/extension/0/valueBase64Binary',
    extended({ valueBase64Binary: 'YQ' }),
    { 'base64-length': extended({ valueBase64Binary: 'YQ==' }) },
  ],
  ['base64-length', '/extension/0/valueBase64Binary', extended({ valueBase64Binary: 'YWJjY' }), {}],
  ['language-tag', '/language', { language: ' de_AT ' }, { 'language-tag': { language: 'de-AT' } }],
  ['language-tag', '/language', { language: 'Deutsch (AT)' }, { 'language-tag': { language: 'de' } }],
  ['language-tag', '/language', { language: 'klingonisch!' }, {}],
  [
    'cpl-3',
    '/activity/0',
    { activity: [{ detail: { status: 'unknown' }, reference: { display: 'r' } }] },
    {
      'cpl-3=detail': { activity: [{ detail: { status: 'unknown' } }] },
      'cpl-3=reference': { activity: [{ reference: { display: 'r' } }] },
    },
  ],
  [
    'tim-4',
    repeat,
    timed({ duration: -1.5, durationUnit: 'h' }),
    {
      'tim-4': timed({ duration: 1.5, durationUnit: 'h' }),
    },
  ],
  [
    'tim-5',
    repeat,
    timed({ period: -1, periodUnit: 'd' }),
    { 'tim-5': timed({ period: 1, periodUnit: 'd' }) },
  ],
  [
    'tim-6',
    repeat,
    timed({ periodMax: 2, periodUnit: 'd' }),
    { 'tim-6': timed({ period: 2, periodUnit: 'd' }) },
  ],
  ['tim-9', repeat, timed({ offset: 5, frequency: 1 }), { 'tim-9': timed({ frequency: 1 }) }],
  [
    'tim-10',
    repeat,
    timed({ timeOfDay: ['09:00:00'], when: ['HS'] }),
    {
      'tim-10=timeOfDay': timed({ timeOfDay: ['09:00:00'] }),
      'tim-10=when': timed({ when: ['HS'] }),
    },
  ],
  ['reference-empty', '/author', { author: { type: 'Patient' } }, { 'reference-empty': {} }],
])('%s at %s is mended in each way that there is', (rule, pointer, before, ways) => {
  const offered = offers({ ...own, ...before }, rule, pointer);
  const made = offered.map(({ id, root }) => [id, JSON.parse(print(root)) as unknown]);
  const expected = Object.entries(ways).map(([id, after]) => [id, { ...own, ...after }]);
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(expected));
});

test.each<[what: string, pointer: string, before: object, after: object]>([
  ['a sibling without its value goes', '/_title', { _title: { id: 't' } }, {}],
  [
    'a sibling of a list that is no list goes',
    `${name}/_given`,
    named({ given: ['A'], _given: { id: 'g' } }),
    named({ given: ['A'] }),
  ],
  [
    'a list of siblings without values goes',
    `${name}/_given`,
    named({ family: 'L', _given: [{ id: 'g' }] }),
    named({ family: 'L' }),
  ],
  [
    'a list that is too short grows',
    `${name}/_given`,
    named({ given: ['A'], _given: [null, { extension: inner }] }),
    named({ given: ['A', null], _given: [null, { extension: inner }] }),
  ],
  [
    'what is null in both goes',
    `${name}/given/1`,
    named({ given: ['A', null, 'C'], _given: [{ extension: inner }, null, null] }),
    named({ given: ['A', 'C'], _given: [{ extension: inner }, null] }),
  ],
])('%s', (_what, pointer, before, after) => {
  const [offer] = offers({ ...own, ...before }, 'sibling', pointer);
  expect(offer && JSON.parse(print(offer.root))).toEqual({ ...own, ...after });
});

test('a record that was mended meanwhile is left as it is', () => {
  expect(offers({ ...own, title: 'T' }, 'control-character', '/title')).toEqual([]);
  expect(offers({ ...own, title: 'T' }, 'nothing', '/title')).toEqual([]);
  expect(offers({ ...own, title: 'T' }, 'control-character', 'title')).toEqual([]);
});

test('each way says in words what it does, and how many findings of its rule there are', () => {
  const both = { extension: [...said('a\u0000').extension, ...said('b\u0000').extension] };
  const found = offers({ ...own, ...both }, 'control-character', '/extension/0/valueString');
  expect(found).toMatchObject([{ words: 'Remove the control characters', count: 2 }]);
  const [code] = offers({ ...own, status: 'activ' }, 'schema-code', '/status');
  expect(code).toMatchObject({ words: 'Set to active', count: 1 });
  const [trimmed] = offers({ ...own, created: ' 2026-01-01' }, 'schema-primitive', '/created');
  expect(trimmed?.words).toBe('Replace with “2026-01-01”');
  const typed = (value: object) =>
    offers(extended(value), 'schema-type', `/extension/0/${Object.keys(value)[0]}`).map(({ words }) => words);
  expect(typed({ valueBoolean: ' true ' })).toEqual(['Write it as true']);
  expect(typed({ valueInteger: '12' })).toEqual(['Write it as a number: 12']);
  expect(typed({ valueString: 1.5 })).toEqual(['Write it as text: "1.5"']);
});

const label = { code: 'R' };
const held = (meta: object) => ({
  ...{ contained: [{ resourceType: 'Goal', id: 'g', meta }], goal: [{ reference: '#g' }] },
});

test.each<[what: string, meta: object | undefined, security: readonly object[]]>([
  ['that has none', undefined, [label]],
  ['that has others', { security: [{ code: 'V' }] }, [{ code: 'V' }, label]],
  ['that has something else', { tag: [{ code: 't' }] }, [label]],
])('the label of a contained resource is set on the record %s', (_what, meta, security) => {
  const before = { ...own, ...(meta && { meta }), ...held({ security: [label], profile: ['p'] }) };
  const [offer] = offers(before, 'dom-5', '/contained/0');
  expect(offer && JSON.parse(print(offer.root))).toEqual({
    ...{ ...own, ...held({ profile: ['p'] }), meta: { ...meta, security } },
  });
});
