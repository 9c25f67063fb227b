import { div, type Draft } from './base-records.ts';

const loinc = 'http://loinc.org';
const snomed = 'http://snomed.info/sct';
export const ucum = 'http://unitsofmeasure.org';
const patient = { reference: 'Patient/p-204' };
const concept = (system: string, code: string, display: string) => ({
  coding: [{ system, code, display }],
  text: display,
});
const narrative = (text: string) => ({ status: 'generated', div: div(`<p>${text}</p>`) });

/** A plan as a discharge team writes it: nine resources contained, each referred to. */
export function richPlan(): Draft {
  return {
    resourceType: 'CarePlan',
    id: 'heart-failure-plan',
    meta: {
      versionId: '3',
      lastUpdated: '2026-03-02T08:15:00Z',
      tag: [{ system: 'http://example.org/tags', code: 'ward-3' }],
    },
    language: 'en',
    text: narrative('Heart failure: weigh daily, walk, take furosemide.'),
    contained: [
      {
        resourceType: 'Goal',
        id: 'weight',
        lifecycleStatus: 'active',
        achievementStatus: concept(
          'http://terminology.hl7.org/CodeSystem/goal-achievement',
          'in-progress',
          'In Progress',
        ),
        description: { text: 'Weight below 82 kg' },
        subject: patient,
        startDate: '2026-03-01',
        target: [
          {
            measure: concept(loinc, '29463-7', 'Body weight'),
            detailQuantity: { value: 82.0, unit: 'kg', system: ucum, code: 'kg' },
            dueDate: '2026-06-01',
          },
        ],
      },
      {
        resourceType: 'CareTeam',
        id: 'team',
        status: 'active',
        participant: [
          { role: [concept(snomed, '106292003', 'Nurse')], member: { reference: '#nurse' } },
          { role: [{ text: 'Patient' }], member: patient },
        ],
      },
      {
        resourceType: 'Practitioner',
        id: 'nurse',
        active: true,
        name: [{ use: 'official', family: 'Ito', given: ['Mara'] }],
        telecom: [{ system: 'phone', value: '+41 31 000 00 00', use: 'work' }],
        gender: 'female',
        qualification: [{ code: { text: 'RN' }, period: { start: '2012' } }],
      },
      {
        resourceType: 'Condition',
        id: 'failure',
        clinicalStatus: concept(
          'http://terminology.hl7.org/CodeSystem/condition-clinical',
          'active',
          'Active',
        ),
        verificationStatus: concept(
          'http://terminology.hl7.org/CodeSystem/condition-ver-status',
          'confirmed',
          'Confirmed',
        ),
        code: concept(snomed, '84114007', 'Heart failure'),
        subject: patient,
        onsetAge: { value: 71, unit: 'years', system: ucum, code: 'a' },
        stage: [{ summary: { text: 'NYHA II' } }],
      },
      {
        resourceType: 'Task',
        id: 'weighing',
        status: 'requested',
        intent: 'order',
        for: patient,
        owner: { reference: '#nurse' },
        authoredOn: '2026-03-01T09:00:00Z',
        lastModified: '2026-03-01T09:30:00Z',
        restriction: { repetitions: 30 },
        input: [
          { type: { text: 'weight' }, valueQuantity: { value: 84.2, unit: 'kg', system: ucum, code: 'kg' } },
        ],
      },
      {
        resourceType: 'RequestGroup',
        id: 'group',
        status: 'active',
        intent: 'plan',
        action: [
          { title: 'Diuretic', resource: { reference: '#furosemide' } },
          {
            title: 'Follow up',
            action: [
              {
                title: 'Call',
                timingTiming: { repeat: { frequency: 1, period: 1, periodUnit: 'wk' } },
                resource: { reference: '#weighing' },
              },
            ],
          },
        ],
      },
      {
        resourceType: 'MedicationRequest',
        id: 'furosemide',
        status: 'active',
        intent: 'order',
        medicationCodeableConcept: { text: 'Furosemide 40 mg' },
        subject: patient,
        dosageInstruction: [
          {
            sequence: 1,
            timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd', when: ['MORN'] } },
            doseAndRate: [{ doseQuantity: { value: 40, unit: 'mg', system: ucum, code: 'mg' } }],
          },
        ],
        dispenseRequest: {
          numberOfRepeatsAllowed: 2,
          expectedSupplyDuration: { value: 30, unit: 'd', system: ucum, code: 'd' },
        },
      },
      {
        resourceType: 'Questionnaire',
        id: 'symptoms',
        name: 'Symptoms',
        status: 'active',
        item: [
          {
            linkId: '1',
            text: 'Breath',
            type: 'group',
            item: [{ linkId: '1.1', text: 'Short of breath?', type: 'boolean' }],
          },
          {
            linkId: '2',
            text: 'Legs',
            type: 'choice',
            answerOption: [{ valueString: 'swollen' }, { valueString: 'normal' }],
          },
        ],
      },
      {
        resourceType: 'Observation',
        id: 'last-weight',
        status: 'final',
        code: concept(loinc, '29463-7', 'Body weight'),
        subject: patient,
        effectiveDateTime: '2026-03-01T07:00:00+01:00',
        valueQuantity: { value: 84.2, unit: 'kg', system: ucum, code: 'kg' },
        referenceRange: [{ high: { value: 82, unit: 'kg', system: ucum, code: 'kg' } }],
      },
    ],
    extension: [
      { url: 'http://example.org/fhir/cost', valueMoney: { value: 120.5, currency: 'CHF' } },
      { url: 'http://example.org/fhir/parts', extension: [{ url: 'part', valueInteger: 2 }] },
      {
        url: 'http://example.org/fhir/dose',
        valueDosage: { text: 'one', doseAndRate: [{ doseRange: { low: { value: 1 }, high: { value: 2 } } }] },
      },
    ],
    identifier: [{ use: 'official', system: 'urn:oid:2.16.756.5.30', value: 'HF-204' }],
    instantiatesCanonical: ['http://example.org/fhir/PlanDefinition/heart-failure|1.2'],
    status: 'active',
    intent: 'plan',
    category: [concept(snomed, '735984001', 'Heart failure self management plan')],
    title: 'Heart failure at home',
    subject: { reference: 'Patient/p-204', type: 'Patient', display: 'A. Example' },
    encounter: { reference: 'Encounter/e-1' },
    period: { start: '2026-03-01', end: '2026-09' },
    created: '2026-03-01',
    author: { reference: '#nurse' },
    careTeam: [{ reference: '#team' }],
    addresses: [{ reference: '#failure' }],
    supportingInfo: [{ reference: '#last-weight' }, { reference: '#symptoms' }],
    goal: [{ reference: '#weight' }],
    activity: [
      { reference: { reference: '#group' } },
      {
        detail: {
          kind: 'MedicationRequest',
          code: concept(snomed, '387475002', 'Furosemide'),
          status: 'in-progress',
          scheduledTiming: {
            repeat: {
              boundsPeriod: { start: '2026-03-01' },
              frequency: 1,
              period: 1,
              periodUnit: 'd',
              timeOfDay: ['08:00:00'],
            },
          },
          productCodeableConcept: { text: 'Furosemide' },
          dailyAmount: { value: 40, unit: 'mg', system: ucum, code: 'mg' },
          quantity: { value: 30, unit: 'tablets' },
          performer: [{ reference: '#nurse' }],
          description: 'One tablet each morning',
        },
      },
    ],
    note: [
      { authorReference: { reference: '#nurse' }, time: '2026-03-01T10:00:00Z', text: 'Daughter helps.' },
    ],
  };
}

/** A document as a practice sends it: nested sections, attesters, a contained author and organisation. */
export function richDocument(): Draft {
  return {
    resourceType: 'Composition',
    id: 'discharge-letter',
    meta: { profile: ['http://example.org/fhir/StructureDefinition/letter'] },
    language: 'de-CH',
    text: narrative('Discharge letter'),
    contained: [
      {
        resourceType: 'Organization',
        id: 'ward',
        name: 'Ward 3',
        telecom: [{ system: 'url', value: 'https://ward.example.org' }],
        address: [{ use: 'work', line: ['Way 1'], city: 'Town' }],
      },
      {
        resourceType: 'Practitioner',
        id: 'doctor',
        name: [{ family: 'Baker', given: ['Ann'] }],
        birthDate: '1971-02-03',
      },
      {
        resourceType: 'List',
        id: 'allergies',
        status: 'current',
        mode: 'snapshot',
        entry: [{ item: { display: 'Penicillin' } }],
      },
    ],
    identifier: { system: 'urn:ietf:rfc:3986', value: 'urn:uuid:9b0cf5a1-1b5e-4a2e-8f10-08a2d6a3c111' },
    status: 'final',
    type: concept(loinc, '18842-5', 'Discharge summary'),
    category: [concept(loinc, '11490-0', 'Physician discharge summary')],
    subject: patient,
    encounter: { reference: 'Encounter/e-1' },
    date: '2026-03-02T16:00:00+01:00',
    author: [{ reference: '#doctor', type: 'Practitioner' }],
    title: 'Discharge letter',
    confidentiality: 'N',
    attester: [{ mode: 'legal', time: '2026-03-02', party: { reference: '#ward' } }],
    custodian: { reference: '#ward' },
    relatesTo: [{ code: 'replaces', targetIdentifier: { system: 'urn:oid:2.16.756.5.31', value: 'L-1' } }],
    event: [
      {
        code: [concept('http://terminology.hl7.org/CodeSystem/v3-ActCode', 'HEALTHREC', 'health record')],
        period: { start: '2026-02-20', end: '2026-03-02' },
      },
    ],
    section: [
      {
        title: 'Allergies',
        code: concept(loinc, '48765-2', 'Allergies'),
        text: narrative('Penicillin'),
        mode: 'snapshot',
        orderedBy: { text: 'entry' },
        entry: [{ reference: '#allergies' }],
      },
      {
        title: 'Course',
        text: narrative('Better &#x2014; walks <b>alone</b>'),
        section: [
          { title: 'Imaging', text: narrative('<img src="#x" alt="chest"/>'), emptyReason: { text: 'none' } },
        ],
      },
    ],
  };
}
