import type { Definition } from '../../core/fhir/profiles/conformance.ts';
import type { UndecidedRule } from '../../core/fhir/profiles/report.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';

/** A record to be validated against profiles. */
export interface ProfileQuestion {
  readonly type: ResourceType;
  /** Undefined for a record that cannot be read. */
  readonly text: string | undefined;
  /** Canonicals in addition to the canonicals that the record claims. */
  readonly profiles: readonly string[];
  /** True to validate against the claimed profiles as well. */
  readonly validatesClaimed: boolean;
}

/** Validation result of one record. */
export interface ProfileAnswer {
  readonly findings: readonly Finding[];
  readonly undecidedRules: readonly UndecidedRule[];
  /** Profiles to validate against that are not available. */
  readonly missingProfiles: readonly string[];
  /** Number of profiles that it was validated against. */
  readonly profileCount: number;
}

/** Kinds of definitions that a worker requests. */
export type DefinitionKind = 'structureDefinition' | 'valueSet' | 'codeSystem';

/** Definitions of the set by `kind canonical`; undefined if the set does not contain the definition. */
export type Definitions = ReadonlyMap<string, Definition | undefined>;

/** Texts of the requested literal references; undefined if not available. */
type ReferencedTexts = ReadonlyMap<string, string | undefined>;

export interface ProfileWorkerRequest {
  /** Fingerprint of the set. Definitions of another set are invalid. */
  readonly stamp: string;
  readonly definitions: Definitions;
  readonly questions: readonly ProfileQuestion[];
  readonly referencedTexts: ReferencedTexts;
  /** True if more may be requested. Otherwise anything missing is not available. */
  readonly canRequestMore: boolean;
  /**
   * Numbers of the invariants to skip, counted over all questions from 1. From a certain number on, all are
   * skipped.
   */
  readonly skippedInvariants: ReadonlySet<number>;
  readonly before: number;
  /** Numbers of the invariants that are not parsed, wherever they occur. */
  readonly unparsed: ReadonlySet<number>;
}

/** Results of all questions, or the definitions or references that it needs first. */
export type ProfileWorkerResponse =
  | { readonly definitions: readonly string[]; readonly references: readonly string[] }
  | { readonly answers: readonly ProfileAnswer[] };

/** The key of a definition in {@link Definitions}. */
export function keyOf(kind: DefinitionKind, canonical: string): string {
  return `${kind} ${canonical}`;
}
