/** Profiles that are broken at each of their demands, and what a break of them comes to. */
import { validateResource } from '@medplum/core';
import type { JsonObject } from '../../../json/node.ts';
import { print } from '../../../json/print.ts';
import type { ResourceType } from '../../resource.ts';
import { validate } from '../../validation/validate.ts';
import { libraryOf, type Library } from '../library.ts';
import { breaksOf, type Break } from './breaks.ts';
import { grown, type Given } from './grown.ts';
import { errorsIn, judged, rootOf, type Json } from './judged.ts';
import { packageFiles, packageSet } from './packages.ts';
import { goodNote, goodPlan, wardDefinitions, wardGoal } from './profiles.ts';
import { setOf } from './sets.ts';

const carePlan = {
  ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan' },
  subject: { reference: 'Patient/66033' },
};
const note = {
  ...{ resourceType: 'Composition', status: 'final', type: { text: 'Note' }, date: '2026-01-02' },
  ...{ subject: { reference: 'Patient/66033' }, author: [{ reference: 'Practitioner/1' }], title: 'Note' },
};

const [activity] = goodPlan.activity;
const [, rest] = goodNote.section;

/** What the snapshots do not tell. */
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
  'Composition.section:rest': { ...rest, text: undefined, entry: [{ reference: 'CarePlan/1' }] },
};

/** A profile, the record that was grown from it, and its breaks. */
export interface Whole {
  readonly record: Json;
  readonly breaks: readonly Break[];
  /** What of the profile is not decided, whatever is at hand. */
  readonly open: readonly string[];
  /** Errors of the profile, and of R4. */
  errors: (record: Json) => { readonly profile: readonly string[]; readonly r4: readonly string[] };
  /** Whether \@medplum/core tells of an error that the record before had not. */
  medplumFinds: (record: Json) => boolean;
}

/** Of a profile of the wards where no package is named. */
export function wholeOf(profile: string, name?: string): Whole {
  const set = name === undefined ? setOf(wardDefinitions) : packageSet(name);
  const definition = set.structureDefinition(profile) as Json;
  const library = libraryOf(set);
  const others = name === undefined ? new Map<string, JsonObject>() : examplesOf(name);
  const given: Given = {
    base: definition.type === 'CarePlan' ? carePlan : note,
    values,
    referenceTo: (one) => (one === wardGoal ? '#g' : referenceTo(one, library, others)),
  };
  const whole = grown(definition, given);
  const before = medplumIssues(whole.record, definition);
  return {
    record: whole.record,
    breaks: breaksOf(whole),
    open: judged([profile], whole.record, library, others).undecided.map(
      ({ element, needs }) => `${element}: ${needs}`,
    ),
    errors: (record) => ({
      profile: errorsIn(judged([profile], record, library, others)),
      r4: validate(rootOf(record), record.resourceType as ResourceType, { today: '2026-01-01' })
        .filter(({ severity }) => severity === 'error')
        .map(({ rule }) => rule),
    }),
    medplumFinds: (record) => [...medplumIssues(record, definition)].some((one) => !before.has(one)),
  };
}

/** The resources of a package's examples by reference. They are of a patient of whom nothing is open. */
function examplesOf(name: string): ReadonlyMap<string, JsonObject> {
  const all = [...packageFiles(name)]
    .filter(([path]) => path.startsWith('package/example/'))
    .map(([, text]) => JSON.parse(text))
    .flatMap((one: Json) => [one, ...(one.entry ?? []).map(({ resource }: Json) => resource)])
    .filter((one) => one?.id !== undefined);
  return new Map(
    all.map((one) => {
      for (const element of ['subject', 'patient']) if (one[element]) one[element] = carePlan.subject;
      return [`${one.resourceType}/${one.id}`, rootOf(one)];
    }),
  );
}

/** To the one of those that do not break a profile of which the least is open. */
function referenceTo(profile: string, library: Library, others: ReadonlyMap<string, JsonObject>): string {
  const type = library.typeOf(profile) ?? '';
  const [best] = [...others]
    .filter(([reference]) => reference.startsWith(`${type}/`))
    .map(([reference, root]) => ({
      reference,
      verdict: judged([profile], JSON.parse(print(root)), library, others),
    }))
    .filter(({ verdict }) => errorsIn(verdict).length === 0)
    .toSorted((left, right) => left.verdict.undecided.length - right.verdict.undecided.length);
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

/** The breaks that are not found by the demand that they break, or find something where all is in order. */
export function missedOf({ breaks, errors }: Pick<Whole, 'breaks' | 'errors'>): string[] {
  return breaks.flatMap(({ what, record, found, isOfR4 }) => {
    const { profile, r4 } = errors(record);
    const isFound = isOfR4
      ? r4.length > 0
      : found === undefined
        ? profile.length === 0
        : profile.includes(found);
    return isFound ? [] : [`${what}: ${[found ?? 'nothing', ...profile].join(' ')}`];
  });
}
