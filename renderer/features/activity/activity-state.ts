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

/** The filter row; empty text asks nothing. */
export interface FilterForm {
  readonly text: string;
  readonly method: string;
  readonly status: string;
  readonly kind: string;
  /** Minutes back from {@link ActivityState.chosenAt}. */
  readonly period: string;
}

export interface ActivityState {
  readonly form: FilterForm;
  /** Milliseconds since the epoch when the period was chosen, so that the filter stays one filter. */
  readonly chosenAt: number;
  /** The entry whose details are shown. */
  readonly shown?: ActivityEntry;
}

export type ActivityAction =
  | { readonly type: 'changed'; readonly form: Partial<FilterForm>; readonly now: number }
  | { readonly type: 'reset' }
  | { readonly type: 'show'; readonly entry: ActivityEntry }
  | { readonly type: 'hide' };

export const noFilter: FilterForm = { text: '', method: '', status: '', kind: '', period: '' };

export const initialActivity: ActivityState = { form: noFilter, chosenAt: 0 };

/** The next state of the view; pure. */
export function activityReducer(state: ActivityState, action: ActivityAction): ActivityState {
  switch (action.type) {
    case 'changed': {
      const form = { ...state.form, ...action.form };
      return { form, chosenAt: form.period === state.form.period ? state.chosenAt : action.now };
    }
    case 'reset':
      return initialActivity;
    case 'show':
      return { ...state, shown: action.entry };
    case 'hide':
      return { form: state.form, chosenAt: state.chosenAt };
  }
}

/** What the form asks of the server. */
export function filterOf({ form, chosenAt }: ActivityState): ActivityFilter {
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
