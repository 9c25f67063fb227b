import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerWith, overviewWith } from '../testing/answers.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
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
