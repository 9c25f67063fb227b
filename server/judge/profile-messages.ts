import type { Definition } from '../../core/fhir/profiles/conformance.ts';
import type { Undecided } from '../../core/fhir/profiles/report.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';

/** A record that is to be judged by profiles. */
export interface ProfileQuestion {
  readonly type: ResourceType;
  /** Undefined for a record that cannot be read. */
  readonly text: string | undefined;
  /** Canonicals beside those that it claims. */
  readonly profiles: readonly string[];
  /** Whether it is judged by those that it claims too. */
  readonly claimed: boolean;
}

/** What a record came to. */
export interface ProfileAnswer {
  readonly findings: readonly Finding[];
  readonly undecided: readonly Undecided[];
  /** Profiles that are not at hand, of those that it was to be judged by. */
  readonly absent: readonly string[];
  /** How many profiles it was judged by. */
  readonly judgedBy: number;
}

/** The kinds of definitions that a thread asks for. */
export type DefinitionKind = 'structureDefinition' | 'valueSet' | 'codeSystem';

/** `kind canonical`: what a thread wants to know of the set, and what the set has there. */
export type Definitions = ReadonlyMap<string, Definition | undefined>;

/** What literal references lead to, as far as they were asked for: its text, or undefined where nothing is at hand. */
type Beside = ReadonlyMap<string, string | undefined>;

export interface ProfileOrder {
  /** Of the set: what a thread was told of another holds no more. */
  readonly stamp: string;
  readonly told: Definitions;
  readonly questions: readonly ProfileQuestion[];
  readonly beside: Beside;
  /** Whether more of it may be asked for; else what is not in it is not at hand. */
  readonly mayAsk: boolean;
  /** Numbers of the invariants that are not asked, counted over all questions from 1 on; all from a number on. */
  readonly without: ReadonlySet<number>;
  readonly before: number;
  /** Numbers of the invariants that are not parsed, wherever the same stands again. */
  readonly unparsed: ReadonlySet<number>;
  /** Where the thread notes the number of the invariant that it asks or parses just now. */
  readonly place: Int32Array;
}

/** Answers to all questions, or the definitions that it wants first, or the references to follow. */
export type ProfileReply =
  | { readonly ready: true }
  | { readonly wanted: readonly string[]; readonly references: readonly string[] }
  | { readonly answers: readonly ProfileAnswer[] };

/** The key of a definition in {@link Definitions}. */
export function keyOf(kind: DefinitionKind, canonical: string): string {
  return `${kind} ${canonical}`;
}
