/**
 * core/types/definition is what a definition of a resource type is written with: its shape, the shape of a rule, and
 * FHIR's partial dates. Called by the definitions and by core/fhir. Invariant: imports nothing but itself.
 */
export type Severity = 'error' | 'warning';

/** Kahn et al. 2016, a harmonized data quality assessment terminology. */
export type Category = 'conformance' | 'completeness' | 'plausibility';

/** FHIR R4 valueset-issue-type. */
export type IssueCode =
  | 'business-rule'
  | 'code-invalid'
  | 'invalid'
  | 'invariant'
  | 'required'
  | 'structure'
  | 'too-costly'
  | 'too-long'
  | 'value';

/** A JSON object as plain data, own members only. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Names the broken element by its path below the one that was checked; `detail` is technical, `name` fills the rule's
 * sentence, and neither is a value of the record.
 */
export type Report = (tokens?: readonly (string | number)[], detail?: string, name?: string) => void;

/** What a check may ask about the place and the record that it looks at. */
export interface Surroundings {
  readonly today: string;
  /** Types that a reference at this place may name, as far as the place limits them. */
  readonly targets: readonly string[] | undefined;
  /** The type of the element that is checked. */
  readonly kind: Kind;
  /** By the id of each contained resource, its type as far as it is known; by a blank id, the record's own. */
  readonly contained: ReadonlyMap<string, string | undefined>;
  /** Where the element stands: member names and indexes from the record's root. */
  readonly path: readonly (string | number)[];
  /** Every text of the record that begins with `#`, links of narratives included. Complete once the record itself is checked, the last of all. */
  readonly fragments: ReadonlySet<string>;
}

/**
 * What tells the findings of a rule apart beside the element (row 13a):
 * `value`: another value at the same element is another finding.
 * `parent`: the rule is about members that exclude each other, and their order decides which of them is reported.
 * `repetition`: the rule is about equal values, and their order decides which of them is reported.
 */
export type RuleSubject = 'value' | 'parent' | 'repetition';

export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly code: IssueCode;
  /** One sentence that a person can act on; `{}` stands for the name of an element. */
  readonly text: string;
  /**
   * The types whose values `check` looks at; `Record` is each resource type that has a definition. Or traits of values of
   * any type: `sparse` (an object with no or one member), `choosing` (with two or more choices of an element), `paired`
   * (with `_name` siblings or padding), `escaped` (a text that JSON wrote with an escape, as it must write every control
   * character).
   */
  readonly on?: readonly string[];
  /** Its errors are stored and flagged at the level `standard`: what is missing or unknown, and what later releases found. */
  readonly flagged?: true;
  /** Absent for a rule about presence or structure: its finding is the element, whatever the element says. */
  readonly about?: RuleSubject;
  readonly check?: (value: never, report: Report, at: Surroundings) => void;
  /**
   * For a rule that asks what day it is: the first midnight behind today (UTC, milliseconds since 1970) at which `check`
   * says something else of the same value; undefined where there is none.
   */
  readonly changes?: (value: never, at: Surroundings) => number | undefined;
}

/** What most rules have in common that FHIR itself states. */
export const conformance = { severity: 'error', category: 'conformance' } as const;

/** Those of them that the standard has as invariants. */
export const invariant = { ...conformance, code: 'invariant' } as const;

/** A rule at work; the types meet here alone: it is only given values of the types that it is on. */
export interface Judge {
  readonly rule: Rule;
  readonly check: (value: Members | string, report: Report, at: Surroundings) => void;
  readonly changes: ((value: Members | string, at: Surroundings) => number | undefined) | undefined;
}

/** A check that reports the value, or the element `below` it, where `broken` says so. */
export function reportIf<Value = Members>(
  broken: (value: Value, at: Surroundings) => boolean,
  ...below: readonly string[]
): (value: NoInfer<Value>, report: Report, at: Surroundings) => void {
  return (value, report, at) => {
    if (broken(value, at)) report(below);
  };
}

/** What JSON value a primitive type has, and which. */
export interface Form {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A mandatory element: one of `names` has to stand there. */
export interface Mandatory {
  /** As it is told: `target[x]` of a choice. */
  readonly name: string;
  readonly names: readonly string[];
}

/** A type as the walk through a record needs it: its elements by name and the rules that look at its values. */
export interface Kind {
  readonly name: string;
  readonly slots: ReadonlyMap<string, Slot>;
  /** By the element that is one of several types, the names that it can have: `valueString` of `value`. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly mandatory: readonly Mandatory[];
  readonly judges: readonly Judge[];
  /** Of a primitive type; one without it has objects as values. */
  readonly form: Form | undefined;
}

/** One element of a type. */
export interface Slot {
  /** The element's name; a constant, which makes a faster key than text that was just read. Blank for the unknown. */
  readonly name: string;
  readonly kind: Kind;
  /** The element that this is one choice of: `value` of `valueString`. */
  readonly choice: string;
  readonly repeats: boolean;
  /** Whether its list may hold null, where the other list of a primitive and its siblings says something. */
  readonly padded: boolean;
  /** The codes of a required binding. */
  readonly codes: ReadonlySet<string> | undefined;
  readonly targets: readonly string[] | undefined;
}

/** Narrows to an object that is no array. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of an array; none for any other value. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether an element stands there, by its value or by its `_name` sibling (FHIR R4 json.html#primitive). */
export function has(element: Members, name: string): boolean {
  return element[name] !== undefined || element[`_${name}`] !== undefined;
}
