import { expect, test } from 'vitest';
import { daysOf, periodDays, type Days, type DaySpan } from '../../../core/fhir/timeline/days.ts';
import { layOut, rowHeight, type TimelineItem } from './layout.ts';
import { fitOf, windowOf } from './window.ts';

const span = (start: string, end = start): DaySpan => periodDays(start, end) ?? {};
const day = (written: string): number => daysOf(written)?.first ?? NaN;
const days = (first: string, last: string): Days => ({ first: day(first), last: day(last) });
const today = day('2026-05-20');

function item(label: string, spans: readonly DaySpan[], lane = ''): TimelineItem {
  return { key: label, label, status: '', lane, when: '', spans, warning: '' };
}

/** A pixel a day, from the first of January on. */
function drawn(...items: readonly TimelineItem[]) {
  const window = days('2026-01-01', '2026-12-31');
  return layOut(items, { window, width: 365, today, measure: (text) => text.length * 5 });
}

test('a bar covers its days, a single day is still seen, and what goes on reaches the edge', () => {
  const [period, once, open, ending] = drawn(
    item('a', [span('2026-01-11', '2026-03-31')]),
    item('b', [span('2026-02-01')]),
    item('c', [span('2026-03-02', '')]),
    item('d', [span('', '2026-01-31')]),
  ).items.map(({ bars }) => bars[0]);
  expect(period).toMatchObject({ x: 10, width: 80, openStart: false, openEnd: false });
  expect(period?.certain).toEqual({ x: 10, width: 80 });
  expect(once).toMatchObject({ x: 31, width: 8 });
  expect(open).toMatchObject({ x: 60, width: 305, openEnd: true });
  expect(ending).toMatchObject({ x: 0, width: 31, openStart: true });
});

test('of a partial date the days that are certain are told from those that it may mean', () => {
  const [some, none] = drawn(item('a', [span('2026-02', '2026-04')]), item('b', [span('2026-02')])).items.map(
    ({ bars }) => bars[0],
  );
  expect(some).toMatchObject({ x: 31, width: 89, certain: { x: 58, width: 33 } });
  expect(none).toMatchObject({ x: 31, width: 28, certain: undefined });
});

test('each without a lane has a row; in a lane one begins a row only where it would cover another or its words', () => {
  expect(drawn(item('a', [span('2026-01-01')]), item('b', [span('2026-12-01')])).items).toMatchObject([
    { top: 22 },
    { top: 22 + rowHeight },
  ]);
  const { items, lanes } = drawn(
    item('a first plan', [span('2026-01-01', '2026-02-01')], 'Plans'),
    item('covers it', [span('2026-01-15', '2026-02-01')], 'Plans'),
    item('covers its words', [span('2026-02-10')], 'Plans'),
    item('behind', [span('2026-06-01')], 'Plans'),
    item('letter', [span('2026-06-01')], 'Documents'),
  );
  const [first = 0, ...rows] = items.map(({ top }) => top);
  expect(rows.map((top) => (top - first) / rowHeight)).toEqual([1, 2, 0, expect.closeTo(3.83, 1)]);
  expect(lanes.map(({ name }) => name)).toEqual(['Plans', 'Documents']);
});

test('words stand within the bar, else behind it, else before it, and take no more room than there is', () => {
  const placeOf = (label: string, time: DaySpan) => drawn(item(label, [time])).items[0]?.label;
  expect(placeOf('short', span('2026-01-01', '2026-06-30'))).toMatchObject({ place: 'within', x: 6 });
  expect(placeOf('some more words', span('2026-01-01', '2026-01-10'))).toMatchObject({
    place: 'after',
    x: 16,
  });
  expect(placeOf('some more words', span('2026-12-10'))).toMatchObject({ place: 'before', x: 337 });
  const long = placeOf('x'.repeat(100), span('2026-01-31', '2026-02-09'));
  expect(long).toEqual({ place: 'after', x: 46, room: 319 });
});

test('in a lane words beside a bar have what is free of their row, words within it all of it', () => {
  const long = 'x'.repeat(60);
  const [wide, alone] = drawn(
    item(long, [span('2026-01-01', '2026-12-01')], 'Plans'),
    item(long, [span('2026-01-01')], 'Plans'),
  ).items.map(({ label }) => label);
  expect(wide).toMatchObject({ place: 'within', room: 323 });
  expect(alone).toMatchObject({ place: 'after', room: 345 });
  const [first, second] = drawn(
    item(long, [span('2026-01-01')], 'Plans'),
    item('x', [span('2026-09-01')], 'Plans'),
  ).items;
  expect(second?.top).toBe(first?.top);
  expect((first?.label.x ?? 0) + (first?.label.room ?? 0)).toBeLessThan(second?.bars[0]?.x ?? 0);
});

test('what is out of sight has no bar, and its words stand at the edge beyond which it lies', () => {
  const { items, today: line } = drawn(item('a', [span('2020')]), item('b', [span('2030')]));
  expect(items).toMatchObject([
    { bars: [], label: { x: 6, place: 'after' } },
    { bars: [], label: { x: 359, place: 'before' } },
  ]);
  expect(line).toBe(139);
  const window = days('2025-01-01', '2025-12-31');
  expect(layOut([], { window, width: 365, today, measure: () => 0 }).today).toBeUndefined();
});

test('the axis has days of the calendar and says the year', () => {
  const labels = (window: Days, width: number) =>
    layOut([], { window, width, today, measure: () => 0 }).ticks.map(({ label }) => label);
  expect(labels(days('2026-03-15', '2026-07-02'), 400)).toEqual(['Apr 2026', 'May', 'Jun', 'Jul']);
  expect(labels(days('2025-11-15', '2026-02-20'), 400)).toEqual(['Dec 2025', '2026', 'Feb']);
  // What is near each other is thinned out.
  const ticks = layOut([], {
    window: days('2026-11-08', '2026-12-08'),
    width: 740,
    today,
    measure: () => 0,
  }).ticks;
  ticks.slice(1).forEach(({ x }, at) => expect(x - (ticks[at]?.x ?? 0)).toBeGreaterThan(70));
  expect(labels(days('1990-01-01', '2026-12-31'), 400)).toContain('2010');
  expect(labels(days('2026-03-01', '2026-03-14'), 2000)[0]).toBe('2 Mar 2026');
});

test('all that takes place is in sight, with today where that is near or what is open reaches it', () => {
  const reach = (fit: Days | undefined, written: string) =>
    fit !== undefined && fit.first <= day(written) && day(written) <= fit.last;
  const near = fitOf([span('2026-01-01', '2026-04-01')], today);
  expect(reach(near, '2026-05-20')).toBe(true);
  const old = fitOf([span('2015-01-01', '2015-04-01')], today);
  expect(reach(old, '2015-01-01') && reach(old, '2015-04-01')).toBe(true);
  expect(reach(old, '2026-05-20')).toBe(false);
  expect(reach(fitOf([span('2015-01-01', '')], today), '2026-05-20')).toBe(true);
  expect(fitOf([], today)).toBeUndefined();
  // An end that only stands for none does not make a day of everything else.
  const endless = fitOf([span('2026-01-01', '9999-12-31')], today);
  expect(endless && endless.last < day('2030')).toBe(true);
  expect(fitOf([span('1066')], today)?.first).toBeLessThan(day('1066-02'));
});

test('a year and a month lie around the day that was chosen', () => {
  const fit = days('2020-01-01', '2026-01-01');
  expect(windowOf('all', today, fit)).toBe(fit);
  const year = windowOf('year', today, fit);
  expect(year.last - year.first + 1).toBe(365);
  expect((year.first + year.last) / 2).toBeCloseTo(today, -1);
  expect(windowOf('month', today, fit)).toEqual({ first: today - 15, last: today + 15 });
});
