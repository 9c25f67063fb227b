/**
 * What can be asked of the records as a whole, each by its name. Answered by a thread that reads beside the one that
 * writes, or by that one itself where there is no thread: from one state of the database in either case.
 */
import { facetOf } from '../../../core/fhir/facet.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import type { Parts } from './sqlite-parts.ts';
import type { FoundRelation } from '../relation-sql.ts';
import type { SlotCount } from '../check-store.ts';
import type { Places } from './page-bodies.ts';
import type { FacetValues } from '../facet-values.ts';
import type { IssueCounts, IssueQuery, StandingFindings, WholeCount } from '../issue-query.ts';
import type { Value } from '../sql.ts';
import type { HistoryQuery, SubjectRow } from '../store.ts';
import type { GroupsAsked } from '../issue-sql.ts';

/** What an answer is made of. */
export interface Reading extends Pick<Parts, 'searches' | 'quality' | 'histories' | 'statements'> {
  /** Whether nobody waits for the answer any more; to be asked between two steps of a long one. */
  readonly givenUp?: () => boolean;
}

/** What each question is given, and what it is answered with; both cross between threads. */
interface Questions {
  readonly places: (asked: { readonly criteria: SearchCriteria; readonly limit: number }) => Places;
  readonly total: (criteria: SearchCriteria) => number;
  readonly facet: (asked: {
    readonly criteria: SearchCriteria;
    readonly name: string;
    readonly limit: number;
  }) => FacetValues | undefined;
  /** Makes a step of what the first answer of a facet waits for; whether others are to come. */
  readonly prepare: (asked: { readonly type: ResourceType; readonly name: string }) => boolean;
  readonly issueCounts: (query: IssueQuery) => IssueCounts;
  readonly issues: (asked: {
    readonly query: IssueQuery;
    readonly after: string | undefined;
    readonly limit: number;
  }) => Value[][];
  readonly issueGroups: (asked: GroupsAsked) => Value[][];
  readonly wholes: (day: string) => readonly WholeCount[];
  readonly standing: (day: string) => readonly StandingFindings[];
  readonly relations: (asked: null) => readonly FoundRelation[];
  readonly checkCounts: (asked: null) => readonly SlotCount[];
  readonly flaggedBy: (folder: string) => Readonly<Record<ResourceType, number>>;
  readonly versions: (asked: { readonly type: ResourceType; readonly query: HistoryQuery }) => number;
  readonly subjects: (limit: number) => readonly SubjectRow[];
}

export type QuestionName = keyof Questions;
export type Asked<Name extends QuestionName> = Parameters<Questions[Name]>[0];
export type Answered<Name extends QuestionName> = ReturnType<Questions[Name]>;

type Answers = {
  readonly [Name in QuestionName]: (from: Reading, asked: Asked<Name>) => Answered<Name>;
};

/** A new question is a line here, and one above. */
const answers: Answers = {
  places: ({ searches, givenUp }, { criteria, limit }) => searches.pages.at(criteria, limit, givenUp),
  total: ({ searches }, criteria) => searches.total(criteria),
  facet({ searches }, { criteria, name, limit }) {
    const facet = facetOf(criteria.type, name);
    return facet && searches.facets.values(criteria, facet, limit);
  },
  prepare({ searches }, { type, name }) {
    const facet = facetOf(type, name);
    return facet !== undefined && searches.facets.prepare(type, facet);
  },
  issueCounts: ({ quality }, query) => quality.counts(query),
  issues: ({ quality }, { query, after, limit }) => quality.rows(query, after, limit),
  issueGroups: ({ quality }, asked) => quality.groups(asked),
  wholes: ({ quality }, day) => quality.wholes(day),
  standing: ({ quality }, day) => quality.standing(day),
  relations: ({ quality }) => quality.relations(),
  checkCounts: ({ quality }) => quality.checkCounts(),
  flaggedBy: ({ quality }, folder) => quality.flaggedBy(folder),
  versions: ({ histories }, { type, query }) => histories.total(type, query),
  subjects: ({ statements }, limit) => statements.subjects.all(limit),
};

export function answerOf<Name extends QuestionName>(
  name: Name,
  from: Reading,
  asked: Asked<Name>,
): Answered<Name> {
  return answers[name](from, asked);
}
