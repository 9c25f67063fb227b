import { useDebouncedValue } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { currentRow } from '../grid/row-pointer.ts';

/** Fields of a log's filter; an empty text does not filter. */
export interface LogForm {
  readonly text: string;
  /** Minutes before {@link LogState.selectedAt}. */
  readonly period: string;
}

export interface LogState<Form extends LogForm, Entry> {
  readonly form: Form;
  /** Time of the selection of the period in epoch ms, so that the filter does not change by itself. */
  readonly selectedAt: number;
  /** Entry whose details are shown. */
  readonly shownEntry?: Entry;
}

/** Wait after the last key before typed text applies. */
const typingPauseMs = 150;

/** State of a log view, beginning with `noFilter`. Typed text applies after a pause. */
export function useLog<Form extends LogForm, Entry, Filter extends object>(
  noFilter: Form,
  toFilter: (state: LogState<Form, Entry>) => Filter,
) {
  const initialState: LogState<Form, Entry> = { form: noFilter, selectedAt: 0 };
  const [state, setState] = useState(initialState);
  const scroller = useRef<HTMLDivElement>(null);
  const [text] = useDebouncedValue(state.form.text, typingPauseMs);
  const filter = toFilter({ ...state, form: { ...state.form, text } });
  return {
    form: state.form,
    filter,
    isFiltered: Object.keys(filter).length > 0,
    /** Entry whose details are shown. */
    shownEntry: state.shownEntry,
    scroller,
    /** Changes fields and closes the details, because their entry may no longer be in the list. */
    change: (change: Partial<Form>) =>
      setState(({ form, selectedAt }) => ({
        form: { ...form, ...change },
        selectedAt: 'period' in change ? Date.now() : selectedAt,
      })),
    reset: () => setState(initialState),
    showEntry: (entry: Entry) => setState((previous) => ({ ...previous, shownEntry: entry })),
    /** Closes the details and focuses their row. */
    hideDetails: () => {
      setState(({ form, selectedAt }) => ({ form, selectedAt }));
      requestAnimationFrame(() => currentRow(scroller.current)?.focus());
    },
  };
}

export type Log<Form extends LogForm, Entry, Filter extends object> = ReturnType<
  typeof useLog<Form, Entry, Filter>
>;
