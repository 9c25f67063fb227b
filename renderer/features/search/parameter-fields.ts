import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import {
  datePrefixes,
  resultParameters,
  searchParameterOf,
  searchParameters,
  searchParametersOf,
} from '../../../core/fhir/search-parameters.ts';
import { recordTypes } from '../../../core/fhir/validation/generated/element-table.js';

/** A further search parameter in the form of its controls. */
export interface Parameter {
  readonly name: string;
  /** A modifier with its colon (`:not`), a date prefix (`ge`), or empty. */
  readonly comparison: string;
  readonly value: string;
}

/** Control that enters a value. */
export type ValueControl =
  | { readonly kind: 'text' | 'date' | 'reference' }
  | {
      readonly kind: 'choice';
      readonly values: readonly string[];
      readonly format: 'code' | 'flag' | 'order';
    };

const ownFields = new Set(['subject', 'encounter']);

/** Parameter that orders the matches: the only result parameter that a search keeps. */
export const orderName = '_sort';

/**
 * Returns the parameters besides patient and encounter: the parameters that the server supports, otherwise the
 * parameters of the API.
 */
export function furtherParameters(
  type: ResourceType,
  names: readonly string[] = searchParametersOf(type).map(({ name }) => name),
): readonly string[] {
  return [...names.filter((name) => !ownFields.has(name) && name !== 'patient'), orderName];
}

/** Returns the parameter of a new row: the status of the record. */
export function firstParameter(type: ResourceType): string {
  return searchParametersOf(type).find(({ sort }) => sort === 'status')?.name ?? orderName;
}

/** Returns the FHIR description of a parameter; empty for an unknown name. */
export function hintOf(type: ResourceType, name: string): string {
  const parameter =
    searchParameterOf(type, name) ?? resultParameters.find((candidate) => candidate.name === name);
  return parameter?.text ?? '';
}

/** Returns the comparisons of a parameter, the plain comparison first. */
export function comparisonsOf(name: string): readonly string[] {
  const parameter = searchParameters.find((candidate) => candidate.name === name);
  const prefixes = parameter?.type === 'date' ? datePrefixes.filter((prefix) => prefix !== 'eq') : [];
  return ['', ...prefixes, ...pickModifiers(parameter?.modifiers ?? []).map((modifier) => `:${modifier}`)];
}

/** Common target types of references to any type. Other types are typed: `Observation/x`. */
const commonTargetTypes = new Set<string>(['Patient', 'Group', ...resourceTypes]);
const maxModifiers = 12;

function pickModifiers(modifiers: readonly string[]): readonly string[] {
  if (modifiers.length <= maxModifiers) return modifiers;
  return modifiers.filter((modifier) => !/^[A-Z]/.test(modifier) || commonTargetTypes.has(modifier));
}

/** Returns the control for the value of a parameter. */
export function controlOf(type: ResourceType, { name, comparison }: Parameter): ValueControl {
  if (comparison === ':missing') return { kind: 'choice', values: ['true', 'false'], format: 'flag' };
  if (name === orderName) return { kind: 'choice', values: orders(type), format: 'order' };
  const parameter = searchParameterOf(type, name);
  const [element = ''] = parameter?.path.map((step) => Object.keys(step)[0] ?? '') ?? [];
  const codes = parameter?.path.length === 1 ? recordTypes.elements[type]?.[element]?.codes : undefined;
  if (codes && comparison !== ':text') return { kind: 'choice', values: codes, format: 'code' };
  if (parameter?.type === 'date' || parameter?.type === 'reference') return { kind: parameter.type };
  return { kind: 'text' };
}

/** Returns the sortable parameters, each ascending and descending. */
function orders(type: ResourceType): string[] {
  return searchParametersOf(type)
    .filter(({ sort }) => sort !== undefined)
    .flatMap(({ name }) => [name, `-${name}`]);
}

/** Returns a parameter with another name, comparison or value. Resets parts that the new name does not support. */
export function changedParameter(
  type: ResourceType,
  parameter: Parameter,
  change: Partial<Parameter>,
): Parameter {
  const next = { ...parameter, ...change };
  const comparison = comparisonsOf(next.name).includes(next.comparison) ? next.comparison : '';
  const fitting = { ...next, comparison };
  if (change.value !== undefined) return fitting;
  const [previousControl, nextControl] = [controlOf(type, parameter), controlOf(type, fitting)];
  const keepsValue =
    previousControl.kind === nextControl.kind &&
    (nextControl.kind !== 'choice' || nextControl.values.includes(next.value));
  return {
    ...fitting,
    value: keepsValue && change.name === undefined ? next.value : (firstValue(nextControl) ?? ''),
  };
}

/** Returns a new row for a parameter. */
export function newParameter(type: ResourceType, name: string): Parameter {
  const empty = { name, comparison: '', value: '' };
  return { ...empty, value: firstValue(controlOf(type, empty)) ?? '' };
}

function firstValue(control: ValueControl): string | undefined {
  return control.kind === 'choice' ? control.values[0] : undefined;
}

/** Converts a parameter to a query pair: the modifier after its name, the prefix before its value. */
export function pairOf({ name, comparison, value }: Parameter): readonly [name: string, value: string] {
  const text = value.trim();
  if (comparison.startsWith(':')) return [name + comparison, text];
  return [name, text === '' ? '' : comparison + text];
}

/** Converts a query pair to a parameter. Parts without a control stay in the value. */
export function parameterOf([full, value]: readonly [name: string, value: string]): Parameter {
  const colonIndex = full.indexOf(':');
  const name = colonIndex === -1 ? full : full.slice(0, colonIndex);
  const comparisons = comparisonsOf(name);
  if (colonIndex !== -1) {
    const comparison = full.slice(colonIndex);
    return comparisons.includes(comparison)
      ? { name, comparison, value }
      : { name: full, comparison: '', value };
  }
  const prefix = comparisons.find(
    (comparison) => comparison !== '' && !comparison.startsWith(':') && value.startsWith(comparison),
  );
  if (prefix !== undefined && !value.includes(',')) {
    return { name, comparison: prefix, value: value.slice(prefix.length) };
  }
  return { name, comparison: '', value };
}
