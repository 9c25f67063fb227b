/**
 * features/activity lists requests of the workbench and repeats searches. The app shell mounts it. Invariant: visible
 * entries never move; newer entries wait until the user shows them.
 */
import {
  activityKinds,
  activityMethods,
  statusClasses,
  type ActivityEntry,
  type ActivityFilter,
} from '../../../core/app/activity.ts';
import { sinceOf } from '../../ui/log/log-facts.ts';
import type { LogState } from '../../ui/log/use-log.ts';

/** Empty filter row. */
export const noFilter = { text: '', method: '', status: '', kind: '', period: '' };

/** Converts the form to a filter for the server. */
export function filterOf({ form, selectedAt }: LogState<typeof noFilter, ActivityEntry>): ActivityFilter {
  const text = form.text.trim();
  const method = activityMethods.find((candidate) => candidate === form.method);
  const status = statusClasses.find((candidate) => candidate === form.status);
  const kind = activityKinds.find((candidate) => candidate === form.kind);
  return {
    ...(text !== '' && { text }),
    ...(method && { method }),
    ...(status && { status }),
    ...(kind && { kind }),
    ...sinceOf(form.period, selectedAt),
  };
}
