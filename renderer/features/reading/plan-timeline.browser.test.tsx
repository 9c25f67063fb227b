import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { scan } from '../../../core/json/scan.ts';
import { planTimes } from '../../../core/fhir/timeline/plan-times.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import { PlanTimeline } from './plan-timeline.tsx';

const figure = page.getByRole('figure', { name: text.timeline.name });
const bar = (name: string | RegExp) => figure.getByRole('button', { name });
const year = new Date().getFullYear();

const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  period: { start: `${year}-01-01`, end: `${year}-12-31` },
  activity: [
    {
      detail: {
        code: { text: 'Walk' },
        status: 'in-progress',
        scheduledPeriod: { start: `${year}-02-01`, end: `${year}-03-01` },
      },
    },
    { detail: { code: { text: 'Foot check' }, scheduledPeriod: { start: `${year + 1}-08-02` } } },
    { detail: { code: { text: 'Diary' }, status: 'scheduled', scheduledString: 'each morning' } },
    { reference: { display: 'Blood count' } },
  ],
};

async function drawn(record: unknown): Promise<string[]> {
  const wanted: string[] = [];
  await startServer();
  const times = planTimes(scan(JSON.stringify(record)).root, localDay());
  await show(<PlanTimeline times={times} onWant={(pointer) => wanted.push(pointer)} />);
  return wanted;
}

test('a plan is a bar with its activities beneath at their times; what has no time is named and has no place', async () => {
  const wanted = await drawn(plan);
  await expect.element(bar(`Plan, active, ${year}-01-01 – ${year}-12-31`)).toBeVisible();
  await expect.element(bar(/^Walk, in-progress/)).toBeVisible();
  await expect.element(bar(/^Foot check.*open, outside the plan’s period$/)).toBeVisible();
  const left = (name: RegExp) => bar(name).element().querySelector('path')?.getBoundingClientRect().left ?? 0;
  expect(left(/^Plan/)).toBeLessThan(left(/^Walk/));
  expect(left(/^Walk/)).toBeLessThan(left(/^Foot check/));
  const items = figure.getByRole('listitem');
  await expect.element(items.first()).toMatchTextContent(/Diary.*scheduled.*each morning/);
  await expect.element(items.last()).toMatchTextContent('Blood count');
  expect(figure.element().querySelectorAll('path')).toHaveLength(3);
  await bar(/^Walk/).click();
  await figure.getByRole('button', { name: 'Blood count' }).click();
  expect(wanted).toEqual(['/activity/0', '/activity/3']);
});

test('keys move between bars, zoom, and go to the element; who does not see the bars has a table', async () => {
  const wanted = await drawn(plan);
  await expect.element(bar(/^Plan/)).toBeVisible();
  (bar(/^Plan/).element() as SVGElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(bar(/^Walk/)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('{End}');
  await expect.element(bar(/^Foot check/)).toHaveFocus();
  await userEvent.keyboard(' ');
  expect(wanted).toEqual(['/activity/0', '/activity/1']);

  const pressed = () =>
    figure.getByRole('button', { pressed: true, includeHidden: false }).element().textContent;
  expect(pressed()).toBe('All');
  await userEvent.keyboard('+');
  await expect.poll(pressed).toBe('Year');
  await userEvent.keyboard('+');
  await expect.poll(pressed).toBe('Month');
  await expect
    .element(figure)
    .toMatchTextContent(text.timeline.inSight(`${year + 1}-07-18`, `${year + 1}-08-17`));
  // A time that is out of sight comes into it.
  await userEvent.keyboard('{Home}{ArrowDown}');
  await expect.element(figure).toMatchTextContent(text.timeline.inSight(`${year}-01-17`, `${year}-02-16`));
  await userEvent.keyboard('-');
  await expect.poll(pressed).toBe('Year');
  await figure.getByRole('button', { name: 'Month' }).click();
  await figure.getByRole('button', { name: 'Today' }).click();
  await expect.poll(() => figure.element().textContent).toContain(localDay().slice(0, 4));
  // Also where other days were chosen before.
  (bar(/^Plan/).element() as SVGElement).focus();
  await userEvent.keyboard('{End}');
  await expect
    .element(figure)
    .toMatchTextContent(text.timeline.inSight(`${year + 1}-07-18`, `${year + 1}-08-17`));
  await expect.poll(() => figure.element().querySelectorAll('line[x1]').length).toBeGreaterThan(2);

  const rows = figure.getByRole('table', { name: text.timeline.table }).getByRole('row');
  await expect
    .poll(() => rows.elements().map((row) => row.children[1]?.textContent))
    .toEqual(['What', 'Plan', 'Walk', 'Foot check']);
});

test('days that a date leaves open are drawn lighter, beside those that are certain; what is wrong is said behind the status', async () => {
  const within = { start: `${year}-02`, end: `${year}-04` };
  const walk = { code: { text: 'Walk' }, status: 'in-progress', scheduledPeriod: within };
  const day = { code: { text: 'Visit' }, scheduledPeriod: { start: `${year}-03-01`, end: `${year}-03-09` } };
  const late = {
    code: { text: 'Late' },
    status: 'scheduled',
    scheduledPeriod: { start: `${year + 1}-02-01` },
  };
  const unsaid = { ...late, code: { text: 'Unsaid' }, status: undefined };
  await drawn({ ...plan, activity: [walk, day, late, unsaid].map((detail) => ({ detail })) });
  await expect.element(bar(/^Walk/)).toBeVisible();
  const shapes = (name: RegExp) => bar(name).element().querySelectorAll<SVGElement>('path, path ~ rect');
  const [whole, certain] = shapes(/^Walk/);
  expect(whole?.dataset.partial).toBe('true');
  const [outer, inner] = [whole, certain].map((one) => one?.getBoundingClientRect());
  expect(inner?.left).toBeGreaterThan(outer?.left ?? Infinity);
  expect(inner?.right).toBeLessThan(outer?.right ?? 0);
  const exact = shapes(/^Visit/);
  expect(exact).toHaveLength(1);
  expect(exact[0]?.dataset.partial).toBeUndefined();
  const outside = text.timeline.outside.wholly;
  const written = (name: RegExp) => bar(name).element().querySelector('text')?.textContent;
  expect(written(/^Late/)).toMatch(new RegExp(`^Late scheduled · ${outside}`));
  expect(written(/^Unsaid/)).toMatch(new RegExp(`^Unsaid ${outside}`));
});

test('a plan without a time says so, and one with its period alone still shows what is to be done', async () => {
  await drawn({ resourceType: 'CarePlan', status: 'active', activity: plan.activity.slice(2, 3) });
  await expect.element(figure).toMatchTextContent(text.timeline.noPeriod);
  await expect.element(figure).toMatchTextContent('Diary');
  await expect.element(figure.getByRole('group')).not.toBeInTheDocument();
});

test('a period that cannot be read is told as it is written', async () => {
  await drawn({ ...plan, period: { start: 'soon' } });
  await expect.element(figure).toMatchTextContent(text.timeline.unreadPeriod('soon – open'));
  await expect.element(bar(/^Walk/)).toBeVisible();
});
