import {
  resultParameters,
  searchParameterOf,
  searchParameters,
} from '../../../core/fhir/search-parameters.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import type { BulkSource } from '../../../core/app/bulk.ts';
import { shortId } from '../../../core/fhir/names.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { splitAt, unescape } from '../../../core/fhir/search-values.ts';
import { text } from '../../ui/text.ts';
import { localTime } from '../../ui/time.ts';
import { criteriaOf, queryOf, type Criteria } from './criteria.ts';
import { orderName, type Parameter } from './parameter-fields.ts';

/** A search in one line, for lists and tooltips. */
export function describe(search: SearchQuery): string {
  const criteria = criteriaOf(search);
  return criteria.type + scopeOf(criteria) + where(criteria.more.filter(({ name }) => name === orderName));
}

/** What a list calls a search: whom it is about, by `name` where one is known, without its type. */
export function targetOf(search: SearchQuery, name?: string): string {
  const { type, patient, encounter, exactPatient, exactEncounter, more } = criteriaOf(search);
  const whom = name ?? (exactPatient ? patient : shortId(patient));
  const visit = exactEncounter ? encounter : shortId(encounter);
  const parts = [
    whom,
    visit,
    ...more.filter(({ name }) => name !== orderName).map((one) => shortCondition(type, one)),
  ];
  return parts.filter(Boolean).join(' · ') || text.search.all;
}

/** What a search asks for behind its type: ` of patient 17 in encounter 4, status is active`. */
export function scopeOf({ patient, encounter, more }: Criteria): string {
  return [
    patient === '' ? '' : text.search.ofPatient(patient),
    encounter === '' ? '' : text.search.inEncounter(encounter),
    where(more.filter(({ name }) => name !== orderName)),
  ].join('');
}

function where(conditions: readonly Parameter[]): string {
  return conditions.length === 0 ? '' : text.search.where(conditions.map(conditionOf));
}

function conditionOf(parameter: Parameter): string {
  const { name, comparison } = parameter;
  return `${parameterWord(name)} ${comparisonWord(name, comparison)} ${valueWord(parameter)}`.trim();
}

/** A status speaks for itself. */
function shortCondition(type: ResourceType, parameter: Parameter): string {
  const plain = parameter.comparison === '' && searchParameterOf(type, parameter.name)?.sort === 'status';
  return plain ? valueWord(parameter) : conditionOf(parameter);
}

/** A parameter's name in words: `_lastUpdated` is updated; others are called as R4 calls them. */
function parameterWord(name: string): string {
  const { named } = text.parameter;
  return Object.entries(named).find(([one]) => one === name)?.[1] ?? name;
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
  if (name !== orderName) return splitAt(value, ',').map(partWord).join(', ');
  return value.split(',').map(orderWord).join(', ');
}

/** One of the values: a code without its system, an instant by the clock here, its day where that begins with it. */
function partWord(part: string): string {
  if (/^\d{4}-\d{2}-\d{2}T/.test(part)) return localTime(part).replace(/ 00:00$/, '');
  return unescape(splitAt(part, '|').at(-1) ?? '') || part;
}

/** One key of an order in words. */
export function orderWord(order: string): string {
  return text.parameter.order(order.replace(/^-/, ''), order.startsWith('-'));
}

/** All records that a search finds, for a bulk replace. */
export function bulkSourceOf(submitted: Criteria, total: number): BulkSource {
  const label = text.results.total(submitted.type, total, scopeOf(submitted));
  return { kind: 'search', ...queryOf(submitted), label };
}
