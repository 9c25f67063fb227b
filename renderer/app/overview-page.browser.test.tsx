import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerWith, overviewWith } from '../testing/answers.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { OverviewPage } from './views.tsx';

beforeEach(startServer);

test('an empty store has three doors; once it holds records, the overview stands there', async () => {
  const shown = await show(<OverviewPage />);
  for (const door of [text.start.loadDemo, text.start.import, text.start.connect]) {
    await expect.element(page.getByRole('button', { name: door })).toBeVisible();
  }
  await shown.unmount();
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

test('a server over a shared store has no demo clinic to load', async () => {
  answerWith({ 'GET /app/overview': () => overviewWith({ absent: ['training'] }) });
  await show(<OverviewPage />);
  await expect.element(page.getByRole('button', { name: text.start.import })).toBeVisible();
  await expect.element(page.getByRole('button', { name: text.start.loadDemo })).not.toBeInTheDocument();
});
