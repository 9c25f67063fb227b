/**
 * Queries over all records, by name. They run in a reader thread, or in the main thread if there is none. Each query
 * reads one state of the database.
 */
import { facetOf, type Facet } from '../../../core/fhir/facet.ts';
import type { PartnerQuery } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import type { ConnectionParts } from './sqlite-parts.ts';
import type { IssueQuery } from '../issue-query.ts';
import type { HistoryQuery } from '../store.ts';
import type { Sql } from '../sql.ts';
import type { GroupsAsked } from '../issue-sql.ts';

/** Objects that queries use. */
export interface Reading extends Pick<ConnectionParts, 'searches' | 'quality' | 'histories' | 'statements'> {
  /** Returns true if no client waits for the result. Called between the steps of a long query. */
  readonly isAborted?: () => boolean;
}

/** Arguments and results of each query. Both cross between threads. Add a new query here. */
const answers = {
  places: ({ searches, isAborted }: Reading, { criteria, limit }: SearchArguments) =>
    searches.pages.findPositions(criteria, limit, isAborted),
  total: ({ searches }: Reading, criteria: SearchCriteria) => searches.total(criteria),
  facet({ searches }: Reading, { criteria, name, limit }: SearchArguments & Pick<Facet, 'name'>) {
    const facet = facetOf(criteria.type, name);
    return facet && searches.facets.values(criteria, facet, limit);
  },
  /** Prepares one step of the cache of a facet. Returns true if more steps follow. */
  prepare({ searches }: Reading, { type, name }: Pick<Facet, 'name'> & { readonly type: ResourceType }) {
    const facet = facetOf(type, name);
    return facet !== undefined && searches.facets.prepare(type, facet);
  },
  issueCounts: ({ quality }: Reading, query: IssueQuery) => quality.counts(query),
  issues: ({ quality }: Reading, { query, after, limit }: IssueQueryOptions) =>
    quality.rows(query, after, limit),
  issueGroups: ({ quality }: Reading, groupQuery: GroupsAsked) => quality.groups(groupQuery),
  wholes: ({ quality }: Reading, day: string) => quality.wholes(day),
  standing: ({ quality }: Reading, day: string) => quality.standing(day),
  relations: ({ quality }: Reading, _: null) => quality.relations(),
  partners: ({ quality }: Reading, { questions, limit }: PartnerArguments) =>
    quality.partners(questions, limit),
  checkCounts: ({ quality }: Reading, _: null) => quality.checkCounts(),
  flaggedBy: ({ quality }: Reading, folder: string) => quality.flaggedBy(folder),
  versions: ({ histories }: Reading, { type, query }: VersionArguments) => histories.total(type, query),
  changed: ({ histories }: Reading, since: string) => histories.changed(since),
  writers: ({ histories }: Reading, { since, limit }: WriterArguments) => histories.writers(since, limit),
  subjects: ({ statements }: Reading, limit: number) => statements.subjects.all(limit),
  batchRows: ({ histories }: Reading, statement: Sql) => histories.select(statement),
};

interface SearchArguments {
  readonly criteria: SearchCriteria;
  readonly limit: number;
}

interface IssueQueryOptions {
  readonly query: IssueQuery;
  readonly after: string | undefined;
  readonly limit: number;
}

interface PartnerArguments {
  readonly questions: readonly PartnerQuery[];
  readonly limit: number;
}

interface WriterArguments {
  readonly since: string;
  readonly limit: number;
}

interface VersionArguments {
  readonly type: ResourceType;
  readonly query: HistoryQuery;
}

export type QueryName = keyof typeof answers;
export type QueryArguments<Name extends QueryName> = Parameters<(typeof answers)[Name]>[1];
export type QueryResult<Name extends QueryName> = ReturnType<(typeof answers)[Name]>;

const table: {
  readonly [Name in QueryName]: (from: Reading, queryArguments: QueryArguments<Name>) => QueryResult<Name>;
} = answers;

export function runQuery<Name extends QueryName>(
  name: Name,
  from: Reading,
  queryArguments: QueryArguments<Name>,
): QueryResult<Name> {
  return table[name](from, queryArguments);
}
