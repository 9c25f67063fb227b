/**
 * Data of profiles (FHIR R4 profiling.html): the chosen profile of each type, which applies in addition to
 * those that records claim, and its results.
 */
import * as v from 'valibot';
import { resourceTypes, type ResourceType } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { SentParameters } from './coded-message.ts';
import { FoundInRecord } from './quality.ts';

const canonical = v.pipe(v.string(), v.maxLength(1000), v.regex(/^\S+$/));

/** Canonical of the chosen profile of each type; absent for none. */
export const ChosenProfiles = v.strictObject(v.entriesFromList(resourceTypes, v.exactOptional(canonical)));
export type ChosenProfiles = Shape<typeof ChosenProfiles>;

/** `GET /app/profiles/progress`, by type. Types without profiles are left out. */
export const ProfileProgress = v.array(
  v.object({
    type: v.picklist(resourceTypes),
    /** Count of validated record versions, and of all. */
    done: v.number(),
    total: v.number(),
    /** Records that were validated against any profile. */
    applied: v.number(),
    violated: v.number(),
    findings: v.number(),
    /** Records with undecided requirements. */
    undecided: v.number(),
  }),
);
export type ProfileProgress = Shape<typeof ProfileProgress>;

/** Members that locate an element. */
const ofElement = {
  /** FHIRPath of the element, and its JSON Pointer. */
  expression: v.string(),
  pointer: v.string(),
  /** Profile with the requirement, with `|version`. */
  profile: v.string(),
};

/**
 * Requirement of a profile that cannot be checked. `needs` is missing, for example the canonical of a code
 * system.
 */
const UndecidedRule = v.object({
  ...ofElement,
  element: v.string(),
  needs: v.string(),
  /** The message, its code and its parameters. */
  text: v.string(),
  messageCode: v.string(),
  parameters: SentParameters,
});
export type UndecidedRule = Shape<typeof UndecidedRule>;

/** Response of `POST /app/profiles/findings`. */
export const ProfileFindings = v.object({
  findings: v.array(v.object({ ...FoundInRecord.entries, ...ofElement })),
  undecided: v.array(UndecidedRule),
  /** Claimed or chosen profiles that are not installed. */
  absent: v.array(v.string()),
});
export type ProfileFindings = Shape<typeof ProfileFindings>;

/** Name of profile validation in the measures. */
export const profileCheck = 'profile';

/** Returns the id of the progress row of a type. No custom check can have such an id. */
export function profileSlot(type: ResourceType): string {
  return `${profileCheck}/${type}`;
}

/** Returns true if a progress row belongs to profiles. */
export function isProfileSlot(id: string): boolean {
  return id.startsWith(`${profileCheck}/`);
}
