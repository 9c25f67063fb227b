/** Data of `/app/packages`: FHIR packages and their profiles. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** Media types of an upload: FHIR packages as published, and without compression. */
export const packageTypes = ['application/gzip', 'application/x-tar'] as const;

/** Profile on a stored resource type, and its missing definitions. */
export const AvailableProfile = v.object({
  url: v.string(),
  version: v.string(),
  type: v.picklist(resourceTypes),
  title: v.string(),
  /** True if records can be validated against it: the package has its snapshot. */
  usable: v.boolean(),
  /** Canonicals that neither R4 nor an installed package defines. */
  lacks: v.array(v.string()),
});
export type AvailableProfile = Shape<typeof AvailableProfile>;

/** `held`: an installed package; `own`: part of Chartkeeper; `other`: another version is installed. */
const dependencyStates = ['held', 'own', 'other', 'lacking'] as const;

const Dependency = v.object({
  name: v.string(),
  version: v.string(),
  state: v.picklist(dependencyStates),
});

export const InstalledPackage = v.object({
  /** File or folder in the package folder; its name in addresses. */
  file: v.string(),
  state: v.literal('held'),
  name: v.string(),
  version: v.string(),
  title: v.string(),
  counts: v.object({ StructureDefinition: v.number(), ValueSet: v.number(), CodeSystem: v.number() }),
  dependencies: v.array(Dependency),
  profiles: v.array(AvailableProfile),
  /** Problems of single files. */
  notes: v.array(v.string()),
});
export type InstalledPackage = Shape<typeof InstalledPackage>;

/**
 * `reading`: the copied package is being read. `refused`: the package is not used, and `problem` has the
 * reason.
 */
const OtherPackage = v.object({
  file: v.string(),
  state: v.picklist(['reading', 'refused']),
  problem: v.exactOptional(v.string()),
});

/** `GET /app/packages`. */
export const PackageList = v.object({
  /** Folder for copying packages by hand; absent if servers share the packages. */
  folder: v.exactOptional(v.string()),
  packages: v.array(v.variant('state', [InstalledPackage, OtherPackage])),
});
export type PackageList = Shape<typeof PackageList>;
