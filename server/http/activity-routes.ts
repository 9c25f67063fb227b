import type { Request } from 'express';
import {
  activityKinds,
  activityLimits,
  activityMethods,
  NewJob,
  statusClasses,
  type ActivityFilter,
} from '../../core/app/activity.ts';
import { check } from '../../core/app/check.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ActivityLog, ActivityPlace } from '../store/activity-log.ts';
import { redactNote } from '../workspace/redact.ts';
import { jsonBody, valueOf } from './body.ts';
import { sendJson } from './reply.ts';
import { pairsOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/activity`: what the workbench did (core/app/activity.ts). */
export function activityRoutes(activity: ActivityLog, readBody: Answer): readonly TableRoute[] {
  const list: Answer = async (request, response) => {
    const { filter, place } = readQuery(request);
    sendJson(response, 200, JSON.stringify(await activity.list(filter, place)));
  };
  const add: Answer = async (request, response) => {
    const job = valueOf(check(NewJob, jsonBody(request, 'Activity')));
    sendJson(response, 201, JSON.stringify(await activity.add({ ...job, note: redactNote(job.note, '') })));
  };
  const clear: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify({ cleared: await activity.clear() }));
  };
  return [
    { method: 'GET', path: '/app/activity', answer: list },
    { method: 'POST', path: '/app/activity', readBody, answer: add },
    { method: 'DELETE', path: '/app/activity', answer: clear },
  ];
}

interface ActivityQuery {
  readonly filter: ActivityFilter;
  readonly place: ActivityPlace;
}

/** One reader for each parameter: what it adds to the query, or undefined where the value is none. */
const readers: Readonly<
  Record<string, (value: string) => ActivityFilter | Partial<ActivityPlace> | undefined>
> = {
  text: (text) => (text.length <= activityLimits.text ? { text } : undefined),
  method: (value) =>
    wrap(
      'method',
      activityMethods.find((one) => one === value),
    ),
  status: (value) =>
    wrap(
      'status',
      statusClasses.find((one) => one === value),
    ),
  kind: (value) =>
    wrap(
      'kind',
      activityKinds.find((one) => one === value),
    ),
  since: (since) => (Number.isNaN(Date.parse(since)) ? undefined : { since }),
  before: (value) => wrap('before', whole(value, Number.MAX_SAFE_INTEGER)),
  after: (value) => wrap('after', whole(value, Number.MAX_SAFE_INTEGER)),
  count: (value) => wrap('count', whole(value, activityLimits.page)),
};

function readQuery(request: Request): ActivityQuery {
  let read: ActivityFilter & Partial<ActivityPlace> = {};
  for (const [name, value] of pairsOf(request)) {
    const part = Object.hasOwn(readers, name) ? readers[name]?.(value) : undefined;
    if (!part) {
      throw new FhirError('not-accepted', {
        text: `The list takes ${Object.keys(readers).join(', ')}; one of them is not known or has a wrong value.`,
        location: `http.${name.slice(0, 64)}`,
      });
    }
    read = { ...read, ...part };
  }
  const { before, after, count = 100, ...filter } = read;
  return {
    filter,
    place: { count, ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
  };
}

function wrap<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? undefined : ({ [name]: value } as Record<Name, Value>);
}

function whole(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^[0-9]{1,16}$/.test(text) && value <= most ? value : undefined;
}
