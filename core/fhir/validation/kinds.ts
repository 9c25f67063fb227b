import type { Form, Judge, Kind, Mandatory, Slot } from '../../types/definition/rule.ts';
import { invariantsOf, rowsOf } from '../element-rows.ts';
import { isR4Type } from '../r4-names.ts';
import { isResourceType } from '../resource.ts';
import { primitives, resourceNames, type ElementRow, type PrimitiveRow } from './generated/element-table.js';
import { invariantJudge } from './invariants.ts';
import { rules } from './rules.ts';

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

/** The rules on a type, or on a trait of values whatever their type. */
export function judgesOn(name: string): readonly Judge[] {
  return judges.get(name) ?? [];
}

const kinds = new Map<string, Kind>();
/** Whatever resource stands there. */
const anyResource = 'Contained';
/** What all resources have: of one whose type is not known, nothing else is known. */
const common = ['id', 'meta', 'implicitRules', 'language', 'text'];

/** The kind of `resourceType` itself. */
export const resourceTypeKind: Kind = { ...blankKind(), name: 'resourceType', form: { type: 'string' } };

/** What stands where FHIR knows no element. */
export const unknownKind: Kind = blankKind();

function blankKind(): Kind {
  return { name: '', slots: new Map(), choices: new Map(), mandatory: [], judges: [], form: undefined };
}

/** The type of a record's elements. */
export function kindOf(name: string): Kind {
  return (
    kinds.get(name) ??
    make(name, name, isResourceType(name) ? [...judgesOn('Record'), ...judgesOn(name)] : judgesOn(name))
  );
}

/** The type of a contained resource, by its `resourceType`; of one that R4 does not know, what all have. */
export function containedKind(name: unknown): Kind {
  if (typeof name !== 'string' || !isR4Type(name)) return kindOf(anyResource);
  const key = `${anyResource} ${name}`;
  // What a steward asks of records is not asked of what they contain.
  const own = judgesOn(name).filter(({ rule }) => rule.code === 'invariant');
  return kinds.get(key) ?? make(key, name, [...judgesOn(anyResource), ...own]);
}

/** Whether a contained resource may stand at an element of this type. */
export function isAnyResource({ name }: Kind): boolean {
  return name === anyResource;
}

function make(key: string, name: string, own: readonly Judge[]): Kind {
  const slots = new Map<string, Slot>();
  const choices = new Map<string, string[]>();
  const mandatory: Mandatory[] = [];
  const kind: Kind = {
    name,
    slots,
    choices,
    mandatory,
    judges: [...own, ...invariantsOf(name).map(invariantJudge)],
    form: Object.hasOwn(primitives, name) ? formOf(primitives[name]) : undefined,
  };
  kinds.set(key, kind);
  const isResource = name === anyResource || isR4Type(name);
  if (isResource) {
    const type = name === anyResource ? undefined : new Set([name]);
    slots.set('resourceType', { ...plainSlot, name: 'resourceType', kind: resourceTypeKind, codes: type });
    mandatory.push({ name: 'resourceType', names: ['resourceType'] });
  }
  const rows = Object.entries((name === anyResource ? rowsOf(resourceNames[0] ?? '') : rowsOf(name)) ?? {});
  for (const [element, row] of rows) {
    if (name === anyResource && !common.includes(element)) continue;
    const paired = row.type in primitives && row.type !== 'xhtml' && element !== 'id';
    slots.set(element, slotOf(element, row, paired));
    if (paired) slots.set(`_${element}`, slotOf(`_${element}`, { ...row, type: 'Element' }, true));
    const names = paired ? [element, `_${element}`] : [element];
    // An extension without its url says nothing: no sibling stands for it.
    const enough = name === 'Extension' && element === 'url' ? [element] : names;
    if (row.choice !== undefined) choices.set(row.choice, [...(choices.get(row.choice) ?? []), ...names]);
    else if (row.required) mandatory.push({ name: element, names: enough });
  }
  for (const [choice, names] of choices) {
    if (rows.some(([, row]) => row.choice === choice && row.required))
      mandatory.push({ name: `${choice}[x]`, names });
  }
  return kind;
}

function formOf(row: PrimitiveRow | undefined): Form | undefined {
  if (!row) return undefined;
  const { pattern, ...rest } = row;
  // oxlint-disable-next-line security/detect-non-literal-regexp -- from the definitions, at build time
  return { ...rest, ...(pattern !== undefined && { pattern: new RegExp(pattern) }) };
}

/** A place of which nothing is known. */
export const plainSlot: Slot = {
  name: '',
  kind: unknownKind,
  choice: '',
  repeats: false,
  padded: false,
  codes: undefined,
  targets: undefined,
};

function slotOf(name: string, row: ElementRow, padded = false): Slot {
  const { type, repeats = false, choice = '', codes, targets, profile } = row;
  const kind = profile === undefined ? kindOf(type) : profiledKind(profile, type);
  const repeated = { repeats, padded: repeats && padded };
  const bound = codes && type !== 'Element' ? new Set(codes) : undefined;
  return { name, kind, choice, ...repeated, codes: bound, targets };
}

/** A type that R4 defines as another with rules of its own, such as SimpleQuantity. */
function profiledKind(profile: string, type: string): Kind {
  const known = kinds.get(profile);
  if (known) return known;
  const plain = kindOf(type);
  const kind = { ...plain, judges: [...plain.judges, ...judgesOn(profile)] };
  kinds.set(profile, kind);
  return kind;
}
