import type { SearchQuery } from '../../../core/app/searches.ts';
import { bareIds } from '../../../core/fhir/reference.ts';
import { firstType, type ResourceType } from '../../../core/fhir/resource.ts';
import { resultParametersOf, searchParameterOf } from '../../../core/fhir/search-parameters.ts';
import { orderName, pairOf, parameterOf, type Parameter } from './parameter-fields.ts';

/** What the form asks for; empty text asks nothing. */
export interface Criteria {
  readonly type: ResourceType;
  /** Ids, or references in any form: their ids are searched, unless exactly this form is asked for. */
  readonly patient: string;
  readonly encounter: string;
  readonly exactPatient: boolean;
  readonly exactEncounter: boolean;
  /** Further parameters, the order of the matches among them. */
  readonly more: readonly Parameter[];
}

export const emptyCriteria: Criteria = {
  type: firstType,
  ...{ patient: '', encounter: '', exactPatient: false, exactEncounter: false },
  more: [],
};

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
  const [subject, visit] = [pairs[patient]?.[1] ?? '', pairs[encounter]?.[1] ?? ''];
  return {
    type,
    patient: subject,
    encounter: visit,
    exactPatient: subject !== bareIds(subject),
    exactEncounter: visit !== bareIds(visit),
    more: pairs
      .filter(([name], index) => index !== patient && index !== encounter && !shaping.has(name))
      .map(parameterOf),
  };
}

/** The search that the form asks for, without what asks nothing and without the white space of a pasted id. */
export function queryOf({ type, more, ...form }: Criteria): SearchQuery {
  const asked = (literals: string, exact: boolean) => (exact ? literals.trim() : bareIds(literals.trim()));
  const patient = asked(form.patient, form.exactPatient);
  const encounter = hasEncounter(type) ? asked(form.encounter, form.exactEncounter) : '';
  const pairs = [['subject', patient] as const, ['encounter', encounter] as const];
  return { type, pairs: [...pairs, ...more.map(pairOf)].filter(([, value]) => value !== '') };
}

/** Whether records of the type belong to an encounter. */
export function hasEncounter(type: ResourceType): boolean {
  return searchParameterOf(type, 'encounter') !== undefined;
}

/** Identifies what a search asks for. */
export function keyOf({ type, pairs }: SearchQuery): string {
  return JSON.stringify([type, pairs]);
}

/** Whether two forms ask for the same. */
export function sameSearch(left: Criteria, right: Criteria): boolean {
  return keyOf(queryOf(left)) === keyOf(queryOf(right));
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
