import { resourceTypes, type ResourceType } from '../fhir/resource.ts';

/** Search type of FHIR R4 valueset-search-param-type.html, as CapabilityStatement and OpenAPI name it. */
export type SearchType = 'reference' | 'token' | 'date' | 'string' | 'number' | 'special';

/** The element that a parameter looks at, for each type that has the parameter; all stand at the top of a record. */
export type Elements = Readonly<Partial<Record<ResourceType, string>>>;

/** A search parameter that filters (FHIR R4 search.html). */
export interface SearchParameter {
  readonly name: string;
  readonly type: Exclude<SearchType, 'number' | 'special'>;
  readonly elements: Elements;
  /** Name under which the element is indexed where another parameter indexes it. */
  readonly index?: string;
  /** Whether the value is a column of the record itself. */
  readonly column?: 'id' | 'lastUpdated';
  /** Code system that a `code` element implies (FHIR R4 search.html#token). */
  readonly systems?: Elements;
  /** Type that a reference must have where its literal names one. */
  readonly target?: string;
  readonly modifiers: readonly string[];
  /** Whether `_sort` takes it, and for which types. */
  readonly sort?: readonly ResourceType[];
  readonly text: string;
}

/** Interactions whose answers parameters shape. */
export type Shaped = 'search' | 'history' | 'read';

/** A parameter that shapes the answer and filters nothing. */
export interface ResultParameter {
  readonly name: string;
  readonly type: SearchType;
  readonly on: readonly Shaped[];
  /** The values that are taken, where they are few. */
  readonly values?: readonly string[];
  readonly text: string;
}

const both = (element: string): Elements => ({ CarePlan: element, Composition: element });

/** Prefixes of a date (FHIR R4 search.html#prefix). */
export const datePrefixes = ['eq', 'ne', 'gt', 'lt', 'ge', 'le'] as const;
export type DatePrefix = (typeof datePrefixes)[number];

/** All parameters that filter; criteria, index rows, /metadata and the documentation are made from this table. */
export const searchParameters: readonly SearchParameter[] = [
  {
    name: '_id',
    type: 'token',
    elements: both('id'),
    column: 'id',
    modifiers: [],
    sort: resourceTypes,
    text: 'Ids of records.',
  },
  {
    name: '_lastUpdated',
    type: 'date',
    elements: both('meta'),
    column: 'lastUpdated',
    modifiers: [],
    sort: resourceTypes,
    text: 'When the current version was stored.',
  },
  {
    name: 'subject',
    type: 'reference',
    elements: both('subject'),
    modifiers: ['Patient', 'Group', 'missing'],
    text: 'Whom the record is about: a bare id or any literal reference.',
  },
  {
    name: 'patient',
    type: 'reference',
    elements: both('subject'),
    index: 'subject',
    target: 'Patient',
    modifiers: [],
    text: 'As subject, patients only.',
  },
  {
    name: 'encounter',
    type: 'reference',
    elements: both('encounter'),
    modifiers: ['Encounter', 'missing'],
    text: 'The visit: a bare id or any literal reference.',
  },
  {
    name: 'identifier',
    type: 'token',
    elements: both('identifier'),
    modifiers: ['not', 'missing'],
    text: 'A business identifier: value, or system|value.',
  },
  {
    name: 'status',
    type: 'token',
    elements: both('status'),
    systems: {
      CarePlan: 'http://hl7.org/fhir/request-status',
      Composition: 'http://hl7.org/fhir/composition-status',
    },
    modifiers: ['not', 'missing'],
    sort: resourceTypes,
    text: 'State of the record.',
  },
  {
    name: 'category',
    type: 'token',
    elements: both('category'),
    modifiers: ['not', 'text', 'missing'],
    text: 'Kind of plan or document; with :text the beginning of its text or display.',
  },
  {
    name: 'date',
    type: 'date',
    elements: { CarePlan: 'period', Composition: 'date' },
    modifiers: ['missing'],
    sort: resourceTypes,
    text: 'Period of a CarePlan, date of a Composition; times without a zone are read as UTC.',
  },
  {
    name: 'intent',
    type: 'token',
    elements: { CarePlan: 'intent' },
    systems: { CarePlan: 'http://hl7.org/fhir/request-intent' },
    modifiers: ['not', 'missing'],
    text: 'Proposal, plan, order or option.',
  },
  {
    name: 'type',
    type: 'token',
    elements: { Composition: 'type' },
    modifiers: ['not', 'text', 'missing'],
    text: 'Kind of Composition; with :text the beginning of its text or display.',
  },
  {
    name: 'title',
    type: 'string',
    elements: { Composition: 'title' },
    modifiers: ['exact', 'contains', 'missing'],
    sort: ['Composition'],
    text: 'Beginning of the title; case and accents do not count.',
  },
  {
    name: 'author',
    type: 'reference',
    elements: { Composition: 'author' },
    modifiers: [
      'Practitioner',
      'PractitionerRole',
      'Device',
      'Patient',
      'RelatedPerson',
      'Organization',
      'missing',
    ],
    text: 'Who wrote the Composition.',
  },
];

/** All parameters that shape the answer of a search or of a history. */
export const resultParameters: readonly ResultParameter[] = [
  {
    name: '_count',
    type: 'number',
    on: ['search', 'history'],
    text: 'Records on a page, 1 to 1000; a larger number counts as 1000. 0 asks for the total alone.',
  },
  {
    name: '_cursor',
    type: 'special',
    on: ['search', 'history'],
    text: 'Where a page starts; taken from a link of an answer.',
  },
  {
    name: '_sort',
    type: 'special',
    on: ['search'],
    text: 'Order of the matches: names with commas between, each with - before it for descending.',
  },
  {
    name: '_summary',
    type: 'special',
    on: ['search'],
    values: ['true', 'text', 'data', 'count', 'false'],
    text: 'Which part of each record is answered.',
  },
  {
    name: '_elements',
    type: 'special',
    on: ['search'],
    text: 'Top-level elements that are answered, with commas between; mandatory ones come as well.',
  },
  {
    name: '_total',
    type: 'special',
    on: ['search'],
    values: ['none', 'estimate', 'accurate'],
    text: 'Taken from clients that send it; the total is always exact.',
  },
  {
    name: '_since',
    type: 'special',
    on: ['history'],
    text: 'An instant: versions stored at that time or later.',
  },
  {
    name: '_format',
    type: 'special',
    on: ['search', 'history', 'read'],
    text: 'json, application/json or application/fhir+json.',
  },
  {
    name: '_pretty',
    type: 'special',
    on: ['search', 'history'],
    values: ['true', 'false'],
    text: 'Whether the answer is indented for reading.',
  },
];

/** The parameters that filter searches of a type. */
export function searchParametersOf(type: ResourceType): SearchParameter[] {
  return searchParameters.filter(({ elements }) => elements[type] !== undefined);
}

/** The parameters that shape answers of an interaction. */
export function resultParametersOf(interaction: Shaped): ResultParameter[] {
  return resultParameters.filter(({ on }) => on.includes(interaction));
}

/** Where the store keeps a parameter's index rows: type and element, `CarePlan.subject`. */
export function indexKey(type: ResourceType, { name, index = name }: SearchParameter): string {
  return `${type}.${index}`;
}
