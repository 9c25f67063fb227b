import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import type { NarrativeSheet } from './narrative-sheet.ts';

/**
 * Highlights an element and scrolls to it. The element is at the cursor of the editor, or was set by `want` since.
 *
 * @returns The pointer of the element and a function that sets another.
 */
export function useCurrent(
  page: RefObject<HTMLElement | null>,
  sheet: NarrativeSheet | undefined,
  cursor: string,
): readonly [target: string, setTarget: (pointer: string) => void] {
  const [state, setState] = useState({ cursor, target: cursor, times: 0 });
  if (state.cursor !== cursor) setState({ cursor, target: cursor, times: state.times + 1 });
  const { target, times } = state;
  useLayoutEffect(() => {
    sheet?.mark(target);
    const element = target === '' ? null : elementAt(page.current, target);
    element?.setAttribute('data-current', '');
    return () => element?.removeAttribute('data-current');
  }, [page, sheet, target]);
  useEffect(() => {
    if (target !== '') elementAt(page.current, target)?.scrollIntoView({ block: 'nearest' });
  }, [page, target, times]);
  return [
    target,
    (pointer) => setState((previous) => ({ ...previous, target: pointer, times: previous.times + 1 })),
  ];
}

function elementAt(page: HTMLElement | null, pointer: string): Element | null {
  return page?.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`) ?? null;
}
