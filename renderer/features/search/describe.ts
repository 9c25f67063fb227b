import { resultParameters, searchParameters } from '../../../core/fhir/search-parameters.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { shortId } from '../../../core/fhir/names.ts';
import { text } from '../../ui/text.ts';
import { criteriaOf, type Criteria } from './criteria.ts';
import { orderName, pairOf, type Parameter } from './parameter-fields.ts';

/** A search in one line, for lists and tooltips. */
export function describe(search: SearchQuery): string {
  const criteria = criteriaOf(search);
  return criteria.type + scopeOf(criteria) + orderScope(criteria);
}

/** What a list calls a search: whom it is about, by `name` where one is known, without its type. */
export function targetOf(search: SearchQuery, name?: string): string {
  const { patient, encounter, exactPatient, exactEncounter, more } = criteriaOf(search);
  const whom = name ?? (exactPatient ? patient : shortId(patient));
  const visit = exactEncounter ? encounter : shortId(encounter);
  const parts = [whom, visit, ...more.filter(({ name }) => name !== orderName).map(shortCondition)];
  return parts.filter(Boolean).join(' · ') || text.search.all;
}

/** What a search asks for behind its type: ` of patient 17 in encounter 4, status is active`. */
export function scopeOf({ patient, encounter, more }: Criteria): string {
  const conditions = more.filter(({ name }) => name !== orderName).map(conditionOf);
  return [
    patient === '' ? '' : text.search.ofPatient(patient),
    encounter === '' ? '' : text.search.inEncounter(encounter),
    conditions.length === 0 ? '' : text.search.where(conditions),
  ].join('');
}

function orderScope({ more }: Criteria): string {
  const orders = more.filter(({ name }) => name === orderName);
  return orders.length === 0 ? '' : text.search.where(orders.map(conditionOf));
}

function conditionOf(parameter: Parameter): string {
  return `${parameter.name} ${comparisonWord(parameter.name, parameter.comparison)} ${valueWord(parameter)}`.trim();
}

function shortCondition(parameter: Parameter): string {
  const [name, value] = pairOf(parameter);
  return `${name}=${value}`;
}

/** A comparison in words. */
export function comparisonWord(name: string, comparison: string): string {
  const { plain, comparisons, typed } = text.parameter;
  if (comparison === '') {
    const parameter = [...searchParameters, ...resultParameters].find((one) => one.name === name);
    return plain[parameter?.type ?? 'token'];
  }
  const word = Object.entries(comparisons).find(([one]) => one === comparison)?.[1];
  return word ?? typed(comparison.slice(1));
}

/** A value in words. */
function valueWord({ name, comparison, value }: Parameter): string {
  if (comparison === ':missing') return text.parameter.flags[value === 'false' ? 'false' : 'true'];
  if (name !== orderName) return value;
  return value.split(',').map(orderWord).join(', ');
}

/** One key of an order in words. */
export function orderWord(order: string): string {
  return text.parameter.order(order.replace(/^-/, ''), order.startsWith('-'));
}
