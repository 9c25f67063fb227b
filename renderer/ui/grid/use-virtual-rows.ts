import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, type RefObject } from 'react';

interface RowsToShow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  /** All rows there are, also those that are not loaded. */
  readonly total: number;
  readonly rowHeight: number;
  readonly current: number;
  readonly onEnd: (() => void) | undefined;
}

/** Rows from which on `onEnd` is called, counted from the last. */
const nearEnd = 50;

/** Which rows are drawn, and where; `onEnd` is called when the last loaded ones come into view. */
export function useVirtualRows({ scroller, count, total, rowHeight, current, onEnd }: RowsToShow) {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // A frame draws what a jump brings into view: rows beyond it are paid for and seldom seen.
    overscan: 4,
    scrollPaddingStart: rowHeight,
    paddingEnd: 8,
    // The row in the tab order stays drawn, so that scrolling it away does not drop the focus.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);

  const lastSeen = virtual.range?.endIndex ?? 0;
  const atEnd = count > 0 && count < total && lastSeen >= count - nearEnd;
  useEffect(() => {
    if (atEnd) onEnd?.();
  }, [atEnd, onEnd, count]);
  return virtual;
}

export type VirtualRows = ReturnType<typeof useVirtualRows>;
