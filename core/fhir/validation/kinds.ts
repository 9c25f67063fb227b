import type {
  PrimitiveForm,
  TypeRule,
  CompiledType,
  RequiredElement,
  ElementSlot,
} from '../../types/definition/rule.ts';
import { invariantsOf, rowsOf } from '../element-rows.ts';
import { isR4Type } from '../r4-names.ts';
import { isResourceType } from '../resource.ts';
import { primitives, resourceNames, type ElementRow, type PrimitiveRow } from './generated/element-table.js';
import { invariantJudge } from './invariants.ts';
import { rules } from './rules.ts';

const judges = new Map<string, TypeRule[]>();
for (const rule of rules) {
  for (const name of rule.appliesTo ?? []) {
    const ruleJudges = judges.get(name) ?? [];
    if (rule.check) {
      const [check, nextChangeAt] = [
        rule.check as TypeRule['check'],
        rule.nextChangeAt as TypeRule['nextChangeAt'],
      ];
      ruleJudges.push({ rule, check, nextChangeAt });
    }
    judges.set(name, ruleJudges);
  }
}

/** Returns the rules on a type or on a trait of values. */
export function judgesOn(name: string): readonly TypeRule[] {
  return judges.get(name) ?? [];
}

const kinds = new Map<string, CompiledType>();
/** Name of the type for any contained resource. */
const anyResource = 'Contained';
/** Elements of every resource. An unknown type has only these. */
const common = ['id', 'meta', 'implicitRules', 'language', 'text'];

/** The type of `resourceType` itself. */
export const resourceTypeKind: CompiledType = {
  ...blankKind(),
  name: 'resourceType',
  form: { type: 'string' },
};

/** The type of elements that FHIR does not know. */
export const unknownKind: CompiledType = blankKind();

function blankKind(): CompiledType {
  return { name: '', slots: new Map(), choices: new Map(), mandatory: [], rules: [], form: undefined };
}

/** Returns the type of a record's elements. Creates it on the first call. */
export function kindOf(name: string): CompiledType {
  return (
    kinds.get(name) ??
    createKind(name, name, isResourceType(name) ? [...judgesOn('Record'), ...judgesOn(name)] : judgesOn(name))
  );
}

/** Returns the type of a contained resource by its `resourceType`. An unknown type has only the common elements. */
export function containedKind(name: unknown): CompiledType {
  if (typeof name !== 'string' || !isR4Type(name)) return kindOf(anyResource);
  const key = `${anyResource} ${name}`;
  // The custom rules for records do not apply to contained resources.
  const typeJudges = judgesOn(name).filter(({ rule }) => rule.code === 'invariant');
  return kinds.get(key) ?? createKind(key, name, [...judgesOn(anyResource), ...typeJudges]);
}

/** Returns true if an element of this type may be a contained resource. */
export function isAnyResource({ name }: CompiledType): boolean {
  return name === anyResource;
}

function createKind(key: string, name: string, ownJudges: readonly TypeRule[]): CompiledType {
  const slots = new Map<string, ElementSlot>();
  const choices = new Map<string, string[]>();
  const mandatory: RequiredElement[] = [];
  const kind: CompiledType = {
    name,
    slots,
    choices,
    mandatory,
    rules: [...ownJudges, ...invariantsOf(name).map(invariantJudge)],
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
    // An extension requires its url: a sibling does not replace it.
    const acceptedNames = name === 'Extension' && element === 'url' ? [element] : names;
    if (row.choice !== undefined) choices.set(row.choice, [...(choices.get(row.choice) ?? []), ...names]);
    else if (row.required) mandatory.push({ name: element, names: acceptedNames });
  }
  for (const [choice, names] of choices) {
    if (rows.some(([, row]) => row.choice === choice && row.required))
      mandatory.push({ name: `${choice}[x]`, names });
  }
  return kind;
}

function formOf(row: PrimitiveRow | undefined): PrimitiveForm | undefined {
  if (!row) return undefined;
  const { pattern, ...limits } = row;
  // oxlint-disable-next-line security/detect-non-literal-regexp -- from the definitions, at build time
  return { ...limits, ...(pattern !== undefined && { pattern: new RegExp(pattern) }) };
}

/** An element without known properties. */
export const plainSlot: ElementSlot = {
  name: '',
  kind: unknownKind,
  choice: '',
  repeats: false,
  padded: false,
  codes: undefined,
  targets: undefined,
};

function slotOf(name: string, row: ElementRow, padded = false): ElementSlot {
  const { type, repeats = false, choice = '', codes, targets, profile } = row;
  const kind = profile === undefined ? kindOf(type) : profiledKind(profile, type);
  const repeated = { repeats, padded: repeats && padded };
  const boundCodes = codes && type !== 'Element' ? new Set(codes) : undefined;
  return { name, kind, choice, ...repeated, codes: boundCodes, targets };
}

/** Returns a type that R4 constrains with further rules, such as SimpleQuantity. */
function profiledKind(profile: string, type: string): CompiledType {
  const cachedKind = kinds.get(profile);
  if (cachedKind) return cachedKind;
  const plain = kindOf(type);
  const kind: CompiledType = { ...plain, rules: [...plain.rules, ...judgesOn(profile)] };
  kinds.set(profile, kind);
  return kind;
}
