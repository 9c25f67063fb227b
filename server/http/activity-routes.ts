import {
  activityKinds,
  activityLimits,
  activityMethods,
  NewJob,
  statusClasses,
  type ActivityFilter,
} from '../../core/app/activity.ts';
import { check } from '../../core/app/check.ts';
import { defined } from '../../core/json/defined.ts';
import type { ActivityLog, ActivityPlace } from '../store/activity-log.ts';
import { redactNote } from '../workspace/redact.ts';
import { jsonBody, valueOf } from './body.ts';
import { json } from './reply.ts';
import { readList, type ListReaders } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/activity`: what the workbench did (core/app/activity.ts). */
export function activityRoutes(activity: ActivityLog): readonly TableRoute[] {
  const list = json((request) => {
    const { before, after, count = 100, ...filter } = readList(request, readers);
    return activity.list(filter, { count, ...defined({ before, after }) });
  });
  const add = json((request) => {
    const job = valueOf(check(NewJob, jsonBody(request, 'Activity')));
    return activity.add({ ...job, note: redactNote(job.note) });
  }, 201);
  const clear = json(async () => ({ cleared: await activity.clear() }));
  return [
    { method: 'GET', path: '/app/activity', answer: list },
    { method: 'POST', path: '/app/activity', body: true, answer: add },
    { method: 'DELETE', path: '/app/activity', answer: clear },
  ];
}

const readers: ListReaders<ActivityFilter & Partial<ActivityPlace>> = {
  text: (text) => (text.length <= activityLimits.text ? text : undefined),
  method: (value) => activityMethods.find((one) => one === value),
  status: (value) => statusClasses.find((one) => one === value),
  kind: (value) => activityKinds.find((one) => one === value),
  since: (since) => (Number.isNaN(Date.parse(since)) ? undefined : since),
  before: (value) => whole(value, Number.MAX_SAFE_INTEGER),
  after: (value) => whole(value, Number.MAX_SAFE_INTEGER),
  count: (value) => whole(value, activityLimits.page),
};

function whole(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^[0-9]{1,16}$/.test(text) && value <= most ? value : undefined;
}
