import type { KeyboardEvent } from 'react';
import { rowAfterKey } from '../../ui/grid-keys.ts';

/** What keys do in a grid of rows. */
export interface GridKeys {
  readonly count: number;
  readonly current: number;
  /** Rows in view. */
  readonly page: () => number;
  readonly goTo: (index: number, extending: boolean) => void;
  readonly open: () => void;
  readonly copy: () => void;
  readonly toggle: () => void;
  readonly all: () => void;
  readonly clear: () => void;
  readonly menu: () => void;
}

/** The handler of a grid's keys; those of its head, and those that it does not know, pass. */
export function gridKeyHandler(keys: GridKeys): (event: KeyboardEvent) => void {
  return (event) => {
    if (
      event.altKey ||
      (event.target instanceof HTMLElement && event.target.closest('[role=columnheader]'))
    ) {
      return;
    }
    const act = event.ctrlKey || event.metaKey ? withControl(event, keys) : plain(event, keys);
    if (!act) return;
    event.preventDefault();
    act();
  };
}

function withControl(event: KeyboardEvent, keys: GridKeys): (() => void) | undefined {
  switch (event.key.toLowerCase()) {
    case 'c':
      // A text that was marked with the mouse is what a person means to copy.
      return getSelection()?.isCollapsed === false ? undefined : keys.copy;
    case 'a':
      return keys.all;
    default:
      return undefined;
  }
}

function plain(event: KeyboardEvent, keys: GridKeys): (() => void) | undefined {
  const { key, shiftKey } = event;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return keys.menu;
  if (key === 'Enter') return keys.open;
  if (key === ' ') return keys.toggle;
  if (key === 'Escape') return keys.clear;
  const target = rowAfterKey(key, keys.current, keys.count, keys.page());
  if (target === undefined) return undefined;
  return () => keys.goTo(target, shiftKey);
}
