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
import type { ActivityLog, ActivityCursor } from '../store/activity-log.ts';
import { redactNote } from '../workspace/redact.ts';
import { parseJsonBody, getCheckedValue } from './body.ts';
import { createJsonHandler } from './reply.ts';
import { parseListQuery, type ListReaders } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/activity`: the activity log of the workbench (core/app/activity.ts). */
export function createActivityRoutes(activity: ActivityLog): readonly TableRoute[] {
  const list = createJsonHandler((request) => {
    const { before, after, count = 100, ...filter } = parseListQuery(request, readers);
    return activity.list(filter, { count, ...defined({ before, after }) });
  });
  const add = createJsonHandler((request) => {
    const job = getCheckedValue(check(NewJob, parseJsonBody(request, 'Activity')));
    return activity.add({ ...job, note: redactNote(job.note) });
  }, 201);
  const clear = createJsonHandler(async () => ({ cleared: await activity.clear() }));
  return [
    { method: 'GET', path: '/app/activity', handler: list },
    { method: 'POST', path: '/app/activity', body: true, handler: add },
    { method: 'DELETE', path: '/app/activity', handler: clear },
  ];
}

const readers: ListReaders<ActivityFilter & Partial<ActivityCursor>> = {
  text: (text) => (text.length <= activityLimits.text ? text : undefined),
  method: (value) => activityMethods.find((method) => method === value),
  status: (value) => statusClasses.find((statusClass) => statusClass === value),
  kind: (value) => activityKinds.find((kind) => kind === value),
  since: (since) => (Number.isNaN(Date.parse(since)) ? undefined : since),
  before: (value) => parseCount(value, Number.MAX_SAFE_INTEGER),
  after: (value) => parseCount(value, Number.MAX_SAFE_INTEGER),
  count: (value) => parseCount(value, activityLimits.page),
};

function parseCount(text: string, max: number): number | undefined {
  const value = Number(text);
  return /^[0-9]{1,16}$/.test(text) && value <= max ? value : undefined;
}
