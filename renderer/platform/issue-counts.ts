import type { Client } from '../../core/api/client.ts';
import { IssueCountsAnswer } from '../../core/app/issue-counts.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { is } from '../../core/json/shape.ts';

/** The findings of records by their ids. They are worth a request, and not the page: without an answer none is shown. */
export async function readIssueCounts(
  client: Client,
  type: ResourceType,
  ids: readonly string[],
): Promise<IssueCountsAnswer | undefined> {
  try {
    const answer = await client.app('POST', '/issue-counts', { type, ids });
    return is(IssueCountsAnswer, answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
