import {
  conformance,
  has,
  isPlainObject,
  type PlainObject,
  type ReportFinding,
  type Rule,
} from '../../types/definition/rule.ts';

/** Id of the rule whose findings name the release of FHIR that a record was made for. */
export const releaseRule = 'fhir-release';

type Release = 'DSTU2' | 'STU3' | 'DSTU2 or STU3' | 'R5';

/** Element that R4 does not have, or has in another form, and that another release has. */
interface ReleaseMark {
  readonly path: readonly string[];
  readonly release: Release;
  /** True for values in the form of that release. Absent if any value is. */
  readonly hasForm?: (value: unknown) => boolean;
}

const mark = (path: string, release: Release, hasForm?: ReleaseMark['hasForm']): ReleaseMark => ({
  path: path.split('.'),
  release,
  ...(hasForm && { hasForm }),
});

/** Marks of each type, from the definitions of DSTU2 (1.0.2), STU3 (3.0.2) and R5 (5.0.0). */
const marks: Readonly<Record<string, readonly ReleaseMark[]>> = {
  CarePlan: [
    mark('context', 'DSTU2 or STU3'),
    mark('definition', 'STU3'),
    mark('activity.detail.definition', 'STU3'),
    mark('activity.detail.prohibited', 'DSTU2 or STU3'),
    mark('activity.actionResulting', 'DSTU2'),
    mark('relatedPlan', 'DSTU2'),
    mark('participant', 'DSTU2'),
    mark('modified', 'DSTU2'),
    mark('custodian', 'R5'),
    mark('addresses.reference', 'R5', isPlainObject),
    mark('addresses.concept', 'R5'),
    mark('activity.performedActivity', 'R5'),
    mark('activity.plannedActivityReference', 'R5'),
  ],
  Composition: [
    mark('class', 'DSTU2 or STU3'),
    mark('attester.mode', 'DSTU2 or STU3', Array.isArray),
    mark('attester.mode', 'R5', isPlainObject),
    mark('subject', 'R5', Array.isArray),
    mark('useContext', 'R5'),
    mark('note', 'R5'),
    mark('event.detail.reference', 'R5', isPlainObject),
    mark('event.detail.concept', 'R5'),
  ],
};

interface Place {
  readonly value: unknown;
  readonly tokens: readonly (string | number)[];
}

/** Returns the values at a path. Lists on the way are passed through, a list at its end is one value. */
function placesAt({ value, tokens }: Place, [name, ...path]: readonly string[]): readonly Place[] {
  if (name === undefined) return [{ value, tokens }];
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      placesAt({ value: item, tokens: [...tokens, index] }, [name, ...path]),
    );
  if (!isPlainObject(value) || !has(value, name)) return [];
  return placesAt({ value: value[name], tokens: [...tokens, name] }, path);
}

/** Element of each type that is required since STU3, and that DSTU2 does not have. */
const requiredSinceStu3: Readonly<Record<string, string>> = { CarePlan: 'intent' };

/** Returns the release of the marks of DSTU2 and STU3, as far as the record tells. */
function nameOldRelease(record: PlainObject, releases: readonly Release[]): Release {
  const requiredName = requiredSinceStu3[String(record.resourceType)];
  const lacksElement = requiredName !== undefined && !has(record, requiredName);
  if (releases.includes('DSTU2') || (lacksElement && !releases.includes('STU3'))) return 'DSTU2';
  return releases.includes('STU3') || requiredName !== undefined ? 'STU3' : 'DSTU2 or STU3';
}

function reportMarks(record: PlainObject, report: ReportFinding): void {
  const found = (marks[String(record.resourceType)] ?? []).flatMap(({ path, release, hasForm }) =>
    placesAt({ value: record, tokens: [] }, path)
      .filter(({ value }) => hasForm?.(value) ?? true)
      .map(({ tokens }) => ({ tokens, release })),
  );
  if (found.length === 0) return;
  const oldRelease = nameOldRelease(
    record,
    found.map(({ release }) => release),
  );
  for (const { tokens, release } of found) report(tokens, undefined, release === 'R5' ? release : oldRelease);
}

/** Releases before and after R4 that alone have a type. */
const releasesOfTypes: Readonly<Record<string, Release>> = {
  BodySite: 'DSTU2 or STU3',
  Conformance: 'DSTU2',
  DataElement: 'DSTU2 or STU3',
  DeviceComponent: 'DSTU2 or STU3',
  DeviceUsage: 'R5',
  DeviceUseRequest: 'DSTU2',
  DiagnosticOrder: 'DSTU2',
  EligibilityRequest: 'DSTU2 or STU3',
  EligibilityResponse: 'DSTU2 or STU3',
  ExpansionProfile: 'STU3',
  ImagingManifest: 'STU3',
  ImagingObjectSelection: 'DSTU2',
  ImagingSelection: 'R5',
  InventoryReport: 'R5',
  MedicationOrder: 'DSTU2',
  NutritionIntake: 'R5',
  Order: 'DSTU2',
  OrderResponse: 'DSTU2',
  ProcedureRequest: 'DSTU2 or STU3',
  ProcessRequest: 'DSTU2 or STU3',
  ProcessResponse: 'DSTU2 or STU3',
  ReferralRequest: 'DSTU2 or STU3',
  Requirements: 'R5',
  Sequence: 'STU3',
  ServiceDefinition: 'STU3',
  SubscriptionTopic: 'R5',
  Transport: 'R5',
};

/** Returns the release that has a type which R4 does not have; undefined for types of none. */
export function releaseOfType(type: string): string | undefined {
  return Object.hasOwn(releasesOfTypes, type) ? releasesOfTypes[type] : undefined;
}

export const releaseRules = [
  {
    id: releaseRule,
    ...conformance,
    code: 'structure',
    text: 'This element comes from another release of FHIR ({name}). Move or remove it.',
    flagged: true,
    appliesTo: ['Record'],
    check: reportMarks,
  },
] as const satisfies readonly Rule[];
