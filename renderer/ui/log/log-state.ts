/** The fields of a log's filter; empty text asks nothing. */
export interface LogForm {
  readonly text: string;
  /** Minutes back from {@link LogState.chosenAt}. */
  readonly period: string;
}

export interface LogState<Form extends LogForm, Entry> {
  readonly form: Form;
  /** Milliseconds since the epoch when the period was chosen, so that the filter stays one filter. */
  readonly chosenAt: number;
  /** The entry whose details are shown. */
  readonly shown?: Entry;
}

export type LogAct<Form extends LogForm, Entry> =
  | { readonly type: 'changed'; readonly form: Partial<Form>; readonly now: number }
  | { readonly type: 'reset'; readonly form: Form }
  | { readonly type: 'show'; readonly entry: Entry }
  | { readonly type: 'hide' };

/** The next state of a log's view; pure. */
export function logReducer<Form extends LogForm, Entry>(
  state: LogState<Form, Entry>,
  act: LogAct<Form, Entry>,
): LogState<Form, Entry> {
  const { form, chosenAt } = state;
  switch (act.type) {
    case 'changed':
      return { form: { ...form, ...act.form }, chosenAt: 'period' in act.form ? act.now : chosenAt };
    case 'reset':
      return { form: act.form, chosenAt: 0 };
    case 'show':
      return { ...state, shown: act.entry };
    case 'hide':
      return { form, chosenAt };
  }
}
