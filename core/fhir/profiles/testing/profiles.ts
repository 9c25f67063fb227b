/** Four profiles of invented wards: slices by each discriminator, slices within slices, and a slice of a slice. */
import type { Definition } from '../conformance.ts';

const base = 'http://ward.example/fhir/StructureDefinition';
export const wardPlan = `${base}/ward-plan`;
export const wardNote = `${base}/ward-note`;
export const reslicedPlan = `${base}/resliced-plan`;
export const wardGoal = `${base}/ward-goal`;
export const wardBed = `${base}/ward-bed`;
const codes = 'http://ward.example/fhir/CodeSystem/ward';
const wardCodes = 'http://ward.example/fhir/ValueSet/ward';
const snomedCodes = 'http://ward.example/fhir/ValueSet/by-snomed';

type Element = Readonly<Record<string, unknown>>;

/** Creates an element of a snapshot. `cardinality` is R4's own. */
export function element(
  id: string,
  min: number,
  max: string,
  cardinality: readonly [number, string],
  members: Element = {},
): Element {
  const path = id.replaceAll(/:[^.]*/g, '');
  const [, sliceName] = /:([^.:]*)$/.exec(id) ?? [];
  return {
    id,
    path,
    min,
    max,
    base: { path, min: cardinality[0], max: cardinality[1] },
    ...(sliceName !== undefined && { sliceName }),
    ...members,
  };
}

/** Creates a profile of a type, or the definition of an extension, from snapshot elements. */
export function structure(url: string, type: string, elements: readonly Element[]): Definition {
  const id = url.slice(url.lastIndexOf('/') + 1);
  const constrained = elements.filter(({ constraint }) => constraint !== undefined);
  return {
    resourceType: 'StructureDefinition',
    id,
    url,
    version: '1.0.0',
    name: id,
    type,
    kind: 'resource',
    derivation: 'constraint',
    snapshot: { element: [element(type, 0, '*', [0, '*']), ...elements] },
    differential: { element: constrained },
  };
}

const sliceBy = (type: string, path: string, members: Element = {}) => ({
  slicing: { discriminator: [{ type, path }], rules: 'open', ...members },
});
const concept = [{ code: 'CodeableConcept' }];
const anyCount = [0, '*'] as const;
const coded = (code: string) => ({ patternCodeableConcept: { coding: [{ system: codes, code }] } });

/** A plan: slices by value, pattern, type and exists; closed, ordered and open at its end. */
const plan = structure(wardPlan, 'CarePlan', [
  element('CarePlan.extension', 0, '*', anyCount, sliceBy('value', 'url')),
  element('CarePlan.extension:bed', 1, '1', anyCount, { type: [{ code: 'Extension', profile: [wardBed] }] }),
  element('CarePlan.contained', 0, '*', anyCount, sliceBy('type', '$this')),
  element('CarePlan.contained:goals', 0, '2', anyCount, { type: [{ code: 'Goal' }] }),
  element('CarePlan.identifier', 1, '*', anyCount, sliceBy('value', 'system', { ordered: true })),
  element('CarePlan.identifier:number', 1, '1', anyCount),
  element('CarePlan.identifier:number.system', 1, '1', [0, '1'], { fixedUri: 'http://ward.example/number' }),
  element('CarePlan.identifier:number.value', 1, '1', [0, '1'], { maxLength: 6 }),
  element('CarePlan.identifier:archive', 0, '1', anyCount),
  element('CarePlan.identifier:archive.system', 1, '1', [0, '1'], {
    fixedUri: 'http://ward.example/archive',
  }),
  element('CarePlan.category', 1, '*', anyCount, {
    type: concept,
    ...sliceBy('pattern', '$this', { rules: 'closed' }),
  }),
  element('CarePlan.category:ward', 1, '1', anyCount, { type: concept, ...coded('ward') }),
  element('CarePlan.category:home', 0, '1', anyCount, { type: concept, ...coded('home') }),
  element('CarePlan.title', 1, '1', [0, '1'], {
    constraint: [
      {
        key: 'ward-1',
        severity: 'error',
        human: 'A title begins with a capital.',
        expression: "matches('^[A-Z]')",
      },
    ],
  }),
  element('CarePlan.subject', 1, '1', [1, '1'], {
    type: [{ code: 'Reference', targetProfile: ['http://hl7.org/fhir/StructureDefinition/Patient'] }],
  }),
  element('CarePlan.encounter', 0, '0', [0, '1']),
  element('CarePlan.period', 1, '1', [0, '1']),
  element('CarePlan.period.start', 1, '1', [0, '1'], { minValueDate: '2020-01-01' }),
  element('CarePlan.addresses', 0, '*', anyCount, sliceBy('exists', 'identifier', { rules: 'openAtEnd' })),
  element('CarePlan.addresses:logical', 0, '1', anyCount),
  element('CarePlan.addresses:logical.identifier', 1, '1', [0, '1']),
  element('CarePlan.goal', 0, '*', anyCount, {
    type: [{ code: 'Reference', targetProfile: [wardGoal] }],
    ...sliceBy('profile', 'resolve()'),
  }),
  element('CarePlan.goal:ward', 0, '1', anyCount, {
    type: [{ code: 'Reference', targetProfile: [wardGoal] }],
  }),
  element('CarePlan.activity', 0, '*', anyCount),
  element('CarePlan.activity.detail', 0, '1', [0, '1']),
  element('CarePlan.activity.detail.code', 0, '1', [0, '1'], {
    type: concept,
    binding: { strength: 'required', valueSet: wardCodes },
  }),
  element('CarePlan.activity.detail.reasonCode', 0, '*', anyCount, {
    type: concept,
    binding: { strength: 'extensible', valueSet: `${wardCodes}|1.0.0` },
  }),
  element('CarePlan.activity.detail.statusReason', 0, '1', [0, '1'], {
    type: concept,
    binding: { strength: 'required', valueSet: snomedCodes },
  }),
  element('CarePlan.activity.detail.scheduled[x]', 0, '1', [0, '1'], {
    type: [{ code: 'Period' }, { code: 'string' }],
    ...sliceBy('type', '$this'),
  }),
  element('CarePlan.activity.detail.scheduled[x]:scheduledPeriod', 0, '1', [0, '1'], {
    type: [{ code: 'Period' }],
  }),
  element('CarePlan.activity.detail.scheduled[x]:scheduledPeriod.end', 1, '1', [0, '1']),
  element('CarePlan.activity.detail.quantity', 0, '1', [0, '1'], {
    patternQuantity: { system: 'http://unitsofmeasure.org' },
  }),
]);

/** A note: sections by their code, and in one of them entries by their type. */
const note = structure(wardNote, 'Composition', [
  element('Composition.section', 1, '*', anyCount, sliceBy('value', 'code.coding.code')),
  element('Composition.section:course', 1, '1', anyCount),
  element('Composition.section:course.title', 1, '1', [0, '1'], { fixedString: 'Course' }),
  element('Composition.section:course.code', 1, '1', [0, '1'], { type: concept }),
  element('Composition.section:course.code.coding', 1, '1', anyCount),
  element('Composition.section:course.code.coding.code', 1, '1', [0, '1'], { fixedCode: 'course' }),
  element('Composition.section:course.entry', 1, '*', anyCount, sliceBy('type', 'resolve()')),
  element('Composition.section:course.entry:plan', 1, '1', anyCount, {
    type: [{ code: 'Reference', targetProfile: ['http://hl7.org/fhir/StructureDefinition/CarePlan'] }],
  }),
  element('Composition.section:course.entry:plan.display', 1, '1', [0, '1']),
  element('Composition.section:course.entry:visit', 0, '1', anyCount, {
    type: [{ code: 'Reference', targetProfile: ['http://hl7.org/fhir/StructureDefinition/Encounter'] }],
  }),
  element('Composition.section:rest', 0, '1', anyCount),
  element('Composition.section:rest.code', 1, '1', [0, '1'], { type: concept }),
  element('Composition.section:rest.code.coding', 1, '1', anyCount),
  element('Composition.section:rest.code.coding.code', 1, '1', [0, '1'], { fixedCode: 'rest' }),
]);

const resliced = structure(reslicedPlan, 'CarePlan', [
  element('CarePlan.category', 1, '*', anyCount, { type: concept, ...sliceBy('pattern', '$this') }),
  element('CarePlan.category:ward', 1, '*', anyCount, {
    type: concept,
    ...coded('ward'),
    ...sliceBy('pattern', 'text'),
  }),
  element('CarePlan.category:ward/night', 1, '1', anyCount, { type: concept, ...coded('night') }),
]);

const goal = structure(wardGoal, 'Goal', [
  element('Goal.note', 1, '*', anyCount),
  element('Goal.lifecycleStatus', 1, '1', [1, '1'], { fixedCode: 'active' }),
]);

const bed = structure(wardBed, 'Extension', [
  element('Extension.url', 1, '1', [1, '1'], { fixedUri: wardBed }),
  element('Extension.value[x]', 1, '1', [0, '1'], { type: [{ code: 'string' }] }),
]);

const wardSystem: Definition = {
  resourceType: 'CodeSystem',
  url: codes,
  version: '1.0.0',
  content: 'complete',
  caseSensitive: true,
  concept: [
    { code: 'ward', display: 'On the ward', concept: [{ code: 'night', display: 'By night' }] },
    { code: 'home', display: 'At home' },
    { code: 'course' },
  ],
};

const isA = (value: string) => [{ property: 'concept', op: 'is-a', value }];

/** Codes on the ward: descendants of a code in a complete code system. */
const wardSet: Definition = {
  resourceType: 'ValueSet',
  url: wardCodes,
  version: '1.0.0',
  compose: { include: [{ system: codes, filter: isA('ward') }] },
};

const snomedSet: Definition = {
  resourceType: 'ValueSet',
  url: snomedCodes,
  version: '1.0.0',
  compose: { include: [{ system: 'http://snomed.info/sct', filter: isA('1') }] },
};

/** The ward profiles and the definitions that they refer to. */
export const wardDefinitions: readonly Definition[] = [
  plan,
  note,
  resliced,
  goal,
  bed,
  wardSystem,
  wardSet,
  snomedSet,
];

/** A plan that fulfils {@link wardPlan}, with every element that it looks at. */
export const goodPlan = {
  resourceType: 'CarePlan',
  contained: [
    {
      resourceType: 'Goal',
      id: 'g',
      lifecycleStatus: 'active',
      description: { text: 'Walk' },
      subject: { reference: 'Patient/1' },
      note: [{ text: 'n' }],
    },
  ],
  extension: [{ url: wardBed, valueString: '12' }],
  identifier: [
    { system: 'http://ward.example/number', value: '1' },
    { system: 'http://ward.example/archive', value: 'a' },
  ],
  status: 'active',
  intent: 'plan',
  category: [{ coding: [{ system: codes, code: 'ward', display: 'On the ward' }] }],
  title: 'Walking',
  subject: { reference: 'Patient/1' },
  period: { start: '2026-03-01' },
  addresses: [{ identifier: { value: '1' } }, { reference: 'Condition/1' }],
  goal: [{ reference: '#g' }],
  activity: [
    {
      detail: {
        status: 'in-progress',
        code: { coding: [{ system: codes, code: 'night' }] },
        reasonCode: [{ text: 'asked for' }],
        scheduledPeriod: { start: '2026-03-01', end: '2026-03-02' },
        quantity: { value: 1.0, system: 'http://unitsofmeasure.org', code: 'h' },
      },
    },
  ],
};

/** A note that fulfils {@link wardNote}. */
export const goodNote = {
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'Note' },
  subject: { reference: 'Patient/1' },
  date: '2026-01-02',
  author: [{ display: 'A' }],
  title: 'Note',
  section: [
    {
      title: 'Course',
      code: { coding: [{ system: codes, code: 'course' }] },
      entry: [{ reference: 'CarePlan/1', display: 'Plan' }, { reference: 'Encounter/1' }],
    },
    { title: 'Rest', code: { coding: [{ system: codes, code: 'rest' }] }, text: { status: 'empty' } },
  ],
};
