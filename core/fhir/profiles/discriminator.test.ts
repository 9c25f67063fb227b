import { expect, test } from 'vitest';
import { libraryOf } from './library.ts';
import { element, structure } from './testing/profiles.ts';
import { judged } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';

const planProfile = 'http://ward.example/fhir/StructureDefinition/sliced';
const conceptProfile = 'http://ward.example/fhir/StructureDefinition/concept';
const any = [0, '*'] as const;
const one = [0, '1'] as const;

/** Whether a category is in a slice that a discriminator at a path tells by a profile, of which `part` is an element. */
function placeOf(
  discriminator: string,
  part: ReturnType<typeof element>,
  category: object,
  path = '$this',
): string {
  const type = [{ code: 'CodeableConcept', profile: [conceptProfile] }];
  const slicing = { discriminator: [{ type: discriminator, path }], rules: 'closed' };
  const library = libraryOf(
    setOf([
      structure(planProfile, 'CarePlan', [
        element('CarePlan.category', 0, '*', any, { slicing }),
        element('CarePlan.category:ward', 0, '1', any, { type }),
      ]),
      structure(conceptProfile, 'CodeableConcept', [part]),
    ]),
  );
  const record = { resourceType: 'CarePlan', category: [category] };
  const { findings, undecided } = judged([planProfile], record, library);
  if (findings.length > 0) return 'out';
  return undecided.length > 0 ? 'open' : 'in';
}

const wardText = element('CodeableConcept.text', 1, '1', one, { fixedString: 'Ward' });
const anyText = element('CodeableConcept.text', 1, '1', one);
const notAtHand = element('CodeableConcept.coding', 0, '*', any, {
  binding: { strength: 'required', valueSet: 'http://ward.example/not-at-hand' },
});

test.each([
  ['value', 'a text that is fixed', 'in', wardText, { text: 'Ward' }],
  ['value', 'a text that is fixed', 'out', wardText, { text: 'Home' }],
  ['value', 'a text, whatever it is', 'open', anyText, { text: 'Ward' }],
  ['value', 'codes that are not at hand', 'open', notAtHand, { coding: [{ system: 'x', code: 'y' }] }],
  ['profile', 'a text that is fixed', 'in', wardText, { text: 'Ward' }],
  ['profile', 'a text that is fixed', 'out', wardText, { text: 'Home' }],
  ['profile', 'codes that are not at hand', 'open', notAtHand, { coding: [{ system: 'x', code: 'y' }] }],
])(
  'a slice told by %s, whose profile asks for %s: a value is %s',
  (discriminator, _what, expected, part, category) => {
    expect(placeOf(discriminator, part, category)).toBe(expected);
  },
);

test.each([
  ['Ward', 'in'],
  ['Home', 'out'],
])('below the slice the profile of its type says what tells it: the text %s is %s', (text, expected) => {
  expect(placeOf('value', wardText, { text }, 'text')).toBe(expected);
});
