/**
 * renderer/ui/timeline draws over time what records say, the same for the parts of a plan and for the records of a
 * patient. Invariant: what has no day that the record names has no place in it.
 */
import { scaleUtc } from 'd3-scale';
import type { Days, DaySpan } from '../../../core/fhir/timeline/days.ts';
import { isWithin } from './window.ts';

/** Something that takes place once, or several times. */
export interface TimelineItem {
  /** What the one who draws knows it by. */
  readonly key: string;
  readonly label: string;
  readonly status: string;
  /** True if the label negates what it names. */
  readonly negated?: boolean;
  /** Names the lane that it shares with others; each without one has its own. */
  readonly lane: string;
  /** Its times in words, as they are written. */
  readonly when: string;
  readonly spans: readonly DaySpan[];
  /** What is wrong with it, in words; blank where nothing is. */
  readonly warning: string;
}

/** One time of an item, in pixels from the left. */
export interface Bar {
  readonly x: number;
  readonly width: number;
  /** The part that is certain, where a partial date leaves the rest open. */
  readonly certain: { readonly x: number; readonly width: number } | undefined;
  /** Whether it goes on without an end that is named. */
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

export interface PlacedItem {
  readonly item: TimelineItem;
  readonly top: number;
  /** None of a time that is out of sight. */
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
  /** Undefined where today is out of sight. */
  readonly today: number | undefined;
}

export interface LayoutOptions {
  readonly window: Days;
  readonly width: number;
  /** Days since 1970. */
  readonly today: number;
  /** Pixels that a text takes. */
  readonly measure: (text: string) => number;
}

export const rowHeight = 24;
/** Room for the axis above. */
export const axisHeight = 22;
const laneHeight = 20;
/** Room below for the word at today's line. */
const footHeight = 16;
/** Pixels between two items of a row, and between a bar and its label. */
const gap = 6;
const leastWidth = 8;
const tickRoom = 76;
const mostTicks = 12;
/** A label beside a bar of a shared lane keeps others away no further. */
const mostLabel = 180;
const dayLength = 86_400_000;

/** What is written beside or within the bar. */
function wordsOf({ label, status, warning }: TimelineItem): string {
  return [label, status, warning].filter(Boolean).join(' · ');
}

/** Places the items: each in a row of its own, or beside others of its lane where neither covers the other. */
export function layOut(items: readonly TimelineItem[], options: LayoutOptions): Layout {
  const { window, width, today } = options;
  const scale = scaleUtc()
    .domain([window.first * dayLength, (window.last + 1) * dayLength])
    .range([0, width]);
  const at = (day: number) => Math.round(scale(day * dayLength) * 100) / 100;
  const placed = items.map((item) => placeOf(item, at, options));

  const lanes: Lane[] = [];
  const rows: PlacedItem[] = [];
  let top = axisHeight;
  for (const [name, members] of Map.groupBy(placed, ({ item }) => item.lane)) {
    if (name !== '') {
      lanes.push({ name, top });
      top += laneHeight;
    }
    const shared: Placed[][] = [];
    for (const one of members) {
      const free = shared.find((row) => name !== '' && (row.at(-1)?.right ?? 0) + gap <= one.left);
      if (free) free.push(one);
      else shared.push([one]);
    }
    // In the order of the items, which is that of the keys.
    for (const { item, bars, label, ...one } of members) {
      const row = shared.findIndex((those) => those.some((other) => other.item === item));
      const next = shared[row]?.find(({ left }) => left > one.right)?.left ?? width;
      rows.push({ item, bars, label: widened(label, next), top: top + row * rowHeight });
    }
    top += shared.length * rowHeight;
  }
  const now = at(today);
  return {
    width,
    height: top + footHeight,
    ticks: ticksOf(scale, width),
    lanes,
    items: rows,
    today: now < 0 || now > width ? undefined : now,
  };
}

interface Placed extends Omit<PlacedItem, 'top'> {
  /** What the item covers of its row. */
  readonly left: number;
  readonly right: number;
}

/** A label behind its bar, with what is free of the row up to what follows. */
function widened(label: PlacedItem['label'], next: number): PlacedItem['label'] {
  return label.place === 'after' ? { ...label, room: Math.max(label.room, next - gap - label.x) } : label;
}

function placeOf(item: TimelineItem, at: (day: number) => number, options: LayoutOptions): Placed {
  const { window, width, measure } = options;
  const bars = item.spans.filter((span) => isWithin(span, window)).map((span) => barOf(span, at, width));
  const shared = item.lane !== '';
  const wish = Math.ceil(measure(wordsOf(item)));
  const text = shared ? Math.min(wish, mostLabel) : wish;
  const left = Math.min(...bars.map(({ x }) => x));
  const right = Math.max(...bars.map((bar) => bar.x + bar.width));
  if (bars.length === 0) {
    const before = item.spans.some(({ end }) => end && end.last < window.first);
    const x = before ? gap : width - gap;
    const label = { x, room: width - 2 * gap, place: before ? 'after' : 'before' } as const;
    return { item, bars, label, left: before ? 0 : x - text, right: before ? text : width };
  }
  const [first] = bars;
  const wide = bars.length === 1 && first ? first.width - 2 * gap : 0;
  const room = { within: wide, after: width - right - gap, before: left - gap };
  const place =
    (['within', 'after', 'before'] as const).find((one) => room[one] >= text) ??
    (['within', 'after', 'before'] as const).toSorted((one, other) => room[other] - room[one])[0] ??
    'within';
  const x = { within: left + gap, after: right + gap, before: left - gap }[place];
  const taken = place === 'within' ? room.within : Math.min(text, room[place]);
  return {
    item,
    bars,
    label: { x, room: shared ? taken : room[place], place },
    left: place === 'before' ? left - gap - taken : left,
    right: place === 'after' ? right + gap + taken : right,
  };
}

function barOf({ start, end }: DaySpan, at: (day: number) => number, width: number): Bar {
  const cut = (x: number) => Math.min(Math.max(x, 0), width);
  const from = start ? cut(at(start.first)) : 0;
  const to = end ? cut(at(end.last + 1)) : width;
  const size = Math.max(to - from, leastWidth);
  const x = Math.min(from, width - size);
  const surely = { from: start ? cut(at(start.last)) : 0, to: end ? cut(at(end.first + 1)) : width };
  const exact = (!start || start.first === start.last) && (!end || end.first === end.last);
  const sure = surely.to - surely.from;
  return {
    x,
    width: size,
    certain: exact ? { x, width: size } : sure > 0 ? { x: surely.from, width: sure } : undefined,
    openStart: !start,
    openEnd: !end,
  };
}

const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

function ticksOf(scale: ReturnType<typeof scaleUtc<number>>, width: number): Tick[] {
  const dates = datesOf(scale, width);
  return dates.map((date, index) => ({
    x: scale(date),
    // The first says its year, which the others follow.
    label: index === 0 && !isNewYear(date) ? `${tickLabel(date)} ${date.getUTCFullYear()}` : tickLabel(date),
  }));
}

/** Days of the calendar that are far enough apart for their words: what d3 is asked for it takes as a hint. */
function datesOf(scale: ReturnType<typeof scaleUtc<number>>, width: number): Date[] {
  const most = Math.min(mostTicks, Math.max(2, Math.floor(width / tickRoom)));
  for (let count = most; count > 1; count -= 1) {
    const dates = scale.ticks(count).filter((date) => date.getTime() % dayLength === 0);
    if (dates.length <= most) return dates;
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
