import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import type { NarrativeSheet } from './narrative-sheet.ts';

/**
 * The element that is wanted in sight, which is marked and scrolled to: where the editor's cursor goes, or what `want`
 * names since.
 */
export function useCurrent(
  page: RefObject<HTMLElement | null>,
  sheet: NarrativeSheet | undefined,
  cursor: string,
): readonly [wanted: string, want: (pointer: string) => void] {
  const [state, setState] = useState({ cursor, wanted: cursor, times: 0 });
  if (state.cursor !== cursor) setState({ cursor, wanted: cursor, times: state.times + 1 });
  const { wanted, times } = state;
  useLayoutEffect(() => {
    sheet?.mark(wanted);
    const element = wanted === '' ? null : elementAt(page.current, wanted);
    element?.setAttribute('data-current', '');
    return () => element?.removeAttribute('data-current');
  }, [page, sheet, wanted]);
  useEffect(() => {
    if (wanted !== '') elementAt(page.current, wanted)?.scrollIntoView({ block: 'nearest' });
  }, [page, wanted, times]);
  return [
    wanted,
    (pointer) => setState((before) => ({ ...before, wanted: pointer, times: before.times + 1 })),
  ];
}

function elementAt(page: HTMLElement | null, pointer: string): Element | null {
  return page?.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`) ?? null;
}
