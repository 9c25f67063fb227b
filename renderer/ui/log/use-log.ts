import { useDebouncedValue } from '@mantine/hooks';
import { useReducer, useRef } from 'react';
import { currentRow } from '../grid/row-pointer.ts';
import { logReducer, type LogForm, type LogState } from './log-state.ts';

/** Milliseconds after the last key until what was typed counts. */
const typingPause = 150;

/** A log's view, which begins with `noFilter`; what is typed counts after a pause. */
export function useLog<Form extends LogForm, Entry, Filter extends object>(
  noFilter: Form,
  filterOf: (state: LogState<Form, Entry>) => Filter,
) {
  const [state, dispatch] = useReducer(logReducer<Form, Entry>, { form: noFilter, chosenAt: 0 });
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
    change: (form: Partial<Form>) => dispatch({ type: 'changed', form, now: Date.now() }),
    reset: () => dispatch({ type: 'reset', form: noFilter }),
    show: (entry: Entry) => dispatch({ type: 'show', entry }),
    /** Closes the details and leads back to the row. */
    hide: () => {
      dispatch({ type: 'hide' });
      requestAnimationFrame(() => currentRow(scroller.current)?.focus());
    },
  };
}

export type Log<Form extends LogForm, Entry, Filter extends object> = ReturnType<
  typeof useLog<Form, Entry, Filter>
>;
