import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { deathWithoutDate, resourceCardOf } from './resource-card.ts';

const cardOf = (resource: object | string) =>
  resourceCardOf(scan(typeof resource === 'string' ? resource : JSON.stringify(resource)).root);

test.each([
  [
    {
      resourceType: 'Patient',
      id: 'p',
      name: [{ given: ['Ada'], family: 'Example' }],
      gender: 'female',
      birthDate: '1950-02',
    },
    'Ada Example',
    { gender: 'female', born: '1950-02', id: 'p' },
  ],
  [
    {
      resourceType: 'Encounter',
      id: 'e',
      status: 'finished',
      class: { code: 'AMB' },
      type: [{ text: 'Visit' }],
      period: { start: '2026-01-02' },
    },
    'Visit',
    { status: 'finished', category: 'AMB', period: '2026-01-02 – …', id: 'e' },
  ],
  [
    {
      resourceType: 'Practitioner',
      id: 'w',
      name: [{ text: 'Dr. B. Fixture' }],
      qualification: [{ code: { text: 'MD' } }],
    },
    'Dr. B. Fixture',
    { qualification: 'MD', id: 'w' },
  ],
  [
    {
      resourceType: 'Goal',
      id: 'g',
      lifecycleStatus: 'active',
      description: { text: 'Walk daily' },
      startDate: '2026-01-01',
      target: [{ dueDate: '2026-06-01' }],
    },
    'Walk daily',
    { status: 'active', date: '2026-01-01', id: 'g', due: '2026-06-01' },
  ],
  [
    {
      resourceType: 'Condition',
      id: 'c',
      clinicalStatus: { coding: [{ code: 'active' }] },
      code: { coding: [{ code: '1', display: 'Asthma' }] },
      onsetDateTime: '2019',
    },
    'Asthma',
    { status: 'active', date: '2019', id: 'c' },
  ],
])('summarizes %o in a few lines', (resource, name, facts) => {
  const card = cardOf(resource);
  expect([card.type, card.name]).toEqual([resource.resourceType, name]);
  expect(Object.fromEntries(card.facts.map(({ kind, text }) => [kind, text]))).toEqual(facts);
});

test('summarizes death, city and identifiers of a patient', () => {
  const facts = (members: object) =>
    Object.fromEntries(
      cardOf({ resourceType: 'Patient', ...members }).facts.map(({ kind, text }) => [kind, text]),
    );
  const address = [
    { use: 'old', city: 'Formerton', text: '1 Past Street, Formerton' },
    { city: 'Exampleton', line: ['7 Sample Road'] },
  ];
  const identifier = [{ type: { text: 'Medical record number' }, value: '0042' }, { value: '17' }];
  expect(facts({ address, identifier, deceasedDateTime: '2024-03' })).toEqual({
    city: 'Exampleton',
    identifier: '0042 (Medical record number), 17',
    died: '2024-03',
  });
  expect(facts({ deceasedBoolean: true })).toEqual({ died: deathWithoutDate });
  expect(facts({ deceasedBoolean: false, address: [{ text: '7 Sample Road, Exampleton' }] })).toEqual({});
});

test('includes a comparator, and omits outdated values', () => {
  const factsIn = (resource: object) => cardOf(resource).facts.map(({ text }) => text);
  const valueQuantity = { value: 5, comparator: '<', unit: 'mg' };
  expect(factsIn({ resourceType: 'Observation', valueQuantity })).toEqual(['< 5 mg']);
  const identifier = [{ use: 'old', value: '1' }, { value: '2' }];
  expect(factsIn({ resourceType: 'Patient', identifier })).toEqual(['2']);
});

test.each([
  [{ start: '2026-01-02', end: '2026-01-05' }, '2026-01-02 – 2026-01-05'],
  [{ end: '2026-01-05' }, '… – 2026-01-05'],
])('marks the open end of the period %j', (period, text) => {
  expect(cardOf({ resourceType: 'Encounter', period }).facts).toContainEqual({ kind: 'period', text });
});

test('preserves digits, and accepts any shape', () => {
  const observation = '{"resourceType":"Observation","valueQuantity":{"value":1.10,"unit":"mg"}}';
  expect(cardOf(observation).facts).toEqual([{ kind: 'value', text: '1.10 mg' }]);
  expect(cardOf('[]')).toEqual({ type: '', name: '', nameWithoutModifiers: '', facts: [] });
  expect(cardOf('{"resourceType":"Patient","name":7,"identifier":[null,{}]}')).toMatchObject({ name: '' });
});
