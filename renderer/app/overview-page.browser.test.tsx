import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PracticePanel } from '../features/practice/practice-panel.tsx';
import { answerWith, overviewWith } from '../testing/answers.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { ConnectionSwitcher } from '../features/connections/connection-switcher.tsx';
import { OverviewPage } from './views.tsx';

beforeEach(startServer);

test('shows three first steps for an empty store, otherwise the overview', async () => {
  const screen = await show(<OverviewPage />);
  for (const door of [text.start.loadDemo, text.start.import, text.start.connect]) {
    await expect.element(page.getByRole('button', { name: door })).toBeVisible();
  }
  await screen.unmount();
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/p' },
  };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
  await show(<OverviewPage />);
  await expect.element(page.getByRole('region', { name: text.overview.name })).toBeVisible();
});

test('offers no demo clinic on a shared store', async () => {
  answerWith({ 'GET /app/overview': () => overviewWith({ absent: ['training'] }) });
  await show(<OverviewPage />);
  await expect.element(page.getByRole('button', { name: text.start.import })).toBeVisible();
  await expect.element(page.getByRole('button', { name: text.start.loadDemo })).not.toBeInTheDocument();
});

test('opens the demo clinic in the practice store, and leaves the local store empty', async () => {
  await show(
    <>
      <ConnectionSwitcher />
      <OverviewPage />
      <PracticePanel />
    </>,
  );
  const badge = (name: RegExp) => page.getByRole('button', { name });
  await page.getByRole('button', { name: text.start.loadDemo }).click();
  await expect.element(badge(/Practice/).first(), { timeout: 20_000 }).toBeVisible();
  const { name } = text.practice.tasks.find;
  await page.getByRole('button', { name: text.practice.beginOf(name) }).click();
  await expect.element(page.getByRole('button', { name: text.practice.againOf(name) })).toBeVisible();

  const leave = page.getByRole('button', { name: text.connections.leavePractice });
  await leave.click();
  await expect.element(page.getByRole('button', { name: text.start.loadDemo })).toBeVisible();
  await expect.element(leave).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: text.practice.beginOf(name) })).toBeVisible();
  const overview = (await (await send('GET', '/app/overview')).json()) as { counts: object };
  expect(new Set(Object.values(overview.counts))).toEqual(new Set([0]));
});
