import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { readPreferences } from '../../../core/app/preferences.ts';
import { QualityOverview } from '../../../core/app/quality.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { QualityView } from './quality-view.tsx';

const words = text.quality.measures;

const plan = (title: string, patient: string) =>
  JSON.stringify({
    ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', title },
    ...{ period: { start: '2020-01-01', end: '2020-02-01' }, subject: { reference: `Patient/${patient}` } },
  });

test('a threshold that is changed colours what was measured, at once and in the list of the rules', async () => {
  await startServer();
  for (const title of ['One', 'Two']) await send('POST', '/fhir-r4/v1/CarePlan', plan(title, 'p'));
  await show(<QualityView front runs={null} />);
  await page.getByRole('button', { name: words.open }).click();
  const row = page.getByRole('table', { name: words.table, exact: true }).getByRole('row', { name: /open/ });
  await expect.element(row).toMatchTextContent('2 of 2');
  await expect.element(row).toMatchTextContent('+2');
  const bound = (name: string) => row.getByRole('textbox', { name: new RegExp(`^${name}`) });
  await bound(words.columns.warnAbove).fill('1');
  await userEvent.keyboard('{Enter}');
  await expect.element(row).toMatchTextContent(words.standings.warning);
  await bound(words.columns.failAbove).fill('50 %');
  await userEvent.keyboard('{Enter}');
  await expect.element(row).toMatchTextContent(words.standings.failure);
  await bound(words.columns.warnAbove).fill('many');
  await expect.element(page.getByText(words.boundWrong)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(bound(words.columns.warnAbove)).toHaveValue('1');
  await page.getByRole('button', { name: words.print }).click();
  const printed = () =>
    document
      .querySelector<HTMLIFrameElement>('iframe[data-print]')
      ?.contentDocument?.querySelector('article');
  await expect.poll(() => printed()?.textContent).toContain(`2 of 2 100 %`);
  expect(printed()?.querySelectorAll('input, svg')).toHaveLength(0);
  await page.getByRole('button', { name: words.close }).click();
  const rule = page.getByRole('option', { name: /open/ });
  await expect.element(rule).toMatchTextContent(words.standings.failure);
  // One day is no line yet.
  await expect.element(rule.getByRole('img')).not.toBeInTheDocument();
  const { thresholds } = readPreferences(await (await send('GET', '/app/preferences')).json());
  expect(Object.values(thresholds)).toEqual([{ warnAbove: { count: 1 }, failAbove: { percent: 50 } }]);
});

test('a rule that was measured on some days has a line from the first to the last', async () => {
  await startServer();
  await send('POST', '/fhir-r4/v1/CarePlan', plan('One', 'p'));
  const { groups } = parseAs(QualityOverview, await (await send('GET', '/app/quality')).text()) ?? {};
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  const points = [4, 9, 2].map((violated, at) => [days[at], 10, violated, 0, violated]);
  const series = groups?.map(({ rule: check }) => ({ check, type: 'CarePlan', points })) ?? [];
  answerWith({ 'GET /app/quality/measures': () => ({ from: days[0], to: days[2], days, series }) });
  await show(<QualityView front runs={null} />);
  const rule = page.getByRole('option', { name: /open/ });
  await expect.element(rule.getByRole('img', { name: text.quality.trend.rule(4, 2) })).toBeVisible();
});

test('days that are not in their order are told, and nothing is asked', async () => {
  await startServer();
  await send('POST', '/fhir-r4/v1/CarePlan', plan('One', 'p'));
  await show(<QualityView front runs={null} />);
  await page.getByRole('button', { name: words.open }).click();
  await page.getByLabelText(words.from, { exact: true }).fill('2999-01-01');
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect.element(page.getByRole('dialog').getByRole('button', { name: words.csv })).toBeDisabled();
});

test('findings are put together by patient, and a group that is chosen lists its findings until it is left', async () => {
  await startServer();
  for (const [title, patient] of [
    ['One', 'p'],
    ['Two', 'q'],
    ['Three', 'q'],
  ] as const)
    await send('POST', '/fhir-r4/v1/CarePlan', plan(title, patient));
  await show(<QualityView front runs={null} />);
  await page.getByLabelText(text.quality.groups.name).selectOptions('patient');
  const groups = page.getByRole('table', { name: text.quality.groups.by.patient });
  await expect.element(groups.getByRole('columnheader', { name: text.quality.groups.rest })).toBeVisible();
  await expect.element(groups).toMatchTextContent(text.quality.groups.of('2'));
  await expect.element(groups).toMatchTextContent('0 %');
  await groups.getByRole('button', { name: 'q' }).click();
  await expect.element(page.getByRole('gridcell', { name: 'Two', exact: true })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'Three', exact: true })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'One', exact: true })).not.toBeInTheDocument();
  await page.getByTitle(text.quality.groups.all).click();
  await expect.element(groups).toBeVisible();
});
