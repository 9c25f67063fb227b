import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Days } from '../../../core/fhir/timeline/days.ts';
import type { TimelineItem } from './layout.ts';
import { anchorOf, fitOf, isWithin, middleOf, windowOf, zooms, type Zoom } from './window.ts';

interface View {
  readonly zoom: Zoom;
  /** Day in the middle; undefined until one was chosen. */
  readonly middle?: number;
  /** Key of the item that the keyboard is at. */
  readonly at?: string;
  /** Counts the moves by keys, after each of which the item takes the focus. */
  readonly moves: number;
}

/** What is in sight of a timeline, and where the keyboard is. */
export function useTimeline(
  items: readonly TimelineItem[],
  today: number,
  svg: RefObject<SVGSVGElement | null>,
  onOpen: (key: string) => void,
) {
  const { view, setView, window, current, step, ...sight } = useSight(items, today);
  useEffect(() => {
    if (view.moves === 0 || view.at === undefined) return;
    svg.current?.querySelector<SVGElement>(`[data-item="${CSS.escape(view.at)}"]`)?.focus();
  }, [svg, view.moves, view.at]);

  const moveTo = (item: TimelineItem | undefined) => {
    if (!item || !window) return;
    const seen = item.spans.some((span) => isWithin(span, window));
    setView(({ zoom, moves, middle: before }) => ({
      ...{ zoom, at: item.key, moves: moves + 1 },
      // Of the whole, whatever is zoomed at next is in the middle.
      ...(zoom !== 'all' && seen && before !== undefined && { middle: before }),
    }));
  };
  const at = current ? items.indexOf(current) : -1;
  const open = () => current && onOpen(current.key);
  const acts: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moveTo(items[at + 1]),
    ArrowDown: () => moveTo(items[at + 1]),
    ArrowLeft: () => moveTo(items[at - 1]),
    ArrowUp: () => moveTo(items[at - 1]),
    Home: () => moveTo(items[0]),
    End: () => moveTo(items.at(-1)),
    Enter: open,
    ' ': open,
    '+': () => step(1),
    '=': () => step(1),
    '-': () => step(-1),
    PageUp: () => sight.page(-1),
    PageDown: () => sight.page(1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    act();
    event.preventDefault();
  };
  const touch = (key: string) => setView((before) => ({ ...before, at: key }));
  return { zoom: view.zoom, window, current: current?.key, ...sight, touch, onKeyDown };
}

/** The days in sight, and the ways to others. */
function useSight(items: readonly TimelineItem[], today: number) {
  const [view, setView] = useState<View>({ zoom: 'all', moves: 0 });
  const fit = fitOf(
    items.flatMap(({ spans }) => spans),
    today,
  );
  const current = items.find(({ key }) => key === view.at) ?? items[0];
  const chosen = view.moves > 0 || !fit || !isIn(today, fit) ? anchorIn(current) : undefined;
  const window = fit && windowOf(view.zoom, view.middle ?? chosen ?? today, fit);
  const zoomTo = (zoom: Zoom) => setView((before) => ({ ...before, zoom }));
  /** Widest first, as a short plan is narrower than a year. */
  const order = fit
    ? zooms.toSorted((one, other) => lengthOf(windowOf(other, 0, fit)) - lengthOf(windowOf(one, 0, fit)))
    : [];
  const step = (by: 1 | -1) => {
    const next = order[order.indexOf(view.zoom) + by];
    if (next !== undefined) zoomTo(next);
  };
  const page = (by: 1 | -1) => {
    if (!window || view.zoom === 'all') return;
    const length = lengthOf(window);
    setView((before) => ({ ...before, middle: middleOf(window) + by * Math.round(length / 2) }));
  };
  /** Zooms out of the whole where that does not reach today. */
  const showToday = () =>
    setView((before) => ({
      ...before,
      zoom: fit && before.zoom === 'all' && !isIn(today, fit) ? 'year' : before.zoom,
      middle: today,
    }));
  return { view, setView, window, current, step, zoomTo, page, showToday };
}

function anchorIn(item: TimelineItem | undefined): number | undefined {
  return item?.spans.map(anchorOf).find((day) => day !== undefined);
}

function lengthOf({ first, last }: Days): number {
  return last - first + 1;
}

function isIn(day: number, { first, last }: Days): boolean {
  return first <= day && day <= last;
}
