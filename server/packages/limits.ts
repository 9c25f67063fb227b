/**
 * server/packages manages the installed FHIR packages: reads them safely, lists content and missing
 * dependencies, and provides definitions for validation. Called at server start, by the routes and the
 * command line. Invariant: the files in `packages/` of the data folder are authoritative, and everything in
 * `packages/.read/` is derived from them. Nothing of a package is unpacked outside that folder.
 */

import type { Message } from '../../core/text/message.ts';

const mebibyte = 1024 ** 2;

/**
 * Limits of a package; a larger one is rejected with a message. The largest packages of HL7 reach a fifth
 * of them.
 */
export const packageLimits = {
  /** Size of the sent file in bytes. */
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
  /** Maximum number of stored notes on single files. */
  notes: 20,
} as const;

/** Maximum size in bytes of the definition texts whose parsed form is cached. */
export const cachedBodies = 16 * mebibyte;

/** Reason for rejecting a package, in a message that says what to do. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly sentence: Message;

  constructor(sentence: Message) {
    super(sentence.text);
    this.sentence = sentence;
  }
}

/** Returns a limit in bytes as a number of MiB. */
export function inMebibytes(limit: number): number {
  return limit / mebibyte;
}
