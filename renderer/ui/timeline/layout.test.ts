import { expect, test } from 'vitest';
import { daysOf, periodDays, type Days, type DaySpan } from '../../../core/fhir/timeline/days.ts';
import { layOut, rowHeight, type TimelineItem } from './layout.ts';
import { fitOf, windowOf } from './window.ts';

const span = (start: string, end = start): DaySpan => periodDays(start, end) ?? {};
const day = (date: string): number => daysOf(date)?.firstDay ?? NaN;
const days = (firstDay: string, lastDay: string): Days => ({
  firstDay: day(firstDay),
  lastDay: day(lastDay),
});
const today = day('2026-05-20');

function item(label: string, spans: readonly DaySpan[], lane = ''): TimelineItem {
  return { key: label, label, status: '', lane, when: '', spans, warning: '' };
}

/** One pixel per day, from January 1. */
function layOutItems(...items: readonly TimelineItem[]) {
  const window = days('2026-01-01', '2026-12-31');
  return layOut(items, { window, width: 365, today, measure: (text) => text.length * 5 });
}

test('covers the days of a bar, shows single days and extends open ends', () => {
  const [period, singleDay, open, ending] = layOutItems(
    item('a', [span('2026-01-11', '2026-03-31')]),
    item('b', [span('2026-02-01')]),
    item('c', [span('2026-03-02', '')]),
    item('d', [span('', '2026-01-31')]),
  ).items.map(({ bars }) => bars[0]);
  expect(period).toMatchObject({ x: 10, width: 80, openStart: false, openEnd: false });
  expect(period?.certain).toEqual({ x: 10, width: 80 });
  expect(singleDay).toMatchObject({ x: 31, width: 8 });
  expect(open).toMatchObject({ x: 60, width: 305, openEnd: true });
  expect(ending).toMatchObject({ x: 0, width: 31, openStart: true });
});

test('distinguishes certain days of a partial date from possible ones', () => {
  const [withCertainDays, withoutCertainDays] = layOutItems(
    item('a', [span('2026-02', '2026-04')]),
    item('b', [span('2026-02')]),
  ).items.map(({ bars }) => bars[0]);
  expect(withCertainDays).toMatchObject({ x: 31, width: 89, certain: { x: 58, width: 33 } });
  expect(withoutCertainDays).toMatchObject({ x: 31, width: 28, certain: undefined });
});

test('shares the rows of a lane without covering bars or labels', () => {
  expect(layOutItems(item('a', [span('2026-01-01')]), item('b', [span('2026-12-01')])).items).toMatchObject([
    { top: 22 },
    { top: 22 + rowHeight },
  ]);
  const { items, lanes } = layOutItems(
    item('a first plan', [span('2026-01-01', '2026-02-01')], 'Plans'),
    item('covers it', [span('2026-01-15', '2026-02-01')], 'Plans'),
    item('covers its words', [span('2026-02-10')], 'Plans'),
    item('behind', [span('2026-06-01')], 'Plans'),
    item('letter', [span('2026-06-01')], 'Documents'),
  );
  const [firstTop = 0, ...rows] = items.map(({ top }) => top);
  expect(rows.map((top) => (top - firstTop) / rowHeight)).toEqual([1, 2, 0, expect.closeTo(3.83, 1)]);
  expect(lanes.map(({ name }) => name)).toEqual(['Plans', 'Documents']);
});

test('places a label inside, after or before its bar within the room', () => {
  const getLabel = (label: string, time: DaySpan) => layOutItems(item(label, [time])).items[0]?.label;
  expect(getLabel('short', span('2026-01-01', '2026-06-30'))).toMatchObject({ place: 'within', x: 6 });
  expect(getLabel('some more words', span('2026-01-01', '2026-01-10'))).toMatchObject({
    place: 'after',
    x: 16,
  });
  expect(getLabel('some more words', span('2026-12-10'))).toMatchObject({ place: 'before', x: 337 });
  const long = getLabel('x'.repeat(100), span('2026-01-31', '2026-02-09'));
  expect(long).toEqual({ place: 'after', x: 46, room: 319 });
});

test('limits the label outside a bar to the free room in its row', () => {
  const long = 'x'.repeat(60);
  const [wideLabel, outsideLabel] = layOutItems(
    item(long, [span('2026-01-01', '2026-12-01')], 'Plans'),
    item(long, [span('2026-01-01')], 'Plans'),
  ).items.map(({ label }) => label);
  expect(wideLabel).toMatchObject({ place: 'within', room: 323 });
  expect(outsideLabel).toMatchObject({ place: 'after', room: 345 });
  const [firstItem, secondItem] = layOutItems(
    item(long, [span('2026-01-01')], 'Plans'),
    item('x', [span('2026-09-01')], 'Plans'),
  ).items;
  expect(secondItem?.top).toBe(firstItem?.top);
  expect((firstItem?.label.x ?? 0) + (firstItem?.label.room ?? 0)).toBeLessThan(secondItem?.bars[0]?.x ?? 0);
});

test('places the label of an item out of sight at the edge', () => {
  const { items, today: line } = layOutItems(item('a', [span('2020')]), item('b', [span('2030')]));
  expect(items).toMatchObject([
    { bars: [], label: { x: 6, place: 'after' } },
    { bars: [], label: { x: 359, place: 'before' } },
  ]);
  expect(line).toBe(139);
  const window = days('2025-01-01', '2025-12-31');
  expect(layOut([], { window, width: 365, today, measure: () => 0 }).today).toBeUndefined();
});

test('labels the axis with calendar days and the year', () => {
  const labels = (window: Days, width: number) =>
    layOut([], { window, width, today, measure: () => 0 }).ticks.map(({ label }) => label);
  expect(labels(days('2026-03-15', '2026-07-02'), 400)).toEqual(['Apr 2026', 'May', 'Jun', 'Jul']);
  expect(labels(days('2025-11-15', '2026-02-20'), 400)).toEqual(['Dec 2025', '2026', 'Feb']);
  // Close ticks are thinned out.
  const ticks = layOut([], {
    window: days('2026-11-08', '2026-12-08'),
    width: 740,
    today,
    measure: () => 0,
  }).ticks;
  ticks.slice(1).forEach(({ x }, index) => expect(x - (ticks[index]?.x ?? 0)).toBeGreaterThan(70));
  expect(labels(days('1990-01-01', '2026-12-31'), 400)).toContain('2010');
  expect(labels(days('2026-03-01', '2026-03-14'), 2000)[0]).toBe('2 Mar 2026');
});

test('fits all items, and today if it is near or an item is open', () => {
  const contains = (fit: Days | undefined, date: string) =>
    fit !== undefined && fit.firstDay <= day(date) && day(date) <= fit.lastDay;
  const near = fitOf([span('2026-01-01', '2026-04-01')], today);
  expect(contains(near, '2026-05-20')).toBe(true);
  const old = fitOf([span('2015-01-01', '2015-04-01')], today);
  expect(contains(old, '2015-01-01') && contains(old, '2015-04-01')).toBe(true);
  expect(contains(old, '2026-05-20')).toBe(false);
  expect(contains(fitOf([span('2015-01-01', '')], today), '2026-05-20')).toBe(true);
  expect(fitOf([], today)).toBeUndefined();
  // A placeholder for an open end does not shrink everything else.
  const endless = fitOf([span('2026-01-01', '9999-12-31')], today);
  expect(endless && endless.lastDay < day('2030')).toBe(true);
  expect(fitOf([span('1066')], today)?.firstDay).toBeLessThan(day('1066-02'));
});

test('centers a year and a month on the selected day', () => {
  const fit = days('2020-01-01', '2026-01-01');
  expect(windowOf('all', today, fit)).toBe(fit);
  const year = windowOf('year', today, fit);
  expect(year.lastDay - year.firstDay + 1).toBe(365);
  expect((year.firstDay + year.lastDay) / 2).toBeCloseTo(today, -1);
  expect(windowOf('month', today, fit)).toEqual({ firstDay: today - 15, lastDay: today + 15 });
});
