import type { SearchQuery } from '../../../core/app/searches.ts';
import { bareIds } from '../../../core/fhir/reference.ts';
import { firstType, type ResourceType } from '../../../core/fhir/resource.ts';
import { resultParametersOf, searchParameterOf } from '../../../core/fhir/search-parameters.ts';
import { orderName, pairOf, parameterOf, type Parameter } from './parameter-fields.ts';

/** Search criteria of the form. An empty text is no criterion. */
export interface Criteria {
  readonly type: ResourceType;
  /** IDs or references in any form. Their IDs are searched unless the exact form is requested. */
  readonly patient: string;
  readonly encounter: string;
  readonly exactPatient: boolean;
  readonly exactEncounter: boolean;
  /** Further parameters, including the order of the matches. */
  readonly parameters: readonly Parameter[];
}

export const emptyCriteria: Criteria = {
  type: firstType,
  patient: '',
  encounter: '',
  exactPatient: false,
  exactEncounter: false,
  parameters: [],
};

/** Result parameters belong to the grid, except for the order. */
const gridParameters = new Set(
  resultParametersOf('search')
    .map(({ name }) => name)
    .filter((name) => name !== orderName),
);

/** Converts a search to form criteria. The first subject and encounter have fields of their own. */
export function criteriaOf({ type, pairs }: SearchQuery): Criteria {
  const findPair = (name: string) => pairs.findIndex((pair) => pair[0] === name);
  const [patient, encounter] = [findPair('subject'), findPair('encounter')];
  const [subject, visit] = [pairs[patient]?.[1] ?? '', pairs[encounter]?.[1] ?? ''];
  return {
    type,
    patient: subject,
    encounter: visit,
    exactPatient: subject !== bareIds(subject),
    exactEncounter: visit !== bareIds(visit),
    parameters: pairs
      .filter(([name], index) => index !== patient && index !== encounter && !gridParameters.has(name))
      .map(parameterOf),
  };
}

/** Converts form criteria to a search, without empty criteria and white space around pasted IDs. */
export function queryOf({ type, parameters, ...form }: Criteria): SearchQuery {
  const toLiteral = (literals: string, exact: boolean) =>
    exact ? literals.trim() : bareIds(literals.trim());
  const patient = toLiteral(form.patient, form.exactPatient);
  const encounter = hasEncounter(type) ? toLiteral(form.encounter, form.exactEncounter) : '';
  const pairs = [['subject', patient] as const, ['encounter', encounter] as const];
  return { type, pairs: [...pairs, ...parameters.map(pairOf)].filter(([, value]) => value !== '') };
}

/** Returns true if records of the type belong to an encounter. */
export function hasEncounter(type: ResourceType): boolean {
  return searchParameterOf(type, 'encounter') !== undefined;
}

/** Returns a key that identifies a search. */
export function keyOf({ type, pairs }: SearchQuery): string {
  return JSON.stringify([type, pairs]);
}

/** Returns true if two forms describe the same search. */
export function sameSearch(leftCriteria: Criteria, rightCriteria: Criteria): boolean {
  return keyOf(queryOf(leftCriteria)) === keyOf(queryOf(rightCriteria));
}

/** Returns the requested order of a search; empty if none is requested. */
export function orderOf({ parameters }: Criteria): string {
  return parameters.find(({ name }) => name === orderName)?.value ?? '';
}

/** Returns the same search in another order. An empty order uses the default of the server. */
export function withOrder(criteria: Criteria, order: string): Criteria {
  const otherParameters = criteria.parameters.filter(({ name }) => name !== orderName);
  const orderParameters = order === '' ? [] : [{ name: orderName, comparison: '', value: order }];
  return { ...criteria, parameters: [...otherParameters, ...orderParameters] };
}
