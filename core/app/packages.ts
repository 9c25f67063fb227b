/** What page and server say to each other of `/app/packages`: FHIR packages, and what they profile. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** What can be sent: the form in which FHIR packages are published, and the same without its compression. */
export const packageTypes = ['application/gzip', 'application/x-tar'] as const;

/** A profile on a type that is kept here, and what it cannot be applied without. */
export const ProfileOffer = v.object({
  url: v.string(),
  version: v.string(),
  type: v.picklist(resourceTypes),
  title: v.string(),
  /** Whether records can be judged by it: its snapshot is there. */
  usable: v.boolean(),
  /** Canonicals that neither R4 nor a package at hand defines. */
  lacks: v.array(v.string()),
});
export type ProfileOffer = Shape<typeof ProfileOffer>;

/** `held`: a package here has it; `own`: Chartkeeper brings it; `other`: another version of it is here. */
const dependencyStates = ['held', 'own', 'other', 'lacking'] as const;

const Dependency = v.object({
  name: v.string(),
  version: v.string(),
  state: v.picklist(dependencyStates),
});

/** A package that was read. */
export const HeldPackage = v.object({
  /** Its file or folder among the packages; names it in addresses. */
  file: v.string(),
  state: v.literal('held'),
  name: v.string(),
  version: v.string(),
  title: v.string(),
  counts: v.object({ StructureDefinition: v.number(), ValueSet: v.number(), CodeSystem: v.number() }),
  dependencies: v.array(Dependency),
  profiles: v.array(ProfileOffer),
  /** On single files that could not be read. */
  notes: v.array(v.string()),
});
export type HeldPackage = Shape<typeof HeldPackage>;

/** `reading`: it was copied here, and is being read; `refused`: it is not used, and why. */
const OtherPackage = v.object({
  file: v.string(),
  state: v.picklist(['reading', 'refused']),
  problem: v.exactOptional(v.string()),
});

/** `GET /app/packages`. */
export const PackageList = v.object({
  /** Where they lie, for whoever copies one there by hand; absent where servers share them. */
  folder: v.exactOptional(v.string()),
  packages: v.array(v.variant('state', [HeldPackage, OtherPackage])),
});
export type PackageList = Shape<typeof PackageList>;
