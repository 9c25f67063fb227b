import { IssueCountsRequest, mostCounted, type IssueCountsAnswer } from '../../core/app/issue-counts.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { RecordStore } from '../store/store.ts';
import { jsonBody } from './body.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `POST /app/issue-counts`: the quality column of a page of results (core/app/issue-counts.ts). */
export function issueCountRoutes(
  store: Pick<RecordStore, 'severities'>,
  readBody: Answer,
): readonly TableRoute[] {
  const answer: Answer = async (request, response) => {
    const asked = jsonBody(request, 'IssueCounts');
    if (!is(IssueCountsRequest, asked)) {
      throw new FhirError('value', { text: `Send a type and at most ${mostCounted} ids.` });
    }
    const counted = await store.severities(asked.type, asked.ids);
    const counts: IssueCountsAnswer = Object.fromEntries(
      counted.map(({ id, errors, warnings }) => [id, [errors, warnings]]),
    );
    sendJson(response, 200, JSON.stringify(counts));
  };
  return [{ method: 'POST', path: '/app/issue-counts', readBody, answer: answer }];
}
