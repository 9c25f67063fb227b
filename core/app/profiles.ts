/**
 * What page and server say to each other of profiles (FHIR R4 profiling.html): which one records of a type are judged by
 * beside those that they claim, and what that came to.
 */
import * as v from 'valibot';
import { resourceTypes, type ResourceType } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { FoundInRecord } from './quality.ts';

const canonical = v.pipe(v.string(), v.maxLength(1000), v.regex(/^\S+$/));

/** The canonical by which records of a type are judged; none where absent. */
export const ChosenProfiles = v.strictObject(v.entriesFromList(resourceTypes, v.exactOptional(canonical)));
export type ChosenProfiles = Shape<typeof ChosenProfiles>;

/** `GET /app/profiles/progress`: by type, where records are judged by profiles. */
export const ProfileProgress = v.array(
  v.object({
    type: v.picklist(resourceTypes),
    /** Versions of records that were passed, and all. */
    done: v.number(),
    total: v.number(),
    /** Records that were judged by any profile. */
    applied: v.number(),
    violated: v.number(),
    findings: v.number(),
    /** Records of which something cannot be decided here. */
    undecided: v.number(),
  }),
);
export type ProfileProgress = Shape<typeof ProfileProgress>;

/** What says something of an element. */
const ofElement = {
  /** FHIRPath of the element, and its JSON Pointer. */
  expression: v.string(),
  pointer: v.string(),
  /** The profile that asks for it, with `|version`. */
  profile: v.string(),
};

/** What a profile asks of an element and cannot be decided; `needs` is missing: the canonical of a code system, say. */
const UndecidedDemand = v.object({ ...ofElement, element: v.string(), needs: v.string() });
export type UndecidedDemand = Shape<typeof UndecidedDemand>;

/** `POST /app/profiles/findings`: what profiles say of a text. */
export const ProfileFindings = v.object({
  findings: v.array(v.object({ ...FoundInRecord.entries, ...ofElement })),
  undecided: v.array(UndecidedDemand),
  /** Profiles that are claimed or chosen, and are not at hand. */
  absent: v.array(v.string()),
});
export type ProfileFindings = Shape<typeof ProfileFindings>;

/** What profiles came to, in the measures. */
export const profileCheck = 'profile';

/** The id under which the store keeps how far records of a type were judged; no steward's check has such a one. */
export function profileSlot(type: ResourceType): string {
  return `${profileCheck}/${type}`;
}

/** Whether a slot of the store is that of profiles. */
export function isProfileSlot(id: string): boolean {
  return id.startsWith(`${profileCheck}/`);
}
