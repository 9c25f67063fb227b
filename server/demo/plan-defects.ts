import type { Defect } from './defect.ts';
import { Decimal, type Json } from './encode.ts';

const legacy = (name: string, value: Record<string, Json> = {}) => [
  { url: `https://clinic.example.org/legacy/${name}`, ...value },
];

/**
 * Builds the defect of a value in an extension of the old system. `child` is the member with the finding.
 */
const extended = (
  { rule, times }: Pick<Defect, 'rule' | 'times'>,
  name: string,
  value: Record<string, Json>,
  child = Object.keys(value)[0] ?? '',
): Defect => ({
  rule,
  times,
  puts: [['/extension', legacy(name, value)]],
  findingPointer: `{}/0/${child}`,
});

const agreedGoal = {
  resourceType: 'Goal',
  lifecycleStatus: 'active',
  description: { text: 'Agreed before the migration' },
  subject: { display: 'The patient of the plan' },
};

const goal = (goalChanges: Record<string, Json> = {}) => [{ ...agreedGoal, id: 'goal-1', ...goalChanges }];

const goalReference: readonly [string, Json] = ['/goal', [{ reference: '#goal-1' }]];
const measured = (rule: string, name: string, value: Record<string, Json>, child = name) =>
  extended({ rule, times: 1 }, 'measure', { [name]: value }, child);
const ucum = 'http://unitsofmeasure.org';

/** Defects of the migration in elements of plans and in their contained goals. */
const elementDefects: readonly Defect[] = [
  {
    rule: 'contained-type',
    times: 1,
    puts: [['/contained', [{ resourceType: 'LegacyGoal', id: 'goal-1' }]], goalReference],
    findingPointer: '{}/0/resourceType',
  },
  {
    rule: 'contained-twice',
    times: 1,
    puts: [['/contained', [...goal(), ...goal()]], goalReference],
    findingPointer: '{}/1/id',
  },
  {
    rule: 'r4-invariant',
    times: 1,
    puts: [['/contained', goal({ target: [{ detailString: 'Better' }] })], goalReference],
    findingPointer: '{}/0/target/0',
  },
  {
    rule: 'r4-advice',
    times: 1,
    puts: [
      [
        '/contained',
        [{ resourceType: 'Questionnaire', id: 'form-1', name: 'form of the ward', status: 'active' }],
      ],
      ['/instantiatesCanonical', ['#form-1']],
    ],
    findingPointer: '{}/0',
  },
  { rule: 'element-id', times: 1, puts: [['/subject/id', 'subject 1']] },
  {
    rule: 'element-id-twice',
    times: 1,
    puts: [
      ['/subject/id', 's-1'],
      ['/encounter/id', 's-1'],
    ],
    findingPointer: '/encounter/id',
  },
  { rule: 'system-absolute', times: 1, puts: [['/category/0/coding/0/system', 'snomed']] },
  { rule: 'system-name', times: 1, puts: [['/identifier/0/system', 'legacy-numbers']] },
  measured('ucum', 'valueQuantity', { value: 2, system: ucum, code: 'tablets' }, 'valueQuantity/code'),
  measured('currency', 'valueMoney', { value: 120, currency: 'eur' }, 'valueMoney/currency'),
  {
    rule: 'extension-url',
    times: 1,
    puts: [['/extension', [{ url: 'ward', valueString: '3' }]]],
    findingPointer: '{}/0/url',
  },
  {
    rule: 'data-absent-reason',
    times: 1,
    puts: [
      [
        '/extension',
        [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueString: 'unknown' }],
      ],
    ],
    findingPointer: '{}/0/valueString',
  },
  measured('age-1', 'valueAge', { value: 0, system: ucum, code: 'a' }),
  measured('drt-1', 'valueDuration', { system: ucum, code: 'h' }),
  measured('dis-1', 'valueDistance', { value: 3, unit: 'km' }),
  measured('cnt-3', 'valueCount', { value: 3, system: ucum, code: 'kg' }),
  measured('sqty-1', 'valueRange', { low: { value: 2, comparator: '<' } }, 'valueRange/low'),
  {
    rule: 'canonical-fragment',
    times: 1,
    puts: [['/instantiatesCanonical', ['#protocol']]],
    findingPointer: '{}/0',
  },
  {
    rule: 'reference-literal',
    times: 1,
    puts: [['/encounter', { reference: 'Encounter/old_42' }]],
    findingPointer: '{}/reference',
  },
  {
    rule: 'reference-type',
    times: 1,
    puts: [['/encounter', { reference: 'Encounter/42', type: 'EpisodeOfCare' }]],
    findingPointer: '{}/type',
  },
];

const repeat = '/activity/*/detail/scheduledTiming/repeat';
const div = (content: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${content}</div>`;

/** Defects of the migration in CarePlans: habits of the old system, one row each. */
export const planDefects: readonly Defect[] = [
  { rule: 'schema-type', times: 5, puts: [['/title', new Decimal('1042')]] },
  { rule: 'schema-primitive', times: 7, puts: [['/created', '12.03.2024']] },
  { rule: 'date-time-zone', times: 9, puts: [['/created', '2024-03-12T09:30']] },
  { rule: 'schema-code', times: 10, puts: [['/status', 'in-progress']] },
  { rule: 'schema-required', times: 8, puts: [['/intent', undefined]], findingPointer: '' },
  { rule: 'schema-unknown', times: 7, puts: [['/careManager', 'Ward 3']] },
  { rule: 'empty', times: 8, puts: [['/description', '']] },
  { rule: 'ele-1', times: 2, puts: [['/category/0', { id: 'category-1' }]] },
  {
    rule: 'choice',
    times: 4,
    puts: [
      ['/activity/*/detail/scheduledTiming', { repeat: { frequency: 2, period: 1, periodUnit: 'd' } }],
      ['{}/../scheduledString', 'Twice a day'],
    ],
    findingPointer: '{}/../scheduledString',
  },
  {
    rule: 'sibling',
    times: 2,
    puts: [
      ['/title', undefined],
      ['/_title', { id: 'title-1' }],
    ],
    findingPointer: '/_title',
  },
  { rule: 'control-character', times: 5, puts: [['/description', 'Copied from the old system\u0007.']] },
  { rule: 'string-length', times: 1, puts: [['/description', 'Scanned letter. '.repeat(65_537)]] },
  { rule: 'calendar-date', times: 7, puts: [['/created', '2025-02-29T10:00:00Z']] },
  extended(
    { rule: 'base64-length', times: 2 },
    'scan',
    { valueAttachment: { contentType: 'text/plain', data: 'UGxhb' } },
    'valueAttachment/data',
  ),
  { rule: 'language-tag', times: 6, puts: [['/language', 'en_GB']] },
  {
    rule: 'cpl-3',
    times: 4,
    puts: [
      ['/activity/*/detail/status', 'unknown'],
      ['{}/../../reference', { display: 'Request of the old system' }],
    ],
    findingPointer: '{}/../..',
  },
  {
    rule: 'dom-2',
    times: 2,
    puts: [['/contained', goal({ contained: [{ ...agreedGoal, id: 'goal-2' }] })], goalReference],
    findingPointer: '{}/0',
  },
  { rule: 'dom-3', times: 3, puts: [['/contained', goal()]], findingPointer: '{}/0' },
  {
    rule: 'dom-4',
    times: 2,
    puts: [['/contained', goal({ meta: { versionId: '4' } })], goalReference],
    findingPointer: '{}/0',
  },
  {
    rule: 'dom-5',
    times: 2,
    puts: [['/contained', goal({ meta: { security: [{ code: 'R' }] } })], goalReference],
    findingPointer: '{}/0',
  },
  { rule: 'ext-1', times: 4, puts: [['/extension', legacy('ward')]], findingPointer: '{}/0' },
  {
    rule: 'per-1',
    times: 9,
    puts: [
      ['/period', { start: '2025-06-01', end: '2025-05-01' }],
      ['/status', 'completed'],
    ],
  },
  {
    rule: 'qty-3',
    times: 5,
    puts: [['/activity/*/detail/dailyAmount/system', undefined]],
    findingPointer: '{}/..',
  },
  {
    rule: 'rng-2',
    times: 2,
    puts: [
      [`${repeat}/boundsRange`, { low: { value: new Decimal('14.0') }, high: { value: new Decimal('7.0') } }],
    ],
  },
  extended({ rule: 'rat-1', times: 2 }, 'staffing', { valueRatio: { numerator: { value: 1 } } }),
  extended({ rule: 'cpt-2', times: 3 }, 'ward', { valueContactPoint: { value: '555-0100' } }),
  extended({ rule: 'att-1', times: 2 }, 'scan', { valueAttachment: { data: 'UGxhbg==' } }),
  { rule: 'tim-1', times: 3, puts: [[`${repeat}/duration`, 30]], findingPointer: '{}/..' },
  { rule: 'tim-2', times: 3, puts: [[`${repeat}/periodUnit`, undefined]], findingPointer: '{}/..' },
  {
    rule: 'tim-4',
    times: 2,
    puts: [
      [`${repeat}/duration`, -1],
      ['{}/../durationUnit', 'h'],
    ],
    findingPointer: '{}/..',
  },
  { rule: 'tim-5', times: 2, puts: [[`${repeat}/period`, -1]], findingPointer: '{}/..' },
  {
    rule: 'tim-6',
    times: 2,
    puts: [
      [`${repeat}/period`, undefined],
      ['{}/../periodMax', 3],
    ],
    findingPointer: '{}/..',
  },
  {
    rule: 'tim-7',
    times: 2,
    puts: [
      [`${repeat}/durationMax`, 2],
      ['{}/../durationUnit', 'h'],
    ],
    findingPointer: '{}/..',
  },
  { rule: 'tim-8', times: 2, puts: [[`${repeat}/countMax`, 5]], findingPointer: '{}/..' },
  { rule: 'tim-9', times: 2, puts: [[`${repeat}/offset`, 30]], findingPointer: '{}/..' },
  {
    rule: 'tim-10',
    times: 2,
    puts: [
      [`${repeat}/timeOfDay`, ['08:00:00']],
      ['{}/../when', ['ACM']],
    ],
    findingPointer: '{}/..',
  },
  { rule: 'ref-1', times: 5, puts: [['/careTeam/0/reference', '#team-1']] },
  { rule: 'reference-target', times: 8, puts: [['/encounter/reference', 'EpisodeOfCare/episode-1']] },
  { rule: 'reference-empty', times: 6, puts: [['/author', { type: 'Practitioner' }]] },
  { rule: 'txt-1', times: 5, puts: [['/text/div', div('<p onclick="open()">Care plan</p>')]] },
  { rule: 'txt-2', times: 4, puts: [['/text/div', div('<p> </p>')]] },
  { rule: 'narrative-namespace', times: 5, puts: [['/text/div', '<div><p>Care plan</p></div>']] },
  {
    rule: 'narrative-stale',
    times: 6,
    puts: [['/description', 'Taken over from the old system; the goals were agreed anew.']],
    findingPointer: '/text',
    later: true,
  },
  {
    rule: 'completed-without-end',
    times: 8,
    puts: [
      ['/period/end', undefined],
      ['/status', 'completed'],
    ],
    findingPointer: '',
  },
  {
    rule: 'plan-overdue',
    times: 10,
    puts: [
      ['/period', { start: '2024-01-10', end: '2024-04-10' }],
      ['/status', 'active'],
    ],
    findingPointer: '{}/end',
  },
  ...elementDefects,
];
