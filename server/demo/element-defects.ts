import type { Defect } from './defect.ts';
import type { Json } from './encode.ts';

export const legacy = (name: string, value: Record<string, Json> = {}) => [
  { url: `https://clinic.example.org/legacy/${name}`, ...value },
];

/** A value in an extension of the old system; `below` is where in it the rule is found. */
export const extended = (
  { rule, times }: Pick<Defect, 'rule' | 'times'>,
  name: string,
  value: Record<string, Json>,
  below = Object.keys(value)[0] ?? '',
): Defect => ({
  ...{ rule, times },
  puts: [['/extension', legacy(name, value)]],
  found: `{}/0/${below}`,
});

export const agreed = {
  resourceType: 'Goal',
  lifecycleStatus: 'active',
  description: { text: 'Agreed before the migration' },
  subject: { display: 'The patient of the plan' },
};

export const goal = (more: Record<string, Json> = {}) => [{ ...agreed, id: 'goal-1', ...more }];

export const referred: readonly [string, Json] = ['/goal', [{ reference: '#goal-1' }]];
const measured = (rule: string, name: string, value: Record<string, Json>, below = name) =>
  extended({ rule, times: 1 }, 'measure', { [name]: value }, below);
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
  measured('ucum', 'valueQuantity', { value: 2, system: ucum, code: 'tablets' }, 'valueQuantity/code'),
  measured('currency', 'valueMoney', { value: 120, currency: 'eur' }, 'valueMoney/currency'),
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
  measured('age-1', 'valueAge', { value: 0, system: ucum, code: 'a' }),
  measured('drt-1', 'valueDuration', { system: ucum, code: 'h' }),
  measured('dis-1', 'valueDistance', { value: 3, unit: 'km' }),
  measured('cnt-3', 'valueCount', { value: 3, system: ucum, code: 'kg' }),
  measured('sqty-1', 'valueRange', { low: { value: 2, comparator: '<' } }, 'valueRange/low'),
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
