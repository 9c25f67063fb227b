import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { readPreferences } from '../../../core/app/preferences.ts';
import { QualityOverview } from '../../../core/app/quality.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { QualityView } from './quality-view.tsx';

const messages = text.quality.measures;

const plan = (title: string, patient: string) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title,
    period: { start: '2020-01-01', end: '2020-02-01' },
    subject: { reference: `Patient/${patient}` },
  });

test('colors measures by a changed threshold in the table and the rule list', async () => {
  await startServer();
  for (const title of ['One', 'Two']) await send('POST', '/fhir-r4/v1/CarePlan', plan(title, 'p'));
  await show(<QualityView isActive runs={null} />);
  await page.getByRole('button', { name: messages.open }).click();
  const row = page
    .getByRole('table', { name: messages.table, exact: true })
    .getByRole('row', { name: /open/ });
  await expect.element(row).toMatchTextContent('2 of 2');
  await expect.element(row).toMatchTextContent('+2');
  const boundField = (name: string) => row.getByRole('textbox', { name: new RegExp(`^${name}`) });
  await boundField(messages.columns.warnAbove).fill('1');
  await userEvent.keyboard('{Enter}');
  await expect.element(row).toMatchTextContent(messages.standings.warning);
  await boundField(messages.columns.failAbove).fill('50%');
  await userEvent.keyboard('{Enter}');
  await expect.element(row).toMatchTextContent(messages.standings.failure);
  await boundField(messages.columns.warnAbove).fill('many');
  await expect.element(page.getByText(messages.boundWrong)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(boundField(messages.columns.warnAbove)).toHaveValue('1');
  await page.getByRole('button', { name: messages.print }).click();
  const findPrintedArticle = () =>
    document
      .querySelector<HTMLIFrameElement>('iframe[data-print]')
      ?.contentDocument?.querySelector('article');
  await expect.poll(() => findPrintedArticle()?.textContent).toContain(`2 of 2 100%`);
  expect(findPrintedArticle()?.querySelectorAll('input, svg')).toHaveLength(0);
  await page.getByRole('button', { name: messages.close }).click();
  const rule = page.getByRole('option', { name: /open/ });
  await expect.element(rule).toMatchTextContent(messages.standings.failure);
  // A single day has no line yet.
  await expect.element(rule.getByRole('img')).not.toBeInTheDocument();
  const { thresholds } = readPreferences(await (await send('GET', '/app/preferences')).json());
  expect(Object.values(thresholds)).toEqual([{ warnAbove: { count: 1 }, failAbove: { percent: 50 } }]);
});

test('draws a line from the first to the last measured day of a rule', async () => {
  await startServer();
  await send('POST', '/fhir-r4/v1/CarePlan', plan('One', 'p'));
  const { groups } = parseAs(QualityOverview, await (await send('GET', '/app/quality')).text()) ?? {};
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  const points = [4, 9, 2].map((violationCount, index) => [
    days[index],
    10,
    violationCount,
    0,
    violationCount,
  ]);
  const series = groups?.map(({ rule: check }) => ({ check, type: 'CarePlan', points })) ?? [];
  answerWith({ 'GET /app/quality/measures': () => ({ from: days[0], to: days[2], days, series }) });
  await show(<QualityView isActive runs={null} />);
  const rule = page.getByRole('option', { name: /open/ });
  await expect.element(rule.getByRole('img', { name: text.quality.trend.rule(4, 2) })).toBeVisible();
});

test('reports dates in the wrong order and sends no request', async () => {
  await startServer();
  await send('POST', '/fhir-r4/v1/CarePlan', plan('One', 'p'));
  await show(<QualityView isActive runs={null} />);
  await page.getByRole('button', { name: messages.open }).click();
  await page.getByLabelText(messages.from, { exact: true }).fill('2999-01-01');
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect.element(page.getByRole('dialog').getByRole('button', { name: messages.csv })).toBeDisabled();
});

test('groups findings by patient and lists the findings of a selected group', async () => {
  await startServer();
  for (const [title, patient] of [
    ['One', 'p'],
    ['Two', 'q'],
    ['Three', 'q'],
  ] as const)
    await send('POST', '/fhir-r4/v1/CarePlan', plan(title, patient));
  await show(<QualityView isActive runs={null} />);
  await page.getByLabelText(text.quality.groups.name).selectOptions('patient');
  const groups = page.getByRole('table', { name: text.quality.groups.by.patient });
  await expect.element(groups.getByRole('columnheader', { name: text.quality.groups.rest })).toBeVisible();
  await expect.element(groups).toMatchTextContent(text.quality.groups.of('2'));
  await expect.element(groups).toMatchTextContent('0%');
  await groups.getByRole('button', { name: 'q' }).click();
  await expect.element(page.getByRole('gridcell', { name: 'Two', exact: true })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'Three', exact: true })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'One', exact: true })).not.toBeInTheDocument();
  await page.getByTitle(text.quality.groups.all).click();
  await expect.element(groups).toBeVisible();
});
