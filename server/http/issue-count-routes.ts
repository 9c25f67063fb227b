import { IssueCountsRequest, mostCounted, type IssueCountsAnswer } from '../../core/app/issue-counts.ts';
import type { RecordStore } from '../store/store.ts';
import { bodyOf } from './body.ts';
import { json } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `POST /app/issue-counts`: the quality column of a page of results (core/app/issue-counts.ts). */
export function issueCountRoutes(
  store: Pick<RecordStore, 'severities'>,
  readBody: Answer,
): readonly TableRoute[] {
  const answer = json(async (request) => {
    const asked = bodyOf(request, 'IssueCounts', IssueCountsRequest, {
      text: `Send a type and at most ${mostCounted} ids.`,
    });
    const counted = await store.severities(asked.type, asked.ids);
    const counts: IssueCountsAnswer = Object.fromEntries(
      counted.map(({ id, errors, warnings }) => [id, [errors, warnings]]),
    );
    return counts;
  });
  return [{ method: 'POST', path: '/app/issue-counts', readBody, answer }];
}
