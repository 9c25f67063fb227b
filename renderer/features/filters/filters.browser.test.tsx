import { useEffect } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { facetNames } from '../../../core/fhir/facet.ts';
import { renderFilters } from '../../app/search-host.tsx';
import {
  useWorkbenchActions,
  WorkbenchActionsContext,
  type RuleToList,
} from '../../platform/workbench-actions.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { SearchView } from '../search/search-view.tsx';
import { useSearch } from '../search/use-search.ts';

beforeEach(startServer);

async function storePlan(members: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/17' },
    ...members,
  };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
}

interface FindProps {
  /** Initial search, as in a reopened tab. */
  readonly initialQuery?: SearchQuery;
  readonly width?: number;
  readonly onRule?: (rule: RuleToList) => void;
}

function Find({ initialQuery, width = 1300, onRule = () => undefined }: FindProps) {
  const search = useSearch();
  useEffect(() => {
    if (initialQuery) search.run(initialQuery);
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <WorkbenchActionsContext
      value={{
        ...useWorkbenchActions(),
        worklistOf: (selection) => 'rule' in selection && onRule(selection),
      }}
    >
      <div style={{ display: 'flex', flexDirection: 'column', width, height: 700 }}>
        <SearchView search={search} isActive onFront={() => undefined} narrow={renderFilters} />
      </div>
    </WorkbenchActionsContext>
  );
}

const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }));
const region = () => page.getByRole('region', { name: text.filters.name });
const group = (name: string) => region().getByRole('group', { name, exact: true });
const value = (name: string) => region().getByRole('checkbox', { name, exact: true });
const row = (title: string) => page.getByRole('gridcell', { name: title, exact: true });

async function storeThree(): Promise<void> {
  await storePlan({
    title: 'Walking',
    category: [{ text: 'Exercise', coding: [{ system: 's:c', code: 'x' }] }],
  });
  await storePlan({ title: 'Resting', status: 'completed' });
  await storePlan({ title: 'Waiting', status: 'on-hold' });
}

test('filters by a value, adds a second value as an alternative and removes both by chips', async () => {
  await storeThree();
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(value('active 1')).toBeVisible();
  await userEvent.click(value('active 1'));
  await expect.element(row('Resting')).not.toBeInTheDocument();
  await expect.element(row('Walking')).toBeVisible();
  await expect.element(value('active 1')).toHaveAttribute('aria-checked', 'true');

  await userEvent.click(value('completed 1'));
  await expect.element(row('Resting')).toBeVisible();
  await expect.element(row('Waiting')).not.toBeInTheDocument();

  await press(text.filters.remove('active'));
  await expect.element(row('Walking')).not.toBeInTheDocument();
  await userEvent.click(value('completed 1'));
  await expect.element(row('Waiting')).toBeVisible();
  await expect.element(value('completed 1')).toHaveAttribute('aria-checked', 'false');
});

test('hides facets without values and shows system and code of a value', async () => {
  await storeThree();
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(value('Exercise 1')).toHaveAttribute('title', 'Exercise\ns:c|x');
  await expect.element(group('Intent')).toBeVisible();
  await expect.element(region().getByRole('img')).not.toBeInTheDocument();
  expect(group('Profile').elements()).toEqual([]);
});

test('keeps a selected value that no match has any more, with a way to remove it', async () => {
  await storeThree();
  await show(<Find />);
  await press(text.search.submit);
  await userEvent.click(value('Exercise 1'));
  await expect.element(row('Resting')).not.toBeInTheDocument();
  await userEvent.click(value('active 1'));
  await expect.element(value('Exercise 1')).toHaveAttribute('aria-checked', 'true');
  await userEvent.fill(page.getByRole('textbox', { name: text.search.patient }), '18');
  await press(text.search.submit);
  await expect.element(value('x 0')).toHaveAttribute('aria-checked', 'true');
  await press(text.filters.clear);
  await expect.element(region().getByRole('checkbox')).not.toBeInTheDocument();
});

test('lists months by year, latest first', async () => {
  await storePlan({ title: 'Early', period: { start: '2024-12-10', end: '2025-01-10' } });
  await storePlan({ title: 'Late', period: { start: '2025-03-01', end: '2025-03-02' } });
  await show(<Find />);
  await press(text.search.submit);
  const year = (name: string) => group('Date').getByRole('button', { name });
  await expect.element(year('2025')).toBeVisible();
  expect(
    group('Date')
      .getByRole('button')
      .elements()
      .map((button) => button.textContent),
  ).toEqual(['2025', '2024']);
  await userEvent.click(year('2025'));
  expect(
    group('Date')
      .getByRole('checkbox')
      .elements()
      .map((checkbox) => checkbox.textContent),
  ).toEqual(['2025-031', '2025-011']);
  await userEvent.click(value('2025-01 1'));
  await expect.element(row('Late')).not.toBeInTheDocument();
  await expect.element(row('Early')).toBeVisible();
});

test('loads further values beyond the first ten', async () => {
  for (let index = 1; index <= 12; index += 1) {
    await storePlan({ category: [{ coding: [{ code: `kind-${index}` }] }] });
  }
  await show(<Find />);
  await press(text.search.submit);
  await expect.poll(() => group('Category').getByRole('checkbox').elements().length).toBe(10);
  await press(text.filters.more(2, 'Category'));
  await expect.poll(() => group('Category').getByRole('checkbox').elements().length).toBe(12);
  expect(page.getByRole('button', { name: /more for Category/ }).elements()).toEqual([]);
});

test('keeps the name of a value beyond the first ten when the search is reopened', async () => {
  for (let index = 1; index <= 12; index += 1) {
    const coding = { system: 's:c', code: `c${index}`, display: `Kind ${index}` };
    for (let copy = index; copy <= 12; copy += 1) await storePlan({ category: [{ coding: [coding] }] });
  }
  await show(<Find initialQuery={{ type: 'CarePlan', pairs: [['category', 's:c|c12']] }} />);
  await expect.element(region().getByRole('button', { name: text.filters.remove('Kind 12') })).toBeVisible();
  await expect.element(value('Kind 12')).toHaveAttribute('aria-checked', 'true');
});

test('moves through a group by arrow keys and selects with Enter and Space', async () => {
  await storeThree();
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(value('active 1')).toBeVisible();
  const listBoxes = () => group('Status').getByRole('checkbox').elements();
  const [firstBox, secondBox] = listBoxes();
  (firstBox as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(secondBox);
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.poll(() => listBoxes()[0]?.getAttribute('aria-checked')).toBe('true');
  await userEvent.keyboard(' ');
  await expect.poll(() => listBoxes()[0]?.getAttribute('aria-checked')).toBe('false');
});

test('opens the worklist with the rule of a finding', async () => {
  await storePlan({ period: { start: '2020-01-01', end: '2020-02-01' } });
  const openedRules: RuleToList[] = [];
  await show(<Find onRule={(rule) => openedRules.push(rule)} />);
  await press(text.search.submit);
  await userEvent.click(group('Issues').getByRole('button').first());
  await expect.poll(() => openedRules).toEqual([{ type: 'CarePlan', rule: expect.any(String) as string }]);
});

test('shows rows while values are counted, and reports and retries a failed count', async () => {
  await storeThree();
  const [firstFacet = ''] = facetNames('CarePlan');
  let answer: 'waits' | 500 | undefined = 'waits';
  let requestCount = 0;
  answerWith({
    [`GET /app/facets/CarePlan/${firstFacet}`]: () => {
      requestCount += 1;
      return answer;
    },
  });
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(row('Walking')).toBeVisible();
  await expect.element(region().getByRole('img', { name: text.filters.counting('Status') })).toBeVisible();
  await expect.poll(() => requestCount).toBe(1);
  answer = 500;
  await press(text.search.submit);
  await expect.poll(() => requestCount).toBe(2);
  await expect.element(region().getByText(text.filters.failed('Status'), { exact: false })).toBeVisible();
  answer = undefined;
  await userEvent.click(region().getByRole('button', { name: text.failure.retry }));
  await expect.element(value('active 1')).toBeVisible();
});

test('keeps the panel hidden once closed, and overlays it on request if the window is narrow', async () => {
  await storeThree();
  const view = await show(<Find />);
  await press(text.search.submit);
  await press(text.filters.hide);
  await expect.element(region()).not.toBeInTheDocument();
  await expect
    .poll(
      async () => ((await (await send('GET', '/app/preferences')).json()) as { filters: boolean }).filters,
    )
    .toBe(false);
  await view.rerender(<Find width={800} />);
  await press(text.filters.show(0));
  await expect.element(value('active 1')).toBeVisible();
  await press(text.filters.hide);
  await expect.element(region()).not.toBeInTheDocument();
});

test('filters by recent updates and ended periods, one day at a time', async () => {
  const { days } = text.filters;
  await storePlan({ title: 'Over', period: { start: '2020-01-01', end: '2020-02-01' } });
  await storePlan({ title: 'Open', period: { start: '2020-01-01' } });
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(row('Open')).toBeVisible();
  await press(days.ended);
  await expect.element(row('Open')).not.toBeInTheDocument();
  await expect.element(row('Over')).toBeVisible();
  await press(days.yesterday);
  await press(days.today);
  const pressed = () => region().getByRole('button', { pressed: true }).elements();
  await expect.poll(() => pressed().map((button) => button.textContent)).toEqual([days.ended, days.today]);
  await expect.element(row('Over')).toBeVisible();
  await press(days.ended);
  await expect.element(row('Open')).toBeVisible();
});

test('labels the chip of a search from elsewhere with the display of its code', async () => {
  await storeThree();
  await show(<Find initialQuery={{ type: 'CarePlan', pairs: [['category', 's:c|x']] }} />);
  await expect.element(region().getByRole('button', { name: text.filters.remove('Exercise') })).toBeVisible();
});
