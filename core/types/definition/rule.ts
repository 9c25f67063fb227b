/**
 * core/types/definition has the types of resource definitions and rules, and FHIR's partial dates. Used by
 * the definitions and by core/fhir. Invariant: imports nothing else.
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

/** JSON object as plain data, own members only. */
export type PlainObject = Readonly<Record<string, unknown>>;

/**
 * Reports the broken element by its path below the checked one. `detail` is technical, `name` fills the
 * message. Neither contains a value of the record.
 */
export type ReportFinding = (tokens?: readonly (string | number)[], detail?: string, name?: string) => void;

/** Context of a check: the element's position and the record around it. */
export interface RuleContext {
  readonly today: string;
  /** Permitted types of a reference, if the element limits them. */
  readonly targets: readonly string[] | undefined;
  /** Type of the checked element. */
  readonly kind: CompiledType;
  /** Types of contained resources by id, if known. The blank id stands for the record. */
  readonly contained: ReadonlyMap<string, string | undefined>;
  /** Path of the element: member names and indices from the record's root. */
  readonly path: readonly (string | number)[];
  /**
   * All texts of the record that begin with `#`, links of narratives included. Complete when the record
   * itself is checked, which comes last.
   */
  readonly fragments: ReadonlySet<string>;
}

/**
 * Further identity of a rule's findings, besides the element (row 13a of docs/api-rows.md): `value`: another
 * value at the same element is another finding. `parent`: the rule is about members that exclude each other,
 * and their order decides which is reported. `repetition`: the rule is about equal values, and their order
 * decides which is reported.
 */
export type RuleSubject = 'value' | 'parent' | 'repetition';

export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly code: IssueCode;
  /** One or two sentences with the required action. A report fills `{name}`; the list of rules omits it. */
  readonly text: string;
  /**
   * Types whose values `check` receives. `Record` is each defined resource type. Traits select values of any
   * type: `sparse` (object with up to one member), `choosing` (two or more choices of an element), `paired`
   * (with `_name` siblings or padding), `escaped` (text that JSON wrote with an escape, as it must for every
   * control character).
   */
  readonly appliesTo?: readonly string[];
  /**
   * True if the level `standard` stores and flags its errors: missing or unknown content, and rules of later
   * releases.
   */
  readonly flagged?: true;
  /** Absent for a rule about presence or structure: its finding is the element, independent of the value. */
  readonly subject?: RuleSubject;
  readonly check?: (value: never, report: ReportFinding, context: RuleContext) => void;
  /**
   * For a rule that depends on the date: returns the next midnight (UTC, milliseconds since 1970) at which
   * `check` gives another result for the same value; undefined if there is none.
   */
  readonly nextChangeAt?: (value: never, context: RuleContext) => number | undefined;
}

/** Common members of rules that FHIR itself states. */
export const conformance = { severity: 'error', category: 'conformance' } as const;

/** Common members of rules that are invariants of the standard. */
export const invariant = { ...conformance, code: 'invariant' } as const;

/** Rule that receives only values of its types. Only here the value types of all rules are unified. */
export interface TypeRule {
  readonly rule: Rule;
  readonly check: (value: PlainObject | string, report: ReportFinding, context: RuleContext) => void;
  readonly nextChangeAt:
    | ((value: PlainObject | string, context: RuleContext) => number | undefined)
    | undefined;
}

/** Creates a check that reports the value, or the element at `elementPath` below it. */
export function reportIf<Value = PlainObject>(
  isBroken: (value: Value, context: RuleContext) => boolean,
  ...elementPath: readonly string[]
): (value: NoInfer<Value>, report: ReportFinding, context: RuleContext) => void {
  return (value, report, context) => {
    if (isBroken(value, context)) report(elementPath);
  };
}

export interface PrimitiveForm {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Required element: one of `names` must exist. */
export interface RequiredElement {
  /** Name in messages: `target[x]` of a choice. */
  readonly name: string;
  readonly names: readonly string[];
}

/** Type for the walk through a record: its elements by name, and the rules for its values. */
export interface CompiledType {
  readonly name: string;
  readonly slots: ReadonlyMap<string, ElementSlot>;
  /** Possible names of each choice element: `valueString` of `value`. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly mandatory: readonly RequiredElement[];
  readonly rules: readonly TypeRule[];
  /** Form of a primitive type; undefined for types of objects. */
  readonly form: PrimitiveForm | undefined;
}

export interface ElementSlot {
  /** Name of the element; blank if unknown. A constant, which is a faster key than parsed text. */
  readonly name: string;
  readonly kind: CompiledType;
  /** Choice element to which this belongs: `value` of `valueString`. */
  readonly choice: string;
  readonly repeats: boolean;
  /** True if its list may contain null, because a primitive's siblings are in a second list. */
  readonly padded: boolean;
  /** Codes of a required binding. */
  readonly codes: ReadonlySet<string> | undefined;
  readonly targets: readonly string[] | undefined;
}

/** Returns true for an object that is not an array. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the items of an array; an empty list for other values. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns true if an element exists, by its value or its `_name` sibling (FHIR R4 json.html#primitive). */
export function has(element: PlainObject, name: string): boolean {
  return element[name] !== undefined || element[`_${name}`] !== undefined;
}
