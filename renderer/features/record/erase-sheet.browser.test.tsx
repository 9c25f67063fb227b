import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerWith, overviewWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { EraseSheet } from './erase-sheet.tsx';
import { storePlan } from './testing/record-host.tsx';

beforeEach(startServer);

const words = text.erase;
const confirm = page.getByRole('button', { name: words.confirm });

test('an erasure needs a reason and the id typed; it says which backups hold the record still', async () => {
  const id = await storePlan('Alpha');
  const { name } = (await (await send('POST', '/app/backups', '{}')).json()) as { name: string };
  let erased = 0;
  await show(
    <EraseSheet
      record={{ type: 'CarePlan', id }}
      label="Alpha"
      onClose={() => undefined}
      onErased={() => (erased += 1)}
    />,
  );
  await expect.element(page.getByText(`CarePlan/${id}`)).toBeVisible();
  await expect.element(confirm).toBeDisabled();
  await userEvent.fill(page.getByLabelText(words.reason), 'Asked for.');
  await expect.element(confirm).toBeDisabled();
  await userEvent.fill(page.getByLabelText(words.id), id);
  await confirm.click();
  const list = page.getByRole('list', { name: words.list });
  await expect.element(list).toMatchTextContent(name);
  expect(erased).toBe(1);
  await expect(send('GET', `/fhir-r4/v1/CarePlan/${id}`)).rejects.toThrow('410');
});

test('of a store that servers share it says that backups of the database hold the record', async () => {
  const id = await storePlan('Alpha');
  answerWith({
    'GET /app/overview': () => overviewWith({ absent: ['backups'] }),
    'POST /app/erasures': () => ({
      ...{ type: 'CarePlan', id, time: '2026-01-03T14:02:00.000Z', who: 'owner', reason: 'Asked for.' },
      ...{ backups: [], unseen: null },
    }),
  });
  const none = () => undefined;
  await show(<EraseSheet record={{ type: 'CarePlan', id }} label="Alpha" onClose={none} onErased={none} />);
  await expect.element(page.getByText(words.whatShared)).toBeVisible();
  await userEvent.fill(page.getByLabelText(words.reason), 'Asked for.');
  await userEvent.fill(page.getByLabelText(words.id), id);
  await confirm.click();
  await expect.element(page.getByText(words.databaseBackups)).toBeVisible();
});
