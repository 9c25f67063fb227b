import { div } from './base-records.ts';
import type { Break } from './breaks.ts';
import { ucum } from './rich-records.ts';

const detail = '/activity/1/detail';
const repeat = `${detail}/scheduledTiming/repeat`;
const extension = (value: object) => ({ url: 'http://example.org/fhir/x', ...value });
const reason = { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' };

function kind(name: string, rows: readonly (readonly [pointer: string, value?: unknown])[]): Break[] {
  return rows.map(([pointer, value]) => [name, pointer, value]);
}

/** Values that an extension can have (FHIR R4 datatypes.html#open). */
const values: readonly object[] = [
  { valueBoolean: false },
  { valueInteger: -1 },
  { valueDecimal: 1.0 },
  { valueBase64Binary: 'YWJj' },
  { valueInstant: '2026-03-01T10:00:00.123456789Z' },
  { valueInstant: '2026-03-01T10:00:00.1234567890123456789Z' },
  { valueDateTime: '2026-03-01T10:00:00.1234567890+01:00' },
  { valueTime: '10:00:00.1234567890' },
  { valueDate: '2026-03' },
  { valueDateTime: '2024-02-29T23:59:60+14:00' },
  { valueTime: '23:59:59.5' },
  { valueUri: 'urn:isbn:0451450523' },
  { valueUrl: 'mailto:a@example.org' },
  { valueOid: 'urn:oid:1.2.0' },
  { valueUuid: 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520' },
  { valueId: 'a.b-c' },
  { valueCode: 'two words' },
  { valueMarkdown: '* a\n\tb' },
  { valueUnsignedInt: 0 },
  { valuePositiveInt: 2 ** 31 - 1 },
  { valueMeta: { tag: [{ system: 'http://example.org/t', code: 'x' }] } },
  { valueMoney: { value: 0, currency: 'EUR' } },
  { valueAge: { value: 3, system: ucum, code: 'mo' } },
  { valueAge: { comparator: '<', value: 3, system: ucum, code: 'wk' } },
  { valueCount: { value: 3, system: ucum, code: '1' } },
  { valueDistance: { value: 3.5, system: ucum, code: 'km' } },
  { valueDuration: { value: 3, unit: 'days' } },
  { valueQuantity: { comparator: '<', value: 3 } },
  { valueRatio: { numerator: { comparator: '<', value: 1 }, denominator: { value: 128 } } },
  { valueRange: { low: { value: 1, unit: 'kg' }, high: { value: 500, unit: 'g' } } },
  { valueSampledData: { origin: { value: 0 }, period: 10, dimensions: 1, data: '1 2 E' } },
  { valueExpression: { language: 'text/cql', reference: 'http://example.org/x' } },
  { valueDosage: { asNeededBoolean: true, doseAndRate: [{ rateQuantity: { value: 1 } }] } },
  { valueSignature: { type: [{ code: 'x' }], when: '2026-03-01T10:00:00Z', who: { display: 'x' } } },
  { valueReference: { reference: 'Binary/1' } },
  { valueContactDetail: { telecom: [{ system: 'email', value: 'a@example.org' }] } },
];

const units = [
  '1',
  '%',
  'mm[Hg]',
  '10*3/uL',
  '10*-3',
  'm/s2',
  'kg/m2',
  '{tablet}',
  'mg/(24.h)',
  'a_j',
  '[IU]/mL',
  'mL/min/{1.73_m2}',
  '/uL',
  "[in_i'H2O]",
  '[degF]',
  'umol/L',
  'm[H2O]',
  'KiBy',
  'Gy',
  'B[W]',
];

const systems = [
  'http://example.org/s',
  'https://example.org',
  'urn:oid:1.2.3',
  'urn:uuid:c757873d-ec9a-4326-a141-556f43239520',
  'tag:example.org,2026:x',
  'urn:iso:std:iso:3166',
];

const literals = [
  'Patient/p',
  'Patient/p/_history/2',
  'http://example.org/fhir/Patient/p',
  'https://example.org/a/b/Patient/p/_history/1',
  'urn:uuid:C757873D-EC9A-4326-A141-556F43239520',
  'urn:oid:2.16.840',
  'Patient?identifier=http://x.example|1',
  'http://example.org/person?id=1',
  'ftp://example.org/p',
  'urn:iso:std:iso:3166',
  'http://example.org/fhir/Practitioner-registry/1',
];

const markup = [
  '<p>x</p>',
  '<table border="1"><tr><td colspan="2">x</td></tr></table>',
  'caf&eacute; &amp; &#233; &#xe9; &nbsp;',
  '<img src="#x" alt="x"/>',
  '<![CDATA[a < b]]>',
  '<a href="http://example.org">x</a>',
  '<ul><li style="color:red">x</li></ul><hr/>',
];

export const planVariants: readonly Break[] = [
  ...kind(
    'value of an extension',
    values.map((value) => ['/extension/0', extension(value)] as const),
  ),
  ...kind(
    'UCUM',
    units.map((code) => [`${detail}/dailyAmount/code`, code] as const),
  ),
  ...kind(
    'system',
    systems.map((system) => ['/category/0/coding/0/system', system] as const),
  ),
  ...kind(
    'reference',
    literals.map((reference) => ['/subject', { reference }] as const),
  ),
  ...kind(
    'narrative',
    markup.map((content) => ['/text/div', div(content)] as const),
  ),
  ...kind('reference', [
    ['/subject', { identifier: { system: 'http://example.org/s', value: '1' }, type: 'Patient' }],
    ['/subject', { display: 'A. Example' }],
    ['/author', { reference: '#nurse', type: 'Practitioner' }],
    ['/author', { type: 'http://hl7.org/fhir/StructureDefinition/Practitioner', display: 'x' }],
    ['/author', { type: 'http://example.org/StructureDefinition/Robot', display: 'x' }],
    ['/basedOn', [{ reference: '#' }]],
    ['/instantiatesCanonical', ['#symptoms']],
    [
      '/instantiatesCanonical',
      ['http://example.org/x#part', 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520'],
    ],
  ]),
  ...kind('sibling', [
    ['/_status', { id: 's' }],
    ['/_title', { extension: [reason] }],
    ['/period', { _start: { extension: [reason] }, end: '2026' }],
    [`${repeat}/_timeOfDay`, [{ id: 't' }]],
    [repeat, { timeOfDay: ['08:00:00', null], _timeOfDay: [null, { extension: [reason] }] }],
    ['/subject', { extension: [reason] }],
  ]),
  ...kind('timing', [
    [repeat, { count: 3, countMax: 5 }],
    [repeat, { frequency: 2, period: 1.5, periodMax: 2, periodUnit: 'h' }],
    [repeat, { when: ['PCM', 'HS'], offset: 15 }],
    [repeat, { dayOfWeek: ['mon'], boundsDuration: { value: 2, system: ucum, code: 'wk' } }],
  ]),
  ...kind('date', [
    ['/created', '2026'],
    ['/created', '2026-12'],
    ['/created', '2026-03-01T00:00:00-12:00'],
    ['/period', { start: '2026-03', end: '2026-03-01' }],
    ['/period', { end: '2026-09-01' }],
  ]),
  ...kind('element id', [
    ['/subject/id', 'a_b:c'],
    ['/contained/0/target/0/id', 'x'],
    ['/note/0/id', 'weight'],
  ]),
  ...kind('contained', [
    ['/contained/0/text', { status: 'generated', div: div('x') }],
    ['/contained/0/meta', { profile: ['http://example.org/p'] }],
    ['/contained/4/input/0', { type: { text: 'x' }, valueReference: { reference: '#weight' } }],
    ['/contained/4/focus', { reference: '#' }],
    ['/contained/7/item/1/type', 'open-choice'],
    ['/contained/8/valueQuantity'],
    ['/contained/3/onsetAge', { value: 71, system: ucum, code: 'a' }],
    ['/contained/5/action/0', { title: 'x', action: [{ resource: { reference: '#furosemide' } }] }],
    ['/contained/2/birthDate', '1980-05'],
    [
      '/contained/2/name/0/_family',
      {
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/humanname-own-name', valueString: 'Ito' },
        ],
      },
    ],
    ['/contained/6/substitution', { allowedBoolean: false }],
  ]),
];

export const documentVariants: readonly Break[] = [
  ...kind('document', [
    ['/confidentiality', 'V'],
    ['/status', 'entered-in-error'],
    ['/relatesTo/0', { code: 'appends', targetReference: { reference: 'Composition/1' } }],
    ['/section/0/section', [{ text: { status: 'additional', div: div('x') } }]],
    ['/language', 'zh-Hant-TW'],
    ['/language', 'x-private'],
    ['/identifier', { value: '1' }],
    ['/contained/2/mode', 'working'],
  ]),
];
