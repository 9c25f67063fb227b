import type { Members, Report, Rule, Surroundings } from './finding.ts';
import { shapes } from './generated/record-schema.js';
import { rules } from './rules.ts';

/** A rule at work; the types meet here alone: it is only given values of the types that it is on. */
export interface Judge {
  readonly rule: Rule;
  readonly check: (value: Members | string, report: Report, at: Surroundings) => void;
}

/** A type as the walk through a record needs it: its elements by name and the rules that look at its values. */
export interface Kind {
  readonly name: string;
  readonly slots: Map<string, Slot>;
  readonly judges: readonly Judge[];
  /** Whether its values are objects. */
  readonly complex: boolean;
}

/** One element of a type. */
export interface Slot {
  /** The element's name; a constant, which makes a faster key than text that was just read. Blank for the unknown. */
  readonly name: string;
  readonly kind: Kind;
  /** The element that this is one choice of: `value` of `valueString`. */
  readonly choice: string;
  readonly targets: readonly string[] | undefined;
}

/** What all resources have: of a contained one, nothing else is known here. */
const common = ['id', 'meta', 'text', 'language', '_language', 'implicitRules', '_implicitRules'];

const judges = new Map<string, Judge[]>();
for (const rule of rules) {
  for (const name of rule.on ?? []) {
    const own = judges.get(name) ?? [];
    if (rule.check) own.push({ rule, check: rule.check as Judge['check'] });
    judges.set(name, own);
  }
}

const kinds = new Map<string, Kind>();

function make(name: string, complex: boolean): Kind {
  const kind: Kind = { name, slots: new Map(), judges: judgesOn(name), complex };
  kinds.set(name, kind);
  return kind;
}

const complexKinds = [...Object.keys(shapes), 'Contained'].map((name) => make(name, true));
for (const { name, slots } of complexKinds) {
  const rows = Object.entries(shapes[name] ?? shapes.CarePlan ?? {});
  for (const [element, [type, choice = '', targets]] of rows) {
    if (name === 'Contained' && !common.includes(element)) continue;
    slots.set(element, { name: element, kind: kinds.get(type) ?? make(type, false), choice, targets });
  }
}

/** What stands where FHIR knows no element. */
export const unknownKind: Kind = { name: '', slots: new Map(), judges: [], complex: true };

/** @throws TypeError where there is no such type. */
export function kindOf(name: string): Kind {
  const kind = kinds.get(name);
  if (!kind) throw new TypeError(`There is no type ${name}`);
  return kind;
}

/** The rules on a type, or on a trait of values whatever their type. */
export function judgesOn(name: string): readonly Judge[] {
  return judges.get(name) ?? [];
}
