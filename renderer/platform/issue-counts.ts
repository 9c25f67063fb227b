import type { Client } from '../../core/api/client.ts';
import { IssueCountsAnswer } from '../../core/app/issue-counts.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { matchesSchema } from '../../core/json/shape.ts';

/** Fetches the issue counts of records by id. A failure is ignored: the counts are optional. */
export async function readIssueCounts(
  client: Client,
  type: ResourceType,
  ids: readonly string[],
): Promise<IssueCountsAnswer | undefined> {
  try {
    const answer = await client.app('POST', '/issue-counts', { type, ids });
    return matchesSchema(IssueCountsAnswer, answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
