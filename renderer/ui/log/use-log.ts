import { useDebouncedValue } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { currentRow } from '../grid/row-pointer.ts';

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

/** Milliseconds after the last key until what was typed counts. */
const typingPause = 150;

/** A log's view, which begins with `noFilter`; what is typed counts after a pause. */
export function useLog<Form extends LogForm, Entry, Filter extends object>(
  noFilter: Form,
  filterOf: (state: LogState<Form, Entry>) => Filter,
) {
  const start: LogState<Form, Entry> = { form: noFilter, chosenAt: 0 };
  const [state, setState] = useState(start);
  const scroller = useRef<HTMLDivElement>(null);
  const [text] = useDebouncedValue(state.form.text, typingPause);
  const filter = filterOf({ ...state, form: { ...state.form, text } });
  return {
    form: state.form,
    /** What the form asks of the server. */
    filter,
    filtered: Object.keys(filter).length > 0,
    /** The entry whose details are shown. */
    shown: state.shown,
    /** The list, where it is drawn. */
    scroller,
    /** Takes what was changed, and closes the details, whose entry may no longer be in the list. */
    change: (change: Partial<Form>) =>
      setState(({ form, chosenAt }) => ({
        form: { ...form, ...change },
        chosenAt: 'period' in change ? Date.now() : chosenAt,
      })),
    reset: () => setState(start),
    show: (entry: Entry) => setState((before) => ({ ...before, shown: entry })),
    /** Closes the details and leads back to the row. */
    hide: () => {
      setState(({ form, chosenAt }) => ({ form, chosenAt }));
      requestAnimationFrame(() => currentRow(scroller.current)?.focus());
    },
  };
}

export type Log<Form extends LogForm, Entry, Filter extends object> = ReturnType<
  typeof useLog<Form, Entry, Filter>
>;
