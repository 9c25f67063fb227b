import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Days } from '../../../core/fhir/timeline/days.ts';
import type { TimelineItem } from './layout.ts';
import { anchorOf, fitOf, isWithin, middleOf, windowOf, zooms, type Zoom } from './window.ts';

interface View {
  readonly zoom: Zoom;
  /** Day in the middle; undefined until it was selected. */
  readonly middle?: number;
  /** Key of the item with the keyboard focus. */
  readonly focusedKey?: string;
  /** Number of moves by keys. The item takes the focus after each. */
  readonly moves: number;
}

/** Returns the visible days of a timeline and its keyboard handling. */
export function useTimeline(
  items: readonly TimelineItem[],
  today: number,
  svg: RefObject<SVGSVGElement | null>,
  onOpen: (key: string) => void,
) {
  const { view, setView, window, current, step, ...navigation } = useSight(items, today);
  useEffect(() => {
    if (view.moves === 0 || view.focusedKey === undefined) return;
    svg.current?.querySelector<SVGElement>(`[data-item="${CSS.escape(view.focusedKey)}"]`)?.focus();
  }, [svg, view.moves, view.focusedKey]);

  const moveTo = (item: TimelineItem | undefined) => {
    if (!item || !window) return;
    const isVisible = item.spans.some((span) => isWithin(span, window));
    setView(({ zoom, moves, middle: previousMiddle }) => ({
      zoom,
      focusedKey: item.key,
      moves: moves + 1,
      // In the total view, the next zoom centers the item.
      ...(zoom !== 'all' && isVisible && previousMiddle !== undefined && { middle: previousMiddle }),
    }));
  };
  const currentIndex = current ? items.indexOf(current) : -1;
  const openCurrent = () => current && onOpen(current.key);
  const actionsByKey: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moveTo(items[currentIndex + 1]),
    ArrowDown: () => moveTo(items[currentIndex + 1]),
    ArrowLeft: () => moveTo(items[currentIndex - 1]),
    ArrowUp: () => moveTo(items[currentIndex - 1]),
    Home: () => moveTo(items[0]),
    End: () => moveTo(items.at(-1)),
    Enter: openCurrent,
    ' ': openCurrent,
    '+': () => step(1),
    '=': () => step(1),
    '-': () => step(-1),
    PageUp: () => navigation.page(-1),
    PageDown: () => navigation.page(1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const runAction = actionsByKey[event.key];
    if (!runAction || event.ctrlKey || event.metaKey || event.altKey) return;
    runAction();
    event.preventDefault();
  };
  const touch = (key: string) => setView((previous) => ({ ...previous, focusedKey: key }));
  return { zoom: view.zoom, window, current: current?.key, ...navigation, touch, onKeyDown };
}

/** Returns the visible days and the functions that change them. */
function useSight(items: readonly TimelineItem[], today: number) {
  const [view, setView] = useState<View>({ zoom: 'all', moves: 0 });
  const fit = fitOf(
    items.flatMap(({ spans }) => spans),
    today,
  );
  const current = items.find(({ key }) => key === view.focusedKey) ?? items[0];
  const initialMiddle = view.moves > 0 || !fit || !isIn(today, fit) ? anchorIn(current) : undefined;
  const window = fit && windowOf(view.zoom, view.middle ?? initialMiddle ?? today, fit);
  const zoomTo = (zoom: Zoom) => setView((previous) => ({ ...previous, zoom }));
  /** Widest first, because a short plan is narrower than a year. */
  const order = fit
    ? zooms.toSorted((zoomA, zoomB) => lengthOf(windowOf(zoomB, 0, fit)) - lengthOf(windowOf(zoomA, 0, fit)))
    : [];
  const step = (delta: 1 | -1) => {
    const next = order[order.indexOf(view.zoom) + delta];
    if (next !== undefined) zoomTo(next);
  };
  const page = (delta: 1 | -1) => {
    if (!window || view.zoom === 'all') return;
    const length = lengthOf(window);
    setView((previous) => ({ ...previous, middle: middleOf(window) + delta * Math.round(length / 2) }));
  };
  /** Leaves the total view if it does not include today. */
  const showToday = () =>
    setView((previous) => ({
      ...previous,
      zoom: fit && previous.zoom === 'all' && !isIn(today, fit) ? 'year' : previous.zoom,
      middle: today,
    }));
  return { view, setView, window, current, step, zoomTo, page, showToday };
}

function anchorIn(item: TimelineItem | undefined): number | undefined {
  return item?.spans.map(anchorOf).find((day) => day !== undefined);
}

function lengthOf({ firstDay, lastDay }: Days): number {
  return lastDay - firstDay + 1;
}

function isIn(day: number, { firstDay, lastDay }: Days): boolean {
  return firstDay <= day && day <= lastDay;
}
