import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerWith, overviewWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { EraseSheet } from './erase-sheet.tsx';
import { storePlan } from './testing/record-host.tsx';

beforeEach(startServer);

const messages = text.erase;
const confirm = page.getByRole('button', { name: messages.confirm });

test('requires a reason and the typed ID, then lists the backups with the record', async () => {
  const id = await storePlan('Alpha');
  const { name } = (await (await send('POST', '/app/backups', '{}')).json()) as { name: string };
  let eraseCount = 0;
  await show(
    <EraseSheet
      record={{ type: 'CarePlan', id }}
      label="Alpha"
      onClose={() => undefined}
      onErased={() => (eraseCount += 1)}
    />,
  );
  await expect.element(page.getByText(`CarePlan/${id}`)).toBeVisible();
  await expect.element(confirm).toBeDisabled();
  await userEvent.fill(page.getByLabelText(messages.reason), 'Asked for.');
  await expect.element(confirm).toBeDisabled();
  await userEvent.fill(page.getByLabelText(messages.id), id);
  await confirm.click();
  const list = page.getByRole('list', { name: messages.list });
  await expect.element(list).toMatchTextContent(name);
  expect(eraseCount).toBe(1);
  await expect(send('GET', `/fhir-r4/v1/CarePlan/${id}`)).rejects.toThrow('410');
});

test('mentions database backups for a store that servers share', async () => {
  const id = await storePlan('Alpha');
  answerWith({
    'GET /app/overview': () => overviewWith({ absent: ['backups'] }),
    'POST /app/erasures': () => ({
      type: 'CarePlan',
      id,
      time: '2026-01-03T14:02:00.000Z',
      who: 'owner',
      reason: 'Asked for.',
      backups: [],
      unseen: null,
    }),
  });
  const ignore = () => undefined;
  await show(
    <EraseSheet record={{ type: 'CarePlan', id }} label="Alpha" onClose={ignore} onErased={ignore} />,
  );
  await expect.element(page.getByText(messages.whatShared)).toBeVisible();
  await userEvent.fill(page.getByLabelText(messages.reason), 'Asked for.');
  await userEvent.fill(page.getByLabelText(messages.id), id);
  await confirm.click();
  await expect.element(page.getByText(messages.databaseBackups)).toBeVisible();
});
