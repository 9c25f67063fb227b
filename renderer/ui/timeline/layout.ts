/**
 * Timeline of records: of the parts of a plan, or of the records of a patient.
 * Invariant: an item without a stated day is not placed.
 */
import { scaleUtc } from 'd3-scale';
import type { Days, DaySpan } from '../../../core/fhir/timeline/days.ts';
import { isWithin } from './window.ts';

/** An item that takes place once or several times. */
export interface TimelineItem {
  /** Key for the caller. */
  readonly key: string;
  readonly label: string;
  readonly status: string;
  /** True if the label negates the item. */
  readonly negated?: boolean;
  /** Name of its shared lane; an item without one has a lane of its own. */
  readonly lane: string;
  /** Times of the item as text. */
  readonly when: string;
  readonly spans: readonly DaySpan[];
  /** Warning about the item; blank without one. */
  readonly warning: string;
}

/** A time of an item, in pixels from the left. */
export interface Bar {
  readonly x: number;
  readonly width: number;
  /** The certain part, if a partial date leaves the rest open. */
  readonly certain: { readonly x: number; readonly width: number } | undefined;
  /** True if it has no stated start or end. */
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

export interface PlacedItem {
  readonly item: TimelineItem;
  readonly top: number;
  /** Bars of the item; none for a time out of sight. */
  readonly bars: readonly Bar[];
  readonly label: {
    readonly x: number;
    readonly room: number;
    readonly place: 'within' | 'after' | 'before';
  };
}

interface Tick {
  readonly x: number;
  readonly label: string;
}

interface Lane {
  readonly name: string;
  readonly top: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly ticks: readonly Tick[];
  readonly lanes: readonly Lane[];
  readonly items: readonly PlacedItem[];
  /** Undefined if today is out of sight. */
  readonly today: number | undefined;
}

export interface LayoutOptions {
  readonly window: Days;
  readonly width: number;
  /** Days since 1970. */
  readonly today: number;
  /** Returns the width of a text in pixels. */
  readonly measure: (text: string) => number;
}

export const rowHeight = 24;
/** Height of the axis above. */
export const axisHeight = 22;
const laneHeight = 20;
/** Height of the label of today's line below. */
const footHeight = 16;
/** Pixels between two items of a row, and between a bar and its label. */
const gap = 6;
const minWidth = 8;
const tickRoom = 76;
const maxTicks = 12;
/** Largest width of a label outside its bar for which other items of a lane make room. */
const maxLabelWidth = 180;
const dayMs = 86_400_000;

/** Returns the text in or next to the bar. */
function formatLabel({ label, status, warning }: TimelineItem): string {
  return [label, status, warning].filter(Boolean).join(' · ');
}

/** Places the items: each in its own row, or in a shared row of its lane if items don't overlap. */
export function layOut(items: readonly TimelineItem[], options: LayoutOptions): Layout {
  const { window, width, today } = options;
  const scale = scaleUtc()
    .domain([window.firstDay * dayMs, (window.lastDay + 1) * dayMs])
    .range([0, width]);
  const toX = (day: number) => Math.round(scale(day * dayMs) * 100) / 100;
  const placedItems = items.map((item) => layOutItem(item, toX, options));

  const lanes: Lane[] = [];
  const rows: PlacedItem[] = [];
  let top = axisHeight;
  for (const [name, members] of Map.groupBy(placedItems, ({ item }) => item.lane)) {
    if (name !== '') {
      lanes.push({ name, top });
      top += laneHeight;
    }
    const laneRows: LaidOutItem[][] = [];
    for (const laneItem of members) {
      const freeRow = laneRows.find(
        (row) => name !== '' && (row.at(-1)?.rightEdge ?? 0) + gap <= laneItem.leftEdge,
      );
      if (freeRow) freeRow.push(laneItem);
      else laneRows.push([laneItem]);
    }
    // In the order of the items, which is the order of the keys.
    for (const { item, bars, label, ...laneItem } of members) {
      const row = laneRows.findIndex((rowItems) => rowItems.some((rowItem) => rowItem.item === item));
      const next = laneRows[row]?.find(({ leftEdge }) => leftEdge > laneItem.rightEdge)?.leftEdge ?? width;
      rows.push({ item, bars, label: widenLabel(label, next), top: top + row * rowHeight });
    }
    top += laneRows.length * rowHeight;
  }
  const now = toX(today);
  return {
    width,
    height: top + footHeight,
    ticks: listTicks(scale, width),
    lanes,
    items: rows,
    today: now < 0 || now > width ? undefined : now,
  };
}

interface LaidOutItem extends Omit<PlacedItem, 'top'> {
  /** Part of the row that the item covers. */
  readonly leftEdge: number;
  readonly rightEdge: number;
}

/** Widens a label after its bar to the free room before the next item. */
function widenLabel(label: PlacedItem['label'], nextX: number): PlacedItem['label'] {
  return label.place === 'after' ? { ...label, room: Math.max(label.room, nextX - gap - label.x) } : label;
}

function layOutItem(item: TimelineItem, toX: (day: number) => number, options: LayoutOptions): LaidOutItem {
  const { window, width, measure } = options;
  const bars = item.spans.filter((span) => isWithin(span, window)).map((span) => toBar(span, toX, width));
  const isShared = item.lane !== '';
  const labelWidth = Math.ceil(measure(formatLabel(item)));
  const usedLabelWidth = isShared ? Math.min(labelWidth, maxLabelWidth) : labelWidth;
  const leftEdge = Math.min(...bars.map(({ x }) => x));
  const rightEdge = Math.max(...bars.map((bar) => bar.x + bar.width));
  if (bars.length === 0) {
    const isBefore = item.spans.some(({ end }) => end && end.lastDay < window.firstDay);
    const x = isBefore ? gap : width - gap;
    const label = { x, room: width - 2 * gap, place: isBefore ? 'after' : 'before' } as const;
    return {
      item,
      bars,
      label,
      leftEdge: isBefore ? 0 : x - usedLabelWidth,
      rightEdge: isBefore ? usedLabelWidth : width,
    };
  }
  const [firstBar] = bars;
  const insideRoom = bars.length === 1 && firstBar ? firstBar.width - 2 * gap : 0;
  const room = { within: insideRoom, after: width - rightEdge - gap, before: leftEdge - gap };
  const position =
    (['within', 'after', 'before'] as const).find((candidate) => room[candidate] >= usedLabelWidth) ??
    (['within', 'after', 'before'] as const).toSorted(
      (candidate, otherCandidate) => room[otherCandidate] - room[candidate],
    )[0] ??
    'within';
  const x = { within: leftEdge + gap, after: rightEdge + gap, before: leftEdge - gap }[position];
  const usedRoom = position === 'within' ? room.within : Math.min(usedLabelWidth, room[position]);
  return {
    item,
    bars,
    label: { x, room: isShared ? usedRoom : room[position], place: position },
    leftEdge: position === 'before' ? leftEdge - gap - usedRoom : leftEdge,
    rightEdge: position === 'after' ? rightEdge + gap + usedRoom : rightEdge,
  };
}

function toBar({ start, end }: DaySpan, toX: (day: number) => number, width: number): Bar {
  const clamp = (x: number) => Math.min(Math.max(x, 0), width);
  const startX = start ? clamp(toX(start.firstDay)) : 0;
  const endX = end ? clamp(toX(end.lastDay + 1)) : width;
  const size = Math.max(endX - startX, minWidth);
  const x = Math.min(startX, width - size);
  const certainRange = {
    from: start ? clamp(toX(start.lastDay)) : 0,
    to: end ? clamp(toX(end.firstDay + 1)) : width,
  };
  const isExact = (!start || start.firstDay === start.lastDay) && (!end || end.firstDay === end.lastDay);
  const certainWidth = certainRange.to - certainRange.from;
  return {
    x,
    width: size,
    certain: isExact
      ? { x, width: size }
      : certainWidth > 0
        ? { x: certainRange.from, width: certainWidth }
        : undefined,
    openStart: !start,
    openEnd: !end,
  };
}

const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

function listTicks(scale: ReturnType<typeof scaleUtc<number>>, width: number): Tick[] {
  const dates = listTickDates(scale, width);
  return dates.map((date, index) => ({
    x: scale(date),
    // The first tick states its year.
    label: index === 0 && !isNewYear(date) ? `${tickLabel(date)} ${date.getUTCFullYear()}` : tickLabel(date),
  }));
}

/** Returns calendar days with enough room for their labels. d3 treats the count as a hint. */
function listTickDates(scale: ReturnType<typeof scaleUtc<number>>, width: number): Date[] {
  const maxCount = Math.min(maxTicks, Math.max(2, Math.floor(width / tickRoom)));
  for (let count = maxCount; count > 1; count -= 1) {
    const dates = scale.ticks(count).filter((date) => date.getTime() % dayMs === 0);
    if (dates.length <= maxCount) return dates;
  }
  return [];
}

function isNewYear(date: Date): boolean {
  return date.getUTCMonth() === 0 && date.getUTCDate() === 1;
}

function tickLabel(date: Date): string {
  if (isNewYear(date)) return String(date.getUTCFullYear());
  const month = months.format(date);
  return date.getUTCDate() === 1 ? month : `${date.getUTCDate()} ${month}`;
}
