import type { Judge, Kind } from '../../types/definition/rule.ts';
import { shapes } from './generated/record-schema.js';
import { firstType, isResourceType } from '../resource.ts';
import { rules } from './rules.ts';

/** What all resources have: of a contained one, nothing else is known here. */
const common = ['id', 'meta', 'text', 'language', '_language', 'implicitRules', '_implicitRules'];

const judges = new Map<string, Judge[]>();
for (const rule of rules) {
  for (const name of rule.on ?? []) {
    const own = judges.get(name) ?? [];
    if (rule.check) {
      const [check, changes] = [rule.check as Judge['check'], rule.changes as Judge['changes']];
      own.push({ rule, check, changes });
    }
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
  const rows = Object.entries(shapes[name] ?? shapes[firstType] ?? {});
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
  const own = judges.get(name) ?? [];
  return isResourceType(name) ? [...(judges.get('Record') ?? []), ...own] : own;
}
