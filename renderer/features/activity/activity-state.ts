/**
 * features/activity shows what the workbench asked of its server, and lets a search be asked again. The app shell
 * mounts it. Invariant: what the user reads does not move; newer entries wait until they are asked for.
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

/** The filter row; empty text asks nothing. */
export const noFilter = { text: '', method: '', status: '', kind: '', period: '' };

/** What the form asks of the server. */
export function filterOf({ form, chosenAt }: LogState<typeof noFilter, ActivityEntry>): ActivityFilter {
  const text = form.text.trim();
  const method = activityMethods.find((one) => one === form.method);
  const status = statusClasses.find((one) => one === form.status);
  const kind = activityKinds.find((one) => one === form.kind);
  return {
    ...(text !== '' && { text }),
    ...(method && { method }),
    ...(status && { status }),
    ...(kind && { kind }),
    ...sinceOf(form.period, chosenAt),
  };
}
