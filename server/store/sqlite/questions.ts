/**
 * What can be asked of the records as a whole, each by its name. Answered by a thread that reads beside the one that
 * writes, or by that one itself where there is no thread: from one state of the database in either case.
 */
import { facetOf, type Facet } from '../../../core/fhir/facet.ts';
import type { PartnerQuestion } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import type { Parts } from './sqlite-parts.ts';
import type { IssueQuery } from '../issue-query.ts';
import type { HistoryQuery } from '../store.ts';
import type { GroupsAsked } from '../issue-sql.ts';

/** What an answer is made of. */
export interface Reading extends Pick<Parts, 'searches' | 'quality' | 'histories' | 'statements'> {
  /** Whether nobody waits for the answer any more; to be asked between two steps of a long one. */
  readonly givenUp?: () => boolean;
}

/** What each question is given, and how it is answered; both cross between threads. A new question is a row here. */
const answers = {
  places: ({ searches, givenUp }: Reading, { criteria, limit }: SearchAsked) =>
    searches.pages.at(criteria, limit, givenUp),
  total: ({ searches }: Reading, criteria: SearchCriteria) => searches.total(criteria),
  facet({ searches }: Reading, { criteria, name, limit }: SearchAsked & Pick<Facet, 'name'>) {
    const facet = facetOf(criteria.type, name);
    return facet && searches.facets.values(criteria, facet, limit);
  },
  /** Makes a step of what the first answer of a facet waits for; whether others are to come. */
  prepare({ searches }: Reading, { type, name }: Pick<Facet, 'name'> & { readonly type: ResourceType }) {
    const facet = facetOf(type, name);
    return facet !== undefined && searches.facets.prepare(type, facet);
  },
  issueCounts: ({ quality }: Reading, query: IssueQuery) => quality.counts(query),
  issues: ({ quality }: Reading, { query, after, limit }: IssuesAsked) => quality.rows(query, after, limit),
  issueGroups: ({ quality }: Reading, asked: GroupsAsked) => quality.groups(asked),
  wholes: ({ quality }: Reading, day: string) => quality.wholes(day),
  standing: ({ quality }: Reading, day: string) => quality.standing(day),
  relations: ({ quality }: Reading, _: null) => quality.relations(),
  partners: ({ quality }: Reading, { questions, limit }: PartnersAsked) => quality.partners(questions, limit),
  checkCounts: ({ quality }: Reading, _: null) => quality.checkCounts(),
  flaggedBy: ({ quality }: Reading, folder: string) => quality.flaggedBy(folder),
  versions: ({ histories }: Reading, { type, query }: VersionsAsked) => histories.total(type, query),
  changed: ({ histories }: Reading, since: string) => histories.changed(since),
  writers: ({ histories }: Reading, { since, limit }: WritersAsked) => histories.writers(since, limit),
  subjects: ({ statements }: Reading, limit: number) => statements.subjects.all(limit),
};

interface SearchAsked {
  readonly criteria: SearchCriteria;
  readonly limit: number;
}

interface IssuesAsked {
  readonly query: IssueQuery;
  readonly after: string | undefined;
  readonly limit: number;
}

interface PartnersAsked {
  readonly questions: readonly PartnerQuestion[];
  readonly limit: number;
}

interface WritersAsked {
  readonly since: string;
  readonly limit: number;
}

interface VersionsAsked {
  readonly type: ResourceType;
  readonly query: HistoryQuery;
}

export type QuestionName = keyof typeof answers;
export type Asked<Name extends QuestionName> = Parameters<(typeof answers)[Name]>[1];
export type Answered<Name extends QuestionName> = ReturnType<(typeof answers)[Name]>;

const table: {
  readonly [Name in QuestionName]: (from: Reading, asked: Asked<Name>) => Answered<Name>;
} = answers;

export function answerOf<Name extends QuestionName>(
  name: Name,
  from: Reading,
  asked: Asked<Name>,
): Answered<Name> {
  return table[name](from, asked);
}
