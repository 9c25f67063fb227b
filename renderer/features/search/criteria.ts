import type { SearchQuery } from '../../../core/app/searches.ts';
import { definitionOf, firstType, resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { resultParametersOf, searchParameterOf } from '../../../core/fhir/search-parameters.ts';
import { orderName, pairOf, parameterOf, type Parameter } from './parameter-fields.ts';

/** What the form asks for; empty text asks nothing. */
export interface Criteria {
  readonly type: ResourceType;
  readonly patient: string;
  readonly encounter: string;
  /** Further parameters, the order of the matches among them. */
  readonly more: readonly Parameter[];
}

export const emptyCriteria: Criteria = { type: firstType, patient: '', encounter: '', more: [] };

/** The shape of the answer is the grid's own matter, but for its order. */
const shaping = new Set(
  resultParametersOf('search')
    .map(({ name }) => name)
    .filter((name) => name !== orderName),
);

/** The form's fields for a search: the first subject and encounter have their own, all else is a further parameter. */
export function criteriaOf({ type, pairs }: SearchQuery): Criteria {
  const own = (name: string) => pairs.findIndex((pair) => pair[0] === name);
  const [patient, encounter] = [own('subject'), own('encounter')];
  return {
    type,
    patient: pairs[patient]?.[1] ?? '',
    encounter: pairs[encounter]?.[1] ?? '',
    more: pairs
      .filter(([name], index) => index !== patient && index !== encounter && !shaping.has(name))
      .map(parameterOf),
  };
}

/** The search that the form asks for, without what asks nothing and without the white space of a pasted id. */
export function queryOf({ type, patient, encounter, more }: Criteria): SearchQuery {
  const visit = hasEncounter(type) ? encounter.trim() : '';
  const pairs = [['subject', patient.trim()] as const, ['encounter', visit] as const];
  return { type, pairs: [...pairs, ...more.map(pairOf)].filter(([, value]) => value !== '') };
}

/** Whether records of the type belong to an encounter. */
export function hasEncounter(type: ResourceType): boolean {
  return searchParameterOf(type, 'encounter') !== undefined;
}

/** The types that are searched without a patient. */
export const searchedWhole = resourceTypes.filter((type) => !definitionOf(type).needsSubject);

/** Identifies what a search asks for. */
export function keyOf({ type, pairs }: SearchQuery): string {
  return JSON.stringify([type, pairs]);
}

/** Whether two forms ask for the same. */
export function sameSearch(left: Criteria, right: Criteria): boolean {
  return keyOf(queryOf(left)) === keyOf(queryOf(right));
}

const wholes = new Set(['subject', 'patient', '_id']);

/** Whether the service would refuse this search: some types are searched by patient, or by id. */
export function needsPatient(criteria: Criteria): boolean {
  if (!definitionOf(criteria.type).needsSubject) return false;
  return !queryOf(criteria).pairs.some(([name]) => wholes.has(name.split(':')[0] ?? name));
}

/** The order that a search asks of the server; empty where it asks none. */
export function orderOf({ more }: Criteria): string {
  return more.find(({ name }) => name === orderName)?.value ?? '';
}

/** The same search in another order; an empty one asks for the server's own. */
export function withOrder(criteria: Criteria, order: string): Criteria {
  const others = criteria.more.filter(({ name }) => name !== orderName);
  const asked = order === '' ? [] : [{ name: orderName, comparison: '', value: order }];
  return { ...criteria, more: [...others, ...asked] };
}
