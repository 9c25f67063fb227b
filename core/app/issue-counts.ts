/** What page and server say to each other of `POST /app/issue-counts`: how many issues the named records have. */
import { isResourceType, type ResourceType } from '../fhir/resource.ts';

export interface IssueCountsRequest {
  readonly type: ResourceType;
  readonly ids: readonly string[];
}

/** Errors and warnings by id; a record without issues is left out. */
export type IssueCountsAnswer = Readonly<Record<string, readonly [errors: number, warnings: number]>>;

/** As many as a page of a search holds. */
export const mostCounted = 1000;

export function isIssueCountsRequest(value: unknown): value is IssueCountsRequest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    isResourceType(value.type) &&
    'ids' in value &&
    Array.isArray(value.ids) &&
    value.ids.length <= mostCounted &&
    value.ids.every((id) => typeof id === 'string')
  );
}

export function isIssueCountsAnswer(value: unknown): value is IssueCountsAnswer {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (counts) =>
        Array.isArray(counts) && counts.length === 2 && counts.every((count) => typeof count === 'number'),
    )
  );
}
