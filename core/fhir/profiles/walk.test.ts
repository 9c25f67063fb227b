import { expect, test } from 'vitest';
import { libraryOf } from './library.ts';
import { element, structure } from './testing/profiles.ts';
import { validateSample } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';

const profileOf = (name: string) => `http://ward.example/fhir/StructureDefinition/${name}`;
const anyCount = [0, '*'] as const;
const zeroOrOne = [0, '1'] as const;
const to = (target: string) => ({ type: [{ code: 'Reference', targetProfile: [target] }] });

test('resolves references of a contained resource within the record', () => {
  const library = libraryOf(
    setOf([
      structure(profileOf('plan'), 'CarePlan', [
        element('CarePlan.goal', 0, '*', anyCount, to(profileOf('goal'))),
      ]),
      structure(profileOf('goal'), 'Goal', [
        element('Goal.addresses', 0, '*', anyCount, to(profileOf('condition'))),
      ]),
      structure(profileOf('condition'), 'Condition', [element('Condition.note', 1, '*', anyCount)]),
    ]),
  );
  const countResults = (condition: object) => {
    const goal = { resourceType: 'Goal', id: 'g', addresses: [{ reference: '#c' }] };
    const contained = [goal, { resourceType: 'Condition', id: 'c', ...condition }];
    const record = { resourceType: 'CarePlan', contained, goal: [{ reference: '#g' }] };
    const { findings, undecidedRules } = validateSample([profileOf('plan')], record, library);
    return [findings.length, undecidedRules.length];
  };
  expect(countResults({ note: [{ text: 'n' }] })).toEqual([0, 0]);
  expect(countResults({})).toEqual([1, 0]);
});

test('treats only references as references, even if another value has a type', () => {
  const library = libraryOf(
    setOf([
      structure(profileOf('plan'), 'CarePlan', []),
      structure(profileOf('source'), 'Extension', [
        element('Extension.value[x]', 1, '1', zeroOrOne, {
          type: [
            ...to('http://hl7.org/fhir/StructureDefinition/DocumentReference').type,
            { code: 'RelatedArtifact' },
          ],
        }),
      ]),
    ]),
  );
  const countResults = (value: object) => {
    const record = { resourceType: 'CarePlan', extension: [{ url: profileOf('source'), ...value }] };
    const { findings, undecidedRules } = validateSample([profileOf('plan')], record, library);
    return [findings.length, undecidedRules.length];
  };
  expect(countResults({ valueRelatedArtifact: { type: 'citation' } })).toEqual([0, 0]);
  expect(countResults({ valueReference: { type: 'Patient' } })).toEqual([1, 0]);
});
