import { useDebouncedValue } from '@mantine/hooks';
import { useReducer, useRef, type RefObject } from 'react';
import { currentRow } from '../grid/row-pointer.ts';
import { logReducer, type LogForm, type LogState } from './log-state.ts';

/** Milliseconds after the last key until what was typed counts. */
const typingPause = 150;

/** The state of a log's view, and what the user can do to it. */
export interface Log<Form extends LogForm, Entry, Filter> {
  readonly form: Form;
  /** What the form asks of the server. */
  readonly filter: Filter;
  readonly filtered: boolean;
  /** The entry whose details are shown. */
  readonly shown: Entry | undefined;
  /** The list, where it is drawn. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly change: (form: Partial<Form>) => void;
  readonly reset: () => void;
  readonly show: (entry: Entry) => void;
  /** Closes the details and leads back to the row. */
  readonly hide: () => void;
}

/** A log's view, which begins with `noFilter`; what is typed counts after a pause. */
export function useLog<Form extends LogForm, Entry, Filter extends object>(
  noFilter: Form,
  filterOf: (state: LogState<Form, Entry>) => Filter,
): Log<Form, Entry, Filter> {
  const [state, dispatch] = useReducer(logReducer<Form, Entry>, { form: noFilter, chosenAt: 0 });
  const scroller = useRef<HTMLDivElement>(null);
  const [text] = useDebouncedValue(state.form.text, typingPause);
  const filter = filterOf({ ...state, form: { ...state.form, text } });
  return {
    form: state.form,
    filter,
    filtered: Object.keys(filter).length > 0,
    shown: state.shown,
    scroller,
    change: (form) => dispatch({ type: 'changed', form, now: Date.now() }),
    reset: () => dispatch({ type: 'reset', form: noFilter }),
    show: (entry) => dispatch({ type: 'show', entry }),
    hide() {
      dispatch({ type: 'hide' });
      requestAnimationFrame(() => currentRow(scroller.current)?.focus());
    },
  };
}
