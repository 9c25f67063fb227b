/** Profiles with a break of each of their rules, and the results of validating the breaks. */
import { validateResource } from '@medplum/core';
import { serializeNode, type JsonObject } from '../../../json/node.ts';
import type { ResourceType } from '../../resource.ts';
import { validate } from '../../validation/validate.ts';
import { libraryOf, type Library } from '../library.ts';
import { breaksOf, type Break } from './breaks.ts';
import { growRecord, type GrowOptions } from './grown.ts';
import { errorsIn, validateSample, rootOf, type Json } from './judged.ts';
import { packageFiles, packageSet } from './packages.ts';
import { goodNote, goodPlan, wardDefinitions, wardGoal } from './profiles.ts';
import { setOf } from './sets.ts';

const carePlan = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/66033' },
};
const note = {
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'Note' },
  date: '2026-01-02',
  subject: { reference: 'Patient/66033' },
  author: [{ reference: 'Practitioner/1' }],
  title: 'Note',
};

const [activity] = goodPlan.activity;
const [, restSection] = goodNote.section;

/** Values that the snapshots do not define. */
const values = {
  'CarePlan.contained:goals': goodPlan.contained[0],
  'CarePlan.extension:bed': goodPlan.extension[0],
  'CarePlan.identifier:number.value': '1',
  'CarePlan.title': goodPlan.title,
  'CarePlan.period': goodPlan.period,
  'CarePlan.addresses:logical.identifier': { value: '1' },
  'CarePlan.activity': { detail: { status: 'in-progress' } },
  'CarePlan.activity.detail.scheduled[x]:scheduledPeriod': activity?.detail.scheduledPeriod,
  'Composition.event:careProvisioningEvent': { period: { start: '2026-01-01' } },
  'Composition.section:rest': { ...restSection, text: undefined, entry: [{ reference: 'CarePlan/1' }] },
};

/** A profile, the record grown from it, and its breaks. */
export interface GrownProfile {
  readonly record: Json;
  readonly breaks: readonly Break[];
  /** Rules that stay undecided with all available definitions. */
  readonly open: readonly string[];
  /** Errors of the profile and of R4. */
  errors: (record: Json) => { readonly profile: readonly string[]; readonly r4: readonly string[] };
  /** Returns true if \@medplum/core reports an error that the unbroken record does not have. */
  medplumFinds: (record: Json) => boolean;
}

/** Grows a profile of a package, or of the wards if no package is named. */
export function growProfile(profile: string, name?: string): GrownProfile {
  const set = name === undefined ? setOf(wardDefinitions) : packageSet(name);
  const definition = set.structureDefinition(profile) as Json;
  const library = libraryOf(set);
  const otherResources = name === undefined ? new Map<string, JsonObject>() : examplesOf(name);
  const options: GrowOptions = {
    base: definition.type === 'CarePlan' ? carePlan : note,
    values,
    referenceTo: (profileUrl) =>
      profileUrl === wardGoal ? '#g' : referenceTo(profileUrl, library, otherResources),
  };
  const grownProfile = growRecord(definition, options);
  const before = medplumIssues(grownProfile.record, definition);
  return {
    record: grownProfile.record,
    breaks: breaksOf(grownProfile),
    open: validateSample([profile], grownProfile.record, library, otherResources).undecidedRules.map(
      ({ element, needs }) => `${element}: ${needs}`,
    ),
    errors: (record) => ({
      profile: errorsIn(validateSample([profile], record, library, otherResources)),
      r4: validate(rootOf(record), record.resourceType as ResourceType, { today: '2026-01-01' })
        .filter(({ severity }) => severity === 'error')
        .map(({ rule }) => rule),
    }),
    medplumFinds: (record) => [...medplumIssues(record, definition)].some((issue) => !before.has(issue)),
  };
}

/**
 * Reads the resources in a package's examples by reference. All of them get the same patient, so that rules
 * about the patient are decided.
 */
function examplesOf(name: string): ReadonlyMap<string, JsonObject> {
  const resources = [...packageFiles(name)]
    .filter(([path]) => path.startsWith('package/example/'))
    .map(([, text]) => JSON.parse(text))
    .flatMap((example: Json) => [example, ...(example.entry ?? []).map(({ resource }: Json) => resource)])
    .filter((resource) => resource?.id !== undefined);
  return new Map(
    resources.map((resource) => {
      for (const element of ['subject', 'patient'])
        if (resource[element]) resource[element] = carePlan.subject;
      return [`${resource.resourceType}/${resource.id}`, rootOf(resource)];
    }),
  );
}

/** Returns the reference to the valid resource with the fewest undecided rules. */
function referenceTo(
  profile: string,
  library: Library,
  otherResources: ReadonlyMap<string, JsonObject>,
): string {
  const type = library.typeOf(profile) ?? '';
  const [best] = [...otherResources]
    .filter(([reference]) => reference.startsWith(`${type}/`))
    .map(([reference, root]) => ({
      reference,
      verdict: validateSample([profile], JSON.parse(serializeNode(root)), library, otherResources),
    }))
    .filter(({ verdict }) => errorsIn(verdict).length === 0)
    .toSorted(
      (leftCandidate, rightCandidate) =>
        leftCandidate.verdict.undecidedRules.length - rightCandidate.verdict.undecidedRules.length,
    );
  return best?.reference ?? `${type}/1`;
}

function medplumIssues(record: Json, profile: Json): ReadonlySet<string> {
  try {
    validateResource(record, { profile });
    return new Set();
  } catch (error) {
    const { issue = [] } = (error as Json).outcome ?? {};
    return new Set(issue.map(({ details, expression }: Json) => `${details?.text} ${expression}`));
  }
}

export const carePlanProfile = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan';
export const compositionProfile = 'http://hl7.org/fhir/uv/ips/StructureDefinition/Composition-uv-ips';

/** Lists breaks without the expected finding, and accepted values with an unexpected one. */
export function missedOf({ breaks, errors }: Pick<GrownProfile, 'breaks' | 'errors'>): string[] {
  return breaks.flatMap(({ description, record, expectedRule, isOfR4 }) => {
    const { profile, r4 } = errors(record);
    const isFound = isOfR4
      ? r4.length > 0
      : expectedRule === undefined
        ? profile.length === 0
        : profile.includes(expectedRule);
    return isFound ? [] : [`${description}: ${[expectedRule ?? 'nothing', ...profile].join(' ')}`];
  });
}
