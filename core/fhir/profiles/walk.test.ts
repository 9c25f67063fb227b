import { expect, test } from 'vitest';
import { libraryOf } from './library.ts';
import { element, structure } from './testing/profiles.ts';
import { judged } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';

const profileOf = (name: string) => `http://ward.example/fhir/StructureDefinition/${name}`;
const any = [0, '*'] as const;
const one = [0, '1'] as const;
const to = (target: string) => ({ type: [{ code: 'Reference', targetProfile: [target] }] });

test('what a contained resource refers to is looked for in the record', () => {
  const library = libraryOf(
    setOf([
      structure(profileOf('plan'), 'CarePlan', [
        element('CarePlan.goal', 0, '*', any, to(profileOf('goal'))),
      ]),
      structure(profileOf('goal'), 'Goal', [
        element('Goal.addresses', 0, '*', any, to(profileOf('condition'))),
      ]),
      structure(profileOf('condition'), 'Condition', [element('Condition.note', 1, '*', any)]),
    ]),
  );
  const told = (condition: object) => {
    const goal = { resourceType: 'Goal', id: 'g', addresses: [{ reference: '#c' }] };
    const contained = [goal, { resourceType: 'Condition', id: 'c', ...condition }];
    const record = { resourceType: 'CarePlan', contained, goal: [{ reference: '#g' }] };
    const { findings, undecided } = judged([profileOf('plan')], record, library);
    return [findings.length, undecided.length];
  };
  expect(told({ note: [{ text: 'n' }] })).toEqual([0, 0]);
  expect(told({})).toEqual([1, 0]);
});

test('a value that is no reference refers to nothing, though it has a type', () => {
  const library = libraryOf(
    setOf([
      structure(profileOf('plan'), 'CarePlan', []),
      structure(profileOf('source'), 'Extension', [
        element('Extension.value[x]', 1, '1', one, {
          type: [
            ...to('http://hl7.org/fhir/StructureDefinition/DocumentReference').type,
            { code: 'RelatedArtifact' },
          ],
        }),
      ]),
    ]),
  );
  const told = (value: object) => {
    const record = { resourceType: 'CarePlan', extension: [{ url: profileOf('source'), ...value }] };
    const { findings, undecided } = judged([profileOf('plan')], record, library);
    return [findings.length, undecided.length];
  };
  expect(told({ valueRelatedArtifact: { type: 'citation' } })).toEqual([0, 0]);
  expect(told({ valueReference: { type: 'Patient' } })).toEqual([1, 0]);
});
