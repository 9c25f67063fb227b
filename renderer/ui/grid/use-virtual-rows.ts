import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, type RefObject } from 'react';

interface VirtualRowOptions {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  /** Number of all rows, loaded or not. */
  readonly total: number;
  readonly rowHeight: number;
  readonly current: number;
  readonly onEnd: (() => void) | undefined;
}

/** Number of rows before the last at which `onEnd` is called. */
const endDistance = 50;

/** Returns the rendered rows and their positions. Calls `onEnd` when the last loaded rows become visible. */
export function useVirtualRows({ scroller, count, total, rowHeight, current, onEnd }: VirtualRowOptions) {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // A frame renders the rows that a jump shows. More rows would cost time and are seldom seen.
    overscan: 4,
    scrollPaddingStart: rowHeight,
    paddingEnd: 8,
    // The row in the tab order stays rendered, so that scrolling does not lose the focus.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);

  const lastVisibleIndex = virtual.range?.endIndex ?? 0;
  const isAtEnd = count > 0 && count < total && lastVisibleIndex >= count - endDistance;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd, count]);
  return virtual;
}

export type VirtualRows = ReturnType<typeof useVirtualRows>;
