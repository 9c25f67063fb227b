import { useLayoutEffect, useRef, type FocusEvent } from 'react';
import { isFocusLost } from '../../../ui/focus.ts';

/** An item of a list, and one of its buttons, by their positions. */
interface FocusedButton {
  readonly item: number;
  readonly button: number;
}

/**
 * Keeps the focus in a list whose focused item goes, as a finding does that was fixed: the item that takes its place gets
 * it, else the last one, else the pane itself. Returns the properties of the pane.
 */
export function useFocusKept(items: unknown) {
  const pane = useRef<HTMLElement>(null);
  const focused = useRef<FocusedButton>(undefined);
  useLayoutEffect(() => {
    const { current: last } = focused;
    if (!last || !pane.current || !isFocusLost()) return;
    const all = itemsIn(pane.current);
    const buttons = buttonsIn(all[Math.min(last.item, all.length - 1)]);
    (buttons[last.button] ?? buttons[0] ?? pane.current).focus();
  }, [items]);
  return {
    ref: pane,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      const item = itemsIn(currentTarget).findIndex((one) => one.contains(target));
      const button = buttonsIn(itemsIn(currentTarget)[item]).findIndex((one) => one === target);
      focused.current = item === -1 ? undefined : { item, button };
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>) => {
      // An element that is taken away loses the focus to nobody.
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
