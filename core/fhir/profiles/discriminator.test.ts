import { expect, test } from 'vitest';
import { libraryOf } from './library.ts';
import { element, structure } from './testing/profiles.ts';
import { validateSample } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';

const planProfile = 'http://ward.example/fhir/StructureDefinition/sliced';
const conceptProfile = 'http://ward.example/fhir/StructureDefinition/concept';
const anyCount = [0, '*'] as const;
const zeroOrOne = [0, '1'] as const;

/** Returns whether a category is in the slice of a discriminator. The slice's profile has the element `part`. */
function classify(
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
        element('CarePlan.category', 0, '*', anyCount, { slicing }),
        element('CarePlan.category:ward', 0, '1', anyCount, { type }),
      ]),
      structure(conceptProfile, 'CodeableConcept', [part]),
    ]),
  );
  const record = { resourceType: 'CarePlan', category: [category] };
  const { findings, undecidedRules } = validateSample([planProfile], record, library);
  if (findings.length > 0) return 'out';
  return undecidedRules.length > 0 ? 'open' : 'in';
}

const wardText = element('CodeableConcept.text', 1, '1', zeroOrOne, { fixedString: 'Ward' });
const anyText = element('CodeableConcept.text', 1, '1', zeroOrOne);
const missingValueSet = element('CodeableConcept.coding', 0, '*', anyCount, {
  binding: { strength: 'required', valueSet: 'http://ward.example/not-at-hand' },
});

test.each([
  ['value', 'a text that is fixed', 'in', wardText, { text: 'Ward' }],
  ['value', 'a text that is fixed', 'out', wardText, { text: 'Home' }],
  ['value', 'a text, whatever it is', 'open', anyText, { text: 'Ward' }],
  ['value', 'codes that are not at hand', 'open', missingValueSet, { coding: [{ system: 'x', code: 'y' }] }],
  ['profile', 'a text that is fixed', 'in', wardText, { text: 'Ward' }],
  ['profile', 'a text that is fixed', 'out', wardText, { text: 'Home' }],
  [
    'profile',
    'codes that are not at hand',
    'open',
    missingValueSet,
    { coding: [{ system: 'x', code: 'y' }] },
  ],
])(
  'selects a slice by %s if its profile has %s: the value is %s',
  (discriminator, _description, expected, part, category) => {
    expect(classify(discriminator, part, category)).toBe(expected);
  },
);

test.each([
  ['Ward', 'in'],
  ['Home', 'out'],
])("reads the profile of the slice's type below the slice: the text %s is %s", (text, expected) => {
  expect(classify('value', wardText, { text }, 'text')).toBe(expected);
});
