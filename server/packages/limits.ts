/**
 * server/packages holds the FHIR packages that somebody chose: reads them safely, lists what they need and lack, and
 * gives their definitions to whoever judges. Called by the start of the server, the routes and the command line.
 * Invariant: what lies in `packages/` of the data folder is the truth, everything in `packages/.read/` is made from it;
 * nothing of a package is ever unpacked outside that folder.
 */

const mebibyte = 1024 ** 2;

/** What a package may be; a larger one costs a sentence. The largest that HL7 publishes are a fifth of it. */
export const packageLimits = {
  /** Bytes as it is sent. */
  packed: 128 * mebibyte,
  /** Bytes of all its files. */
  unpacked: 512 * mebibyte,
  /** Bytes of one file. */
  file: 32 * mebibyte,
  files: 20_000,
  /** Characters of a path within it. */
  path: 1024,
  /** Packages in the data folder. */
  packages: 50,
  /** Notes on single files that are kept. */
  notes: 20,
} as const;

/** Bytes of definitions' texts whose parsed form is held at once. */
export const heldBodies = 16 * mebibyte;

/** Why a package is not taken, in a sentence that a person can act on. */
export class PackageFault extends Error {
  override readonly name = 'PackageFault';
}

export function tooManyBytes(what: string, limit: number): PackageFault {
  return new PackageFault(`${what} more than ${limit / mebibyte} MiB.`);
}
