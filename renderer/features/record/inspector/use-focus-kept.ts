import { useLayoutEffect, useRef, type FocusEvent } from 'react';
import { isFocusLost } from '../../../ui/focus.ts';

/** Position of an item in a list, and of one of its buttons. */
interface FocusedButton {
  readonly item: number;
  readonly button: number;
}

/**
 * Keeps the focus in a list when its focused item is removed, for example a fixed issue. The focus moves to
 * the next item, or to the last, or to the pane. Returns the props of the pane.
 */
export function useFocusKept(items: unknown) {
  const pane = useRef<HTMLElement>(null);
  const focused = useRef<FocusedButton>(undefined);
  useLayoutEffect(() => {
    const { current: lastFocused } = focused;
    if (!lastFocused || !pane.current || !isFocusLost()) return;
    const items = itemsIn(pane.current);
    const buttons = buttonsIn(items[Math.min(lastFocused.item, items.length - 1)]);
    (buttons[lastFocused.button] ?? buttons[0] ?? pane.current).focus();
  }, [items]);
  return {
    ref: pane,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      const item = itemsIn(currentTarget).findIndex((item) => item.contains(target));
      const button = buttonsIn(itemsIn(currentTarget)[item]).findIndex((button) => button === target);
      focused.current = item === -1 ? undefined : { item, button };
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>) => {
      // A removed element loses the focus to nothing.
      if (relatedTarget !== null) focused.current = undefined;
    },
  };
}

function itemsIn(pane: HTMLElement): HTMLElement[] {
  return [...pane.querySelectorAll<HTMLElement>('li')];
}

function buttonsIn(item: HTMLElement | undefined): HTMLElement[] {
  return [...(item?.querySelectorAll<HTMLElement>('button') ?? [])];
}
