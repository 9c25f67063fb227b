/** Options at a finding, and the record after each of them. */
import { expect, test } from 'vitest';
import { serializeNode, type JsonObject } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { suggestionsAt } from './fixes.ts';

const settings = { today: '2026-11-24', zoneOf: () => '+01:00' };
const base = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { display: 'x' } };

function offers(record: object, rule: string, pointer: string, type: ResourceType = 'CarePlan') {
  const { root } = scan(JSON.stringify(record));
  return suggestionsAt(root as JsonObject, type, { rule, pointer }, settings);
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
const codePointer = '/extension/0/valueQuantity/code';
const ucum = { system: 'http://unitsofmeasure.org' };
const humanName = (parts: object) => extended({ valueHumanName: parts });
const name = '/extension/0/valueHumanName';
const stringExtension = (id: string) => ({ extension: [{ url, valueString: id }] });

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
    codePointer,
    quantity({ ...ucum, code: ' MMHG ' }),
    { 'ucum=mm[Hg]': quantity({ ...ucum, code: 'mm[Hg]' }) },
  ],
  ['ucum', codePointer, quantity({ ...ucum, code: 'm g' }), { 'ucum=mg': quantity({ ...ucum, code: 'mg' }) }],
  ['ucum', codePointer, quantity({ ...ucum, code: 'spoon' }), {}],
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
  // The day is the same in both orders.
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
])('fixes %s at %s by each option', (rule, pointer, before, ways) => {
  const suggestions = offers({ ...base, ...before }, rule, pointer);
  const records = suggestions.map(({ id, fixedRoot }) => [
    id,
    JSON.parse(serializeNode(fixedRoot)) as unknown,
  ]);
  const expected = Object.entries(ways).map(([id, after]) => [id, { ...base, ...after }]);
  expect(Object.fromEntries(records)).toEqual(Object.fromEntries(expected));
});

test.each<[what: string, pointer: string, before: object, after: object]>([
  ['a sibling without its value goes', '/_title', { _title: { id: 't' } }, {}],
  [
    'a sibling of a list that is no list goes',
    `${name}/_given`,
    humanName({ given: ['A'], _given: { id: 'g' } }),
    humanName({ given: ['A'] }),
  ],
  [
    'a list of siblings without values goes',
    `${name}/_given`,
    humanName({ family: 'L', _given: [{ id: 'g' }] }),
    humanName({ family: 'L' }),
  ],
  [
    'a list that is too short grows',
    `${name}/_given`,
    humanName({ given: ['A'], _given: [null, { extension: inner }] }),
    humanName({ given: ['A', null], _given: [null, { extension: inner }] }),
  ],
  [
    'what is null in both goes',
    `${name}/given/1`,
    humanName({ given: ['A', null, 'C'], _given: [{ extension: inner }, null, null] }),
    humanName({ given: ['A', 'C'], _given: [{ extension: inner }, null] }),
  ],
])('%s', (_description, pointer, before, after) => {
  const [offer] = offers({ ...base, ...before }, 'sibling', pointer);
  expect(offer && JSON.parse(serializeNode(offer.fixedRoot))).toEqual({ ...base, ...after });
});

test('suggests nothing for a record that was fixed before', () => {
  expect(offers({ ...base, title: 'T' }, 'control-character', '/title')).toEqual([]);
  expect(offers({ ...base, title: 'T' }, 'nothing', '/title')).toEqual([]);
  expect(offers({ ...base, title: 'T' }, 'control-character', 'title')).toEqual([]);
});

test('describes each option and counts the findings of its rule', () => {
  const record = {
    extension: [...stringExtension('a\u0000').extension, ...stringExtension('b\u0000').extension],
  };
  const suggestions = offers({ ...base, ...record }, 'control-character', '/extension/0/valueString');
  expect(suggestions).toMatchObject([{ ruleLabel: 'Remove control characters', count: 2 }]);
  const [code] = offers({ ...base, status: 'activ' }, 'schema-code', '/status');
  expect(code).toMatchObject({ ruleLabel: 'Set to active', count: 1 });
  const [trimmed] = offers({ ...base, created: ' 2026-01-01' }, 'schema-primitive', '/created');
  expect(trimmed?.ruleLabel).toBe('Replace with “2026-01-01”');
  const listTypeOptions = (value: object) =>
    offers(extended(value), 'schema-type', `/extension/0/${Object.keys(value)[0]}`).map(
      ({ ruleLabel }) => ruleLabel,
    );
  expect(listTypeOptions({ valueBoolean: ' true ' })).toEqual(['Change to a Boolean: true']);
  expect(listTypeOptions({ valueInteger: '12' })).toEqual(['Change to a number: 12']);
  expect(listTypeOptions({ valueString: 1.5 })).toEqual(['Change to a string: "1.5"']);
});

const label = { code: 'R' };
const containedGoal = (meta: object) => ({
  contained: [{ resourceType: 'Goal', id: 'g', meta }],
  goal: [{ reference: '#g' }],
});

test.each<[what: string, meta: object | undefined, security: readonly object[]]>([
  ['that has none', undefined, [label]],
  ['that has others', { security: [{ code: 'V' }] }, [{ code: 'V' }, label]],
  ['that has something else', { tag: [{ code: 't' }] }, [label]],
])('moves the label of a contained resource to a record %s', (_description, meta, security) => {
  const before = { ...base, ...(meta && { meta }), ...containedGoal({ security: [label], profile: ['p'] }) };
  const [offer] = offers(before, 'dom-5', '/contained/0');
  expect(offer && JSON.parse(serializeNode(offer.fixedRoot))).toEqual({
    ...base,
    ...containedGoal({ profile: ['p'] }),
    meta: { ...meta, security },
  });
});
