import type { Defect } from './defect.ts';
import type { Json } from './encode.ts';

export const legacy = (name: string, value: Record<string, Json> = {}) => [
  { url: `https://clinic.example.org/legacy/${name}`, ...value },
];

export const agreed = {
  resourceType: 'Goal',
  lifecycleStatus: 'active',
  description: { text: 'Agreed before the migration' },
  subject: { display: 'The patient of the plan' },
};

export const goal = (more: Record<string, Json> = {}) => [{ ...agreed, id: 'goal-1', ...more }];

export const referred: readonly [string, Json] = ['/goal', [{ reference: '#goal-1' }]];
const measured = (name: string, value: Record<string, Json>) => legacy('measure', { [name]: value });
const ucum = 'http://unitsofmeasure.org';

/** What the migration did to the elements of plans, and to the goals that they contain. */
export const elementDefects: readonly Defect[] = [
  {
    rule: 'contained-type',
    times: 1,
    puts: [['/contained', [{ resourceType: 'LegacyGoal', id: 'goal-1' }]], referred],
    found: '{}/0/resourceType',
  },
  {
    rule: 'contained-twice',
    times: 1,
    puts: [['/contained', [...goal(), ...goal()]], referred],
    found: '{}/1/id',
  },
  {
    rule: 'r4-invariant',
    times: 1,
    puts: [['/contained', goal({ target: [{ detailString: 'Better' }] })], referred],
    found: '{}/0/target/0',
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
    found: '{}/0',
  },
  { rule: 'element-id', times: 1, puts: [['/subject/id', 'subject 1']] },
  {
    rule: 'element-id-twice',
    times: 1,
    puts: [
      ['/subject/id', 's-1'],
      ['/encounter/id', 's-1'],
    ],
    found: '/encounter/id',
  },
  { rule: 'system-absolute', times: 1, puts: [['/category/0/coding/0/system', 'snomed']] },
  { rule: 'system-name', times: 1, puts: [['/identifier/0/system', 'legacy-numbers']] },
  {
    rule: 'ucum',
    times: 1,
    puts: [['/extension', measured('valueQuantity', { value: 2, system: ucum, code: 'tablets' })]],
    found: '{}/0/valueQuantity/code',
  },
  {
    rule: 'currency',
    times: 1,
    puts: [['/extension', measured('valueMoney', { value: 120, currency: 'eur' })]],
    found: '{}/0/valueMoney/currency',
  },
  {
    rule: 'extension-url',
    times: 1,
    puts: [['/extension', [{ url: 'ward', valueString: '3' }]]],
    found: '{}/0/url',
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
    found: '{}/0/valueString',
  },
  {
    rule: 'age-1',
    times: 1,
    puts: [['/extension', measured('valueAge', { value: 0, system: ucum, code: 'a' })]],
    found: '{}/0/valueAge',
  },
  {
    rule: 'drt-1',
    times: 1,
    puts: [['/extension', measured('valueDuration', { system: ucum, code: 'h' })]],
    found: '{}/0/valueDuration',
  },
  {
    rule: 'dis-1',
    times: 1,
    puts: [['/extension', measured('valueDistance', { value: 3, unit: 'km' })]],
    found: '{}/0/valueDistance',
  },
  {
    rule: 'cnt-3',
    times: 1,
    puts: [['/extension', measured('valueCount', { value: 3, system: ucum, code: 'kg' })]],
    found: '{}/0/valueCount',
  },
  {
    rule: 'sqty-1',
    times: 1,
    puts: [['/extension', measured('valueRange', { low: { value: 2, comparator: '<' } })]],
    found: '{}/0/valueRange/low',
  },
  {
    rule: 'canonical-fragment',
    times: 1,
    puts: [['/instantiatesCanonical', ['#protocol']]],
    found: '{}/0',
  },
  {
    rule: 'reference-literal',
    times: 1,
    puts: [['/encounter', { reference: 'Encounter/old_42' }]],
    found: '{}/reference',
  },
  {
    rule: 'reference-type',
    times: 1,
    puts: [['/encounter', { reference: 'Encounter/42', type: 'EpisodeOfCare' }]],
    found: '{}/type',
  },
];
