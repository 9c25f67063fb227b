import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { TrainingPart } from './training-part.tsx';

const messages = text.data.training;

beforeEach(startServer);

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('loads no training data into a store that has other records', async () => {
  const shown = await show(<TrainingPart isActive />);
  await expect.element(button(messages.sets.clean.load)).toBeEnabled();
  await shown.unmount();
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/p' },
  };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
  await show(<TrainingPart isActive />);
  await expect.element(page.getByText(messages.store.onlyThere)).toBeVisible();
  for (const { load } of Object.values(messages.sets)) await expect.element(button(load)).toBeDisabled();
  await expect.element(button(messages.store.open)).toBeEnabled();
});
