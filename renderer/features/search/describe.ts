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

/** Describes a search in one line, for lists and tooltips. */
export function describe(search: SearchQuery): string {
  const criteria = criteriaOf(search);
  const orders = criteria.parameters
    .filter(({ name }) => name === orderName)
    .flatMap(({ value }) => value.split(','));
  const orderTexts = orders.map((order, index) =>
    text.search[index === 0 ? 'sortedBy' : 'thenBy'](orderWord(order)),
  );
  return text.search.title([criteria.type, ...scopeOf(criteria), ...orderTexts]);
}

/** Returns the label of a search in a list: its patient, by `name` if known, and its other criteria. */
export function targetOf(search: SearchQuery, name?: string): string {
  const { type, patient, encounter, exactPatient, exactEncounter, parameters } = criteriaOf(search);
  const patientLabel = name ?? (exactPatient ? patient : shortId(patient));
  const visit = exactEncounter ? encounter : shortId(encounter);
  const parts = [
    patientLabel,
    visit,
    ...parameters
      .filter(({ name }) => name !== orderName)
      .map((parameter) => shortCondition(type, parameter)),
  ];
  return text.search.title(parts.filter(Boolean)) || text.search.all;
}

/** Criteria of a search except type and order: `patient 17`, `encounter 4`, `status is active`. */
function scopeOf({ patient, encounter, parameters }: Criteria): readonly string[] {
  return [
    ...(patient === '' ? [] : [text.search.ofPatient(patient)]),
    ...(encounter === '' ? [] : [text.search.inEncounter(encounter)]),
    ...parameters.filter(({ name }) => name !== orderName).map(conditionOf),
  ];
}

/** Returns the number of matches of a search with its criteria: `36 CarePlans · patient 17`. */
export function describeTotal(criteria: Criteria, total: number): string {
  return text.search.title([text.results.total(criteria.type, total), ...scopeOf(criteria)]);
}

function conditionOf(parameter: Parameter): string {
  const { name, comparison } = parameter;
  return text.search.condition(parameterWord(name), comparisonWord(name, comparison), valueWord(parameter));
}

/** Formats a condition. A status needs no parameter name. */
function shortCondition(type: ResourceType, parameter: Parameter): string {
  const plain = parameter.comparison === '' && searchParameterOf(type, parameter.name)?.sort === 'status';
  return plain ? valueWord(parameter) : conditionOf(parameter);
}

/** Returns the name of a parameter in words: `_lastUpdated` is updated. Other parameters keep their R4 name. */
function parameterWord(name: string): string {
  const { named: parameterNames } = text.parameter;
  return Object.entries(parameterNames).find(([parameterName]) => parameterName === name)?.[1] ?? name;
}

/** Formats a comparison. */
export function comparisonWord(name: string, comparison: string): string {
  const { plain, comparisons, typed: formatTypeModifier } = text.parameter;
  if (comparison === '') {
    const parameter = [...searchParameters, ...resultParameters].find((candidate) => candidate.name === name);
    return plain[parameter?.type ?? 'token'];
  }
  const word = Object.entries(comparisons).find(([key]) => key === comparison)?.[1];
  return word ?? formatTypeModifier(comparison.slice(1));
}

function valueWord({ comparison, value }: Parameter): string {
  if (comparison === ':missing') return text.parameter.flags[value === 'false' ? 'false' : 'true'];
  return text.search.values(splitAt(value, ',').map(partWord));
}

/** Formats a single value: a code without its system, or an instant in local time, only its day at midnight. */
function partWord(part: string): string {
  if (/^\d{4}-\d{2}-\d{2}T/.test(part)) return localTime(part).replace(/ 00:00$/, '');
  return unescape(splitAt(part, '|').at(-1) ?? '') || part;
}

/** Formats one key of an order. */
export function orderWord(order: string): string {
  return text.parameter.order(order.replace(/^-/, ''), order.startsWith('-'));
}

/** Returns all matches of a search as the source of a bulk edit. */
export function bulkSourceOf(criteria: Criteria, total: number): BulkSource {
  return { kind: 'search', ...queryOf(criteria), label: describeTotal(criteria, total) };
}
