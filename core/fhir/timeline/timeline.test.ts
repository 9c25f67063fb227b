import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { daysOf, outsideOf, periodDays, reachOf } from './days.ts';
import { planTimes, recordTime } from './plan-times.ts';

const day = (dateText: string) => Date.parse(`${dateText}T00:00:00Z`) / 86_400_000;
const days = (firstDate: string, lastDate = firstDate) => ({
  firstDay: day(firstDate),
  lastDay: day(lastDate),
});

test('reads a partial date as all its days, and a time as the written day', () => {
  expect(daysOf('2024')).toEqual(days('2024-01-01', '2024-12-31'));
  expect(daysOf('2024-02')).toEqual(days('2024-02-01', '2024-02-29'));
  expect(daysOf('2024-02-29')).toEqual(days('2024-02-29'));
  // Late in the evening of New York is the next day in UTC; it was written on the third.
  expect(daysOf('2024-01-03T22:30:00-05:00')).toEqual(days('2024-01-03'));
  expect(daysOf('1969-12-31')).toEqual({ firstDay: -1, lastDay: -1 });
  for (const wrong of ['', '2023-02-29', '2024-13', 'soon', '03.01.2024'])
    expect(daysOf(wrong)).toBeUndefined();
});

test('reads a period without end as open, and an invalid one as no days', () => {
  expect(periodDays('2024', '')).toEqual({ start: days('2024-01-01', '2024-12-31') });
  expect(periodDays('', '2024-03-01')).toEqual({ end: days('2024-03-01') });
  expect(periodDays('2024-03', '2024')).toEqual({
    start: days('2024-03-01', '2024-03-31'),
    end: days('2024-01-01', '2024-12-31'),
  });
  expect(periodDays('', '')).toBeUndefined();
  expect(periodDays('2024-03-01', 'later')).toBeUndefined();
  expect(periodDays('2024-03-01', '2024-02-29')).toBeUndefined();
  expect(reachOf([{}, { start: days('2024-03-01') }, { end: days('2023-01-01') }])).toEqual(
    days('2023-01-01', '2024-03-01'),
  );
  expect(reachOf([{}])).toBeUndefined();
});

test('marks only times that are certainly outside a period', () => {
  const planSpan = periodDays('2024-03-01', '2024-05-31') ?? {};
  const outside = (start: string, end: string) => outsideOf(periodDays(start, end) ?? {}, planSpan);
  expect(outside('2024-03-01', '2024-05-31')).toBeUndefined();
  expect(outside('2024', '2024')).toBeUndefined();
  expect(outside('2024-03-01', '')).toBeUndefined();
  expect(outside('2024-02-29', '2024-04-01')).toBe('partly');
  expect(outside('2024-04-01', '2024-06-01')).toBe('partly');
  expect(outside('2024-06-01', '2024-06-02')).toBe('wholly');
  expect(outside('', '2024-02')).toBe('wholly');
  expect(outsideOf(periodDays('2025', '2025') ?? {}, periodDays('2024', '') ?? {})).toBeUndefined();
});

test('returns the times of a plan and of its activities', () => {
  const plan = (record: unknown) => planTimes(scan(JSON.stringify(record)).root, '2024-04-01');
  const { plan: planPart, activities } = plan({
    resourceType: 'CarePlan',
    status: 'active',
    title: 'Diabetes',
    period: { start: '2024-03-01', end: '2024-05-31' },
    activity: [
      {
        detail: {
          code: { text: 'Diary' },
          status: 'in-progress',
          scheduledPeriod: { start: '2024-03-02', end: '2024-04' },
        },
      },
      { detail: { code: { text: 'Foot check' }, scheduledTiming: { event: ['2024-04-01', '2024-08-02'] } } },
      { detail: { description: 'Walk', scheduledString: 'each morning' } },
      { detail: { description: 'Late', scheduledTiming: { repeat: { boundsPeriod: { start: '2025' } } } } },
      { reference: { reference: 'ServiceRequest/1', display: 'HbA1c' } },
      { detail: { description: 'Backwards', scheduledPeriod: { start: '2024-04-02', end: '2024-04-01' } } },
    ],
  });
  expect(planPart).toMatchObject({ title: 'Diabetes', status: 'active', pointer: '/period' });
  expect(planPart.times).toHaveLength(1);
  expect(activities).toMatchObject([
    { title: 'Diary', status: 'in-progress', pointer: '/activity/0' },
    { title: 'Foot check', outside: 'partly', times: [{ start: '2024-04-01' }, { start: '2024-08-02' }] },
    { title: 'Walk', times: [], schedule: 'each morning' },
    { title: 'Late', outside: 'wholly', times: [{ start: '2025', end: '' }] },
    { title: 'HbA1c', times: [] },
    { title: 'Backwards', times: [{ end: '2024-04-01', span: undefined }] },
  ]);
  expect(activities[0]).not.toHaveProperty('outside');
  expect(plan({ activity: [{}, 'none', null] }).activities).toHaveLength(3);
  expect(plan({ resourceType: 'CarePlan', period: { start: 4 } }).plan.times).toEqual([]);
});

test('places a record by its period, otherwise by its first date', () => {
  const time = (record: object) => recordTime(scan(JSON.stringify(record)).root);
  const plan = { resourceType: 'CarePlan', created: '2024-02-01' };
  expect(time({ ...plan, period: { start: '2024-03-01' } })).toEqual({
    start: '2024-03-01',
    end: '',
    span: { start: days('2024-03-01') },
  });
  expect(time({ ...plan, period: { end: '2024' } })).toMatchObject({ start: '', end: '2024' });
  expect(time(plan)).toMatchObject({ start: '2024-02-01', end: '2024-02-01' });
  const letter = { resourceType: 'Composition', date: '2024-03-01T10:00:00Z' };
  expect(time(letter)?.span).toEqual({ start: days('2024-03-01'), end: days('2024-03-01') });
  expect(time({ ...letter, date: 'soon' })).toEqual({ start: 'soon', end: 'soon', span: undefined });
  expect(time({ resourceType: 'Composition' })).toBeUndefined();
  expect(time({ resourceType: 'Patient', birthDate: '2024' })).toBeUndefined();
});
