import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import {
  useMemo,
  useRef,
  useEffect,
  useState,
  type ReactNode,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { dayNumber, dayText } from '../../../core/types/definition/dates.ts';
import { useDates } from '../date-language.ts';
import { TableHead } from '../table-head.tsx';
import { text } from '../text.ts';
import { localDay } from '../time.ts';
import { Bars } from './bars.tsx';
import { layOut, type TimelineItem } from './layout.ts';
import styles from './timeline.module.css';
import { zooms, anchorOf, fitOf, isWithin, middleOf, windowOf, type Zoom } from './window.ts';
import type { Days } from '../../../core/fhir/timeline/days.ts';

const messages = text.timeline;

export interface TimelineProps {
  /** Items with a time. At most `maxRendered` are rendered. */
  readonly items: readonly TimelineItem[];
  /** Key of the item that contains the others. Its time is shaded in the background. */
  readonly frame?: string;
  /** Days since 1970. */
  readonly today: number;
  readonly onOpen: (key: string) => void;
  /** Text next to the heading. */
  readonly note?: string | undefined;
  /** Content for items without a place in the timeline. */
  readonly children?: ReactNode;
}

/** Highest number of rows; more would be unreadable. */
export const maxRendered = 200;

/** Timeline with lanes, bars, today's line, and a table for screen readers. */
export function Timeline({ items, frame, today, onOpen, note, children }: TimelineProps) {
  useDates();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const svg = useRef<SVGSVGElement>(null);
  const renderedItems = useMemo(() => items.slice(0, maxRendered), [items]);
  const { zoom, window, current, zoomTo, page, showToday, touch, onKeyDown } = useTimeline(
    renderedItems,
    today,
    svg,
    onOpen,
  );
  const [firstDay, lastDay] = [window?.firstDay, window?.lastDay];
  const layout = useMemo(
    () =>
      firstDay === undefined || lastDay === undefined || width === 0
        ? undefined
        : layOut(renderedItems, { window: { firstDay, lastDay }, width, today, measure }),
    [renderedItems, firstDay, lastDay, width, today],
  );
  return (
    <figure className={styles.timeline} aria-label={messages.name}>
      <div className={styles.head}>
        <h3>{messages.name}</h3>
        {note && <span className={styles.note}>{note}</span>}
        {window && <Tools zoom={zoom} zoomTo={zoomTo} page={page} showToday={showToday} />}
      </div>
      <div ref={ref} className={styles.sight}>
        {layout && (
          <svg
            ref={svg}
            role="group"
            aria-label={messages.bars}
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            height={layout.height}
            onKeyDown={onKeyDown}
          >
            <Bars layout={layout} frame={frame} current={current} onOpen={onOpen} onTouch={touch} />
          </svg>
        )}
      </div>
      {window && zoom !== 'all' && (
        <p className={styles.inSight}>
          {messages.inSight(dayText(window.firstDay), dayText(window.lastDay))}
        </p>
      )}
      {renderedItems.length < items.length && <p>{messages.drawn(renderedItems.length, items.length)}</p>}
      <TimelineTable items={items} />
      {children}
    </figure>
  );
}

type ToolsProps = Pick<ReturnType<typeof useTimeline>, 'zoom' | 'zoomTo' | 'page' | 'showToday'>;

function Tools({ zoom, zoomTo, page, showToday }: ToolsProps) {
  return (
    <div className={styles.tools} role="group" aria-label={messages.zoomName}>
      {zoom !== 'all' && (
        <>
          <ActionIcon
            size="sm"
            aria-label={messages.earlier}
            title={messages.earlier}
            onClick={() => page(-1)}
          >
            <IconChevronLeft size={14} aria-hidden />
          </ActionIcon>
          <ActionIcon size="sm" aria-label={messages.later} title={messages.later} onClick={() => page(1)}>
            <IconChevronRight size={14} aria-hidden />
          </ActionIcon>
        </>
      )}
      <Button size="compact-xs" variant="subtle" onClick={showToday}>
        {messages.today}
      </Button>
      {zooms.map((zoomName) => (
        <Button
          key={zoomName}
          size="compact-xs"
          variant={zoom === zoomName ? 'light' : 'subtle'}
          aria-pressed={zoom === zoomName}
          onClick={() => zoomTo(zoomName)}
        >
          {messages.zoom[zoomName]}
        </Button>
      ))}
    </div>
  );
}

/** The items as a table for screen readers. */
function TimelineTable({ items }: { readonly items: readonly TimelineItem[] }) {
  const { columns, table } = messages;
  if (items.length === 0) return null;
  const hasLanes = items.some(({ lane }) => lane !== '');
  return (
    <VisuallyHidden>
      <table aria-label={table}>
        <TableHead
          columns={[
            columns.when,
            columns.what,
            ...(hasLanes ? [columns.lane] : []),
            columns.status,
            columns.warning,
          ]}
        />
        <tbody>
          {items.map(({ key, label, lane, status, when, warning }) => (
            <tr key={key}>
              <td>{when}</td>
              <td>{label}</td>
              {hasLanes && <td>{lane}</td>}
              <td>{status}</td>
              <td>{warning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}

/** Returns the current local day. */
export function dayNow(): number {
  return dayNumber(Date.parse(localDay()));
}

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
function useTimeline(
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

let canvasContext: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text in pixels. */
function measure(value: string): number {
  if (canvasContext === undefined) {
    canvasContext = document.createElement('canvas').getContext('2d');
    if (canvasContext) canvasContext.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return canvasContext?.measureText(value).width ?? value.length * 7;
}
