/** Valid records of both types that use every part which the rules read. Each planted defect changes one of them. */
export type Draft = Record<string, any>;

export const div = (text: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`;
const narrative = () => ({ status: 'generated', div: div('<p>Plan &amp; goals<br/>of <b>care</b></p>') });

export function carePlan(): Draft {
  return {
    resourceType: 'CarePlan',
    id: 'cp-1',
    meta: {
      profile: ['http://example.org/StructureDefinition/plan'],
      lastUpdated: '2024-02-29T10:00:00.123Z',
    },
    language: 'de-CH',
    text: narrative(),
    contained: [
      {
        resourceType: 'Goal',
        id: 'g',
        lifecycleStatus: 'active',
        description: { text: 'Walk' },
        subject: { reference: 'Patient/1' },
        target: [{ measure: { text: 'Steps' }, detailQuantity: { value: 5000 } }],
      },
    ],
    extension: [
      {
        url: 'http://example.org/a',
        valueQuantity: { value: 1.0, code: 'mg', system: 'http://unitsofmeasure.org' },
      },
      { url: 'http://example.org/b', extension: [{ url: 'c', valueBase64Binary: 'YWJj' }] },
      { url: 'http://example.org/d', valueRange: { low: { value: 1 }, high: { value: 2 } } },
      {
        url: 'http://example.org/e',
        valueRatio: { numerator: { value: 1 }, denominator: { value: 2 } },
      },
      { url: 'http://example.org/f', valueContactPoint: { system: 'phone', value: '1' } },
      {
        url: 'http://example.org/g',
        valueAttachment: { contentType: 'text/plain', data: 'YWJj', language: 'en' },
      },
      {
        url: 'http://example.org/h',
        valueHumanName: {
          given: ['A', null],
          _given: [null, { id: 'n', extension: [{ url: 'http://example.org/u', valueCode: 'x' }] }],
        },
      },
    ],
    identifier: [{ use: 'official', value: '1' }],
    status: 'active',
    _status: { id: 's' },
    intent: 'plan',
    title: 'Plan',
    subject: { reference: 'Patient/1' },
    encounter: { reference: 'http://host/fhir/Encounter/2/_history/3' },
    period: { start: '2026-01-31', end: '2026-12' },
    created: '2026-01-01T09:30:00+02:00',
    goal: [{ reference: '#g' }],
    activity: [
      { reference: { reference: 'Task/1' } },
      {
        detail: {
          kind: 'Task',
          status: 'in-progress',
          doNotPerform: false,
          scheduledTiming: {
            event: ['2026-02-01'],
            repeat: {
              count: 2,
              countMax: 3,
              duration: 1,
              durationMax: 2,
              durationUnit: 'h',
              period: 1,
              periodMax: 2,
              periodUnit: 'd',
              when: ['ACM'],
              offset: 30,
            },
          },
        },
      },
    ],
    note: [{ text: 'Note', time: '2026-01-01' }],
  };
}

export function composition(): Draft {
  return {
    resourceType: 'Composition',
    text: narrative(),
    identifier: { system: 'urn:ietf:rfc:3986', value: 'urn:uuid:1' },
    status: 'final',
    type: { coding: [{ system: 'http://loinc.org', code: '11488-4' }] },
    subject: { reference: 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0' },
    date: '2026-01-01T09:30:00Z',
    author: [{ display: 'Dr A' }],
    title: 'Note',
    confidentiality: 'N',
    attester: [{ mode: 'legal', time: '2026-01-01' }],
    relatesTo: [{ code: 'replaces', targetReference: { reference: 'Composition/2' } }],
    event: [{ period: { start: '2026', end: '2026-01-01' } }],
    section: [
      { title: 'A', text: narrative(), mode: 'snapshot', entry: [{ reference: 'Observation/1' }] },
      { title: 'B', section: [{ title: 'C', text: narrative(), emptyReason: { text: 'none' } }] },
    ],
  };
}
