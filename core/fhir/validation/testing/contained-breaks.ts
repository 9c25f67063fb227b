import { kind, type Break } from './breaks.ts';

const goal = '/contained/0';
const team = '/contained/1';
const nurse = '/contained/2';
const condition = '/contained/3';
const task = '/contained/4';
const group = '/contained/5';
const drug = '/contained/6';
const form = '/contained/7';
const observation = '/contained/8';
const basic = { resourceType: 'Basic', id: 'weight', code: { text: 'x' } };

/** Breaks of R4 in contained resources of the complete plan. */
export const containedBreaks: readonly Break[] = [
  ...kind('contained: its place', [
    [`${goal}/id`],
    [`${goal}/id`, 'a b'],
    [`${team}/id`, 'weight'],
    [`${goal}/meta`, { versionId: '1' }],
    [`${goal}/meta`, { lastUpdated: '2026-01-01T00:00:00Z' }],
    [`${goal}/meta`, { security: [{ code: 'R' }] }],
    [`${goal}/contained`, [basic]],
    ['/goal'],
    ['/contained', [{ ...basic, id: 'unused' }]],
    ['/contained', basic],
  ]),
  ...kind('contained: its type', [
    [`${goal}/resourceType`],
    [`${goal}/resourceType`, 'Doctor'],
    [`${goal}/resourceType`, 'goal'],
    [`${goal}/resourceType`, 'DomainResource'],
    [`${goal}/resourceType`, 'SubscriptionStatus'],
    [`${goal}/resourceType`, 5],
    [`${goal}/resourceType`, 'Quantity'],
  ]),
  ...kind('contained: mandatory element', [
    [`${goal}/lifecycleStatus`],
    [`${goal}/description`],
    [`${goal}/subject`],
    [`${condition}/subject`],
    [`${task}/status`],
    [`${task}/intent`],
    [`${task}/input/0/valueQuantity`],
    [`${group}/status`],
    [`${drug}/medicationCodeableConcept`],
    [`${form}/item/0/linkId`],
    [`${observation}/code`],
    [`${nurse}/qualification/0/code`],
  ]),
  ...kind('contained: code', [
    [`${goal}/lifecycleStatus`, 'running'],
    [`${nurse}/gender`, 'm'],
    [`${nurse}/telecom/0/system`, 'mobile'],
    [`${task}/status`, 'open'],
    [`${task}/priority`, 'high'],
    [`${group}/action/1/action/0/timingTiming/repeat/periodUnit`, 'week'],
    [`${drug}/intent`, 'prescription'],
    [`${form}/item/1/type`, 'select'],
    [`${observation}/status`, 'done'],
    [`${team}/status`, 'on'],
  ]),
  ...kind('contained: element', [
    [`${nurse}/name`, 'Ito'],
    [`${nurse}/name`, { family: 'Ito' }],
    [`${nurse}/active`, 'yes'],
    [`${nurse}/job`, 'RN'],
    [`${goal}/status`, 'active'],
    [`${goal}/target/0/detailString`, 'x'],
    [`${goal}/startDate`, 'March'],
    [`${goal}/target/0/dueDate`, '2026-02-30'],
    [`${task}/authoredOn`, '2026-03-01T09:00'],
    [`${task}/restriction/repetitions`, 1.5],
    [`${task}/restriction/repetitions`, 0],
    [`${drug}/dosageInstruction/0/doseAndRate/0/doseQuantity/value`, '40'],
    [`${drug}/dosageInstruction/0/sequence`, true],
    [`${observation}/valueString`, '84'],
    [`${observation}/subject`, [{ reference: 'Patient/1' }]],
    [`${form}/item/0/item`, 'x'],
    [`${condition}/onsetAge/code`, 'years old'],
    [`${goal}/text`, { status: 'generated', div: '<p>x</p>' }],
    [`${goal}/language`, 'x'],
    [`${nurse}/name/0/given`, ['Mara', null]],
  ]),
  ...kind('contained: reference', [
    [`${task}/owner/reference`, '#nobody'],
    [`${task}/owner/reference`, '#failure'],
    [`${goal}/subject/reference`, 'Practitioner/1'],
    [`${team}/participant/0/member/reference`, 'Condition/1'],
    [`${group}/action/0/resource/reference`, '#gone'],
    [`${condition}/subject/type`, 'Practitioner'],
    [`${observation}/subject/reference`, 'Patient/a b'],
  ]),
  ...kind('contained: invariant', [
    [`${goal}/target/0/measure`],
    [`${group}/action/0/action`, [{ resource: { reference: '#weighing' } }]],
    [`${group}/action/0/resource`],
    [`${form}/item/1/initial`, [{ valueString: 'x' }]],
    [`${form}/item/1/linkId`, '1'],
    [`${form}/item/0/type`, 'display'],
    [`${form}/item/1/answerValueSet`, 'http://example.org/vs'],
    [`${form}/item/0/item/0/answerOption`, [{ valueString: 'x' }]],
    [`${task}/lastModified`, '2026-02-01T09:00:00Z'],
    [`${observation}/dataAbsentReason`, { text: 'x' }],
    [`${observation}/referenceRange/0/high`],
    [`${condition}/abatementDateTime`, '2026-03-02'],
    [`${condition}/stage/0/summary`],
    [`${condition}/verificationStatus/coding/0/code`, 'entered-in-error'],
    [`${group}/action/1/action/0/timingTiming/repeat`, { countMax: 3 }],
    [`${drug}/dispenseRequest/expectedSupplyDuration/system`, 'http://example.org'],
    [`${team}/participant/1/onBehalfOf`, { reference: 'Organization/1' }],
    [`${nurse}/telecom/0/system`],
  ]),
];

/** Breaks of R4 in contained resources of the complete document. */
export const containedInDocumentBreaks: readonly Break[] = [
  ...kind('contained: invariant', [
    ['/contained/0/name'],
    ['/contained/0/address/0/use', 'home'],
    ['/contained/2/emptyReason', { text: 'x' }],
    ['/contained/2/entry/0/deleted', true],
  ]),
  ...kind('contained: element', [
    ['/contained/1/birthDate', '1971-02-30'],
    ['/contained/1/birthDate', '1971-02-03T00:00:00Z'],
    ['/contained/2/mode', 'x'],
  ]),
];
