import { elementAt } from '../../../core/fhir/element-type.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import {
  datePrefixes,
  resultParameters,
  searchParameterOf,
  searchParameters,
  searchParametersOf,
} from '../../../core/fhir/search-parameters.ts';

/** A further parameter of a search as its row of controls holds it. */
export interface Parameter {
  readonly name: string;
  /** A modifier with its colon (`:not`), a date's prefix (`ge`), or nothing. */
  readonly comparison: string;
  readonly value: string;
}

/** What a value is typed or chosen with. */
export type ValueControl =
  | { readonly kind: 'text' | 'date' | 'reference' }
  | {
      readonly kind: 'choice';
      readonly values: readonly string[];
      readonly spoken: 'code' | 'flag' | 'order';
    };

/** The parameters that have a field of their own. */
const ownFields = new Set(['subject', 'encounter']);

/** The name that orders the matches; the one parameter of the answer's shape that a search keeps. */
export const orderName = '_sort';

/** What a search can be narrowed with beside patient and encounter: what a server offers, else the API's own table. */
export function furtherParameters(
  type: ResourceType,
  names: readonly string[] = searchParametersOf(type).map(({ name }) => name),
): readonly string[] {
  return [...names.filter((name) => !ownFields.has(name) && name !== 'patient'), orderName];
}

/** What a new row begins with: the record's status. */
export function firstParameter(type: ResourceType): string {
  return searchParametersOf(type).find(({ sort }) => sort === 'status')?.name ?? orderName;
}

/** What FHIR says of a parameter, in one sentence; empty for a name that is not offered. */
export function hintOf(type: ResourceType, name: string): string {
  const parameter = searchParameterOf(type, name) ?? resultParameters.find((one) => one.name === name);
  return parameter?.text ?? '';
}

/** The comparisons that a parameter takes; the first is the plain one. */
export function comparisonsOf(name: string): readonly string[] {
  const parameter = searchParameters.find((one) => one.name === name);
  const prefixes = parameter?.type === 'date' ? datePrefixes.filter((prefix) => prefix !== 'eq') : [];
  return ['', ...prefixes, ...chosen(parameter?.modifiers ?? []).map((modifier) => `:${modifier}`)];
}

/** Of references to anything, the types that a steward looks for; the others are typed: `Observation/x`. */
const lookedFor = new Set<string>(['Patient', 'Group', ...resourceTypes]);
const mostTypes = 12;

function chosen(modifiers: readonly string[]): readonly string[] {
  if (modifiers.length <= mostTypes) return modifiers;
  return modifiers.filter((one) => !/^[A-Z]/.test(one) || lookedFor.has(one));
}

/** How the value of a parameter is entered. */
export function controlOf(type: ResourceType, { name, comparison }: Parameter): ValueControl {
  if (comparison === ':missing') return { kind: 'choice', values: ['true', 'false'], spoken: 'flag' };
  if (name === orderName) return { kind: 'choice', values: orders(type), spoken: 'order' };
  const parameter = searchParameterOf(type, name);
  const [element = ''] = parameter?.path.map((step) => Object.keys(step)[0] ?? '') ?? [];
  const codes = parameter?.path.length === 1 ? elementAt(type, `/${element}`)?.codes : undefined;
  if (codes && comparison !== ':text') return { kind: 'choice', values: codes, spoken: 'code' };
  if (parameter?.type === 'date' || parameter?.type === 'reference') return { kind: parameter.type };
  return { kind: 'text' };
}

/** The columns that the server sorts by, each upwards and downwards. */
function orders(type: ResourceType): string[] {
  return searchParametersOf(type)
    .filter(({ sort }) => sort !== undefined)
    .flatMap(({ name }) => [name, `-${name}`]);
}

/** A parameter with another name, comparison or value; what does not fit the new name falls away. */
export function changedParameter(
  type: ResourceType,
  parameter: Parameter,
  change: Partial<Parameter>,
): Parameter {
  const next = { ...parameter, ...change };
  const comparison = comparisonsOf(next.name).includes(next.comparison) ? next.comparison : '';
  const fitting = { ...next, comparison };
  if (change.value !== undefined) return fitting;
  const [was, is] = [controlOf(type, parameter), controlOf(type, fitting)];
  const keeps = was.kind === is.kind && (is.kind !== 'choice' || is.values.includes(next.value));
  return { ...fitting, value: keeps && change.name === undefined ? next.value : (firstValue(is) ?? '') };
}

/** A new row for a parameter. */
export function newParameter(type: ResourceType, name: string): Parameter {
  const empty = { name, comparison: '', value: '' };
  return { ...empty, value: firstValue(controlOf(type, empty)) ?? '' };
}

function firstValue(control: ValueControl): string | undefined {
  return control.kind === 'choice' ? control.values[0] : undefined;
}

/** A parameter as the API takes it: the modifier behind its name, the prefix before its value. */
export function pairOf({ name, comparison, value }: Parameter): readonly [name: string, value: string] {
  const text = value.trim();
  if (comparison.startsWith(':')) return [name + comparison, text];
  return [name, text === '' ? '' : comparison + text];
}

/** The row of controls for a pair of a query; what the controls cannot say stays in the value as it is. */
export function parameterOf([full, value]: readonly [name: string, value: string]): Parameter {
  const at = full.indexOf(':');
  const name = at === -1 ? full : full.slice(0, at);
  const comparisons = comparisonsOf(name);
  if (at !== -1) {
    const comparison = full.slice(at);
    return comparisons.includes(comparison)
      ? { name, comparison, value }
      : { name: full, comparison: '', value };
  }
  const prefix = comparisons.find((one) => one !== '' && !one.startsWith(':') && value.startsWith(one));
  if (prefix !== undefined && !value.includes(',')) {
    return { name, comparison: prefix, value: value.slice(prefix.length) };
  }
  return { name, comparison: '', value };
}
