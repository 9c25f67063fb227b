import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { scan } from '../../../core/json/scan.ts';
import { planTimes } from '../../../core/fhir/timeline/plan-times.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import { PlanTimeline } from './plan-parts.tsx';

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

async function renderTimeline(record: unknown): Promise<string[]> {
  const openedPointers: string[] = [];
  await startServer();
  const times = planTimes(scan(JSON.stringify(record)).root, localDay());
  await show(<PlanTimeline times={times} onWant={(pointer) => openedPointers.push(pointer)} />);
  return openedPointers;
}

test('draws the plan and its activities as bars and names activities without a time', async () => {
  const openedPointers = await renderTimeline(plan);
  await expect.element(bar(`Plan, active, ${year}-01-01 – ${year}-12-31`)).toBeVisible();
  await expect.element(bar(/^Walk, in-progress/)).toBeVisible();
  await expect.element(bar(/^Foot check, outside the plan’s period, since /)).toBeVisible();
  const leftEdge = (name: RegExp) =>
    bar(name).element().querySelector('path')?.getBoundingClientRect().left ?? 0;
  expect(leftEdge(/^Plan/)).toBeLessThan(leftEdge(/^Walk/));
  expect(leftEdge(/^Walk/)).toBeLessThan(leftEdge(/^Foot check/));
  const items = figure.getByRole('listitem');
  await expect.element(items.first()).toMatchTextContent(/Diary.*scheduled.*each morning/);
  await expect.element(items.last()).toMatchTextContent('Blood count');
  expect(figure.element().querySelectorAll('path')).toHaveLength(3);
  await bar(/^Walk/).click();
  await figure.getByRole('button', { name: 'Blood count' }).click();
  expect(openedPointers).toEqual(['/activity/0', '/activity/3']);
});

test('moves, zooms and opens bars with keys, and lists them in a table', async () => {
  const openedPointers = await renderTimeline(plan);
  await expect.element(bar(/^Plan/)).toBeVisible();
  (bar(/^Plan/).element() as SVGElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(bar(/^Walk/)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('{End}');
  await expect.element(bar(/^Foot check/)).toHaveFocus();
  await userEvent.keyboard(' ');
  expect(openedPointers).toEqual(['/activity/0', '/activity/1']);

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
  // A bar outside the visible range scrolls into it.
  await userEvent.keyboard('{Home}{ArrowDown}');
  await expect.element(figure).toMatchTextContent(text.timeline.inSight(`${year}-01-17`, `${year}-02-16`));
  await userEvent.keyboard('-');
  await expect.poll(pressed).toBe('Year');
  await figure.getByRole('button', { name: 'Month' }).click();
  await figure.getByRole('button', { name: 'Today' }).click();
  await expect.poll(() => figure.element().textContent).toContain(localDay().slice(0, 4));
  // Also after another range was selected.
  (bar(/^Plan/).element() as SVGElement).focus();
  await userEvent.keyboard('{End}');
  await expect
    .element(figure)
    .toMatchTextContent(text.timeline.inSight(`${year + 1}-07-18`, `${year + 1}-08-17`));
  await expect.poll(() => figure.element().querySelectorAll('line[x1]').length).toBeGreaterThan(2);

  const rows = figure.getByRole('table', { name: text.timeline.table }).getByRole('row');
  await expect
    .poll(() => rows.elements().map((row) => row.children[1]?.textContent))
    .toEqual([text.timeline.columns.what, 'Plan', 'Walk', 'Foot check']);
});

test('draws uncertain days lighter and names the problem after the status', async () => {
  const period = { start: `${year}-02`, end: `${year}-04` };
  const walk = { code: { text: 'Walk' }, status: 'in-progress', scheduledPeriod: period };
  const day = { code: { text: 'Visit' }, scheduledPeriod: { start: `${year}-03-01`, end: `${year}-03-09` } };
  const late = {
    code: { text: 'Late' },
    status: 'scheduled',
    scheduledPeriod: { start: `${year + 1}-02-01` },
  };
  const withoutStatus = { ...late, code: { text: 'Unsaid' }, status: undefined };
  await renderTimeline({ ...plan, activity: [walk, day, late, withoutStatus].map((detail) => ({ detail })) });
  await expect.element(bar(/^Walk/)).toBeVisible();
  const shapes = (name: RegExp) => bar(name).element().querySelectorAll<SVGElement>('path, path ~ rect');
  const [outerShape, innerShape] = shapes(/^Walk/);
  expect(outerShape?.dataset.partial).toBe('true');
  const [outerBox, innerBox] = [outerShape, innerShape].map((shape) => shape?.getBoundingClientRect());
  expect(innerBox?.left).toBeGreaterThan(outerBox?.left ?? Infinity);
  expect(innerBox?.right).toBeLessThan(outerBox?.right ?? 0);
  const exact = shapes(/^Visit/);
  expect(exact).toHaveLength(1);
  expect(exact[0]?.dataset.partial).toBeUndefined();
  const outside = text.timeline.outside.wholly;
  const barText = (name: RegExp) => bar(name).element().querySelector('foreignObject')?.textContent;
  expect(barText(/^Late/)).toMatch(new RegExp(`^Late scheduled · ${outside}`));
  expect(barText(/^Unsaid/)).toMatch(new RegExp(`^Unsaid ${outside}`));
});

test('reports a plan without a time and still lists its activities', async () => {
  await renderTimeline({ resourceType: 'CarePlan', status: 'active', activity: plan.activity.slice(2, 3) });
  await expect.element(figure).toMatchTextContent(text.timeline.noPeriod);
  await expect.element(figure).toMatchTextContent('Diary');
  await expect.element(figure.getByRole('group')).not.toBeInTheDocument();
});

test('shows the text of an invalid period', async () => {
  await renderTimeline({ ...plan, period: { start: 'soon' } });
  await expect.element(figure).toMatchTextContent(text.timeline.unreadPeriod(text.timeline.from('soon')));
  await expect.element(bar(/^Walk/)).toBeVisible();
});
