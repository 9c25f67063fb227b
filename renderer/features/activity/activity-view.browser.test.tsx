import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { localConnection } from '../../platform/connection.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ActivityView } from './activity-view.tsx';

beforeEach(startServer);

const messages = text.activity;
const grid = page.getByRole('grid', { name: messages.name });
const rows = () => grid.getByRole('row').elements().length - 1;

const search = (status: string) => localConnection.client.search('CarePlan', [['status', status]]);

test('lists requests with newer ones on top, and empties the log after a confirmation', async () => {
  await search('active');
  await show(<ActivityView isActive />);
  await expect.element(grid).toMatchTextContent('status=active');
  await expect.element(page.getByText(messages.total(rows(), false))).toBeVisible();

  await search('draft');
  await expect.element(grid.getByRole('row').nth(1)).toMatchTextContent('status=draft');

  await page.getByRole('button', { name: messages.clear, exact: true }).click();
  await page.getByRole('button', { name: messages.clearConfirm }).click();
  await expect.element(page.getByText('status=draft')).not.toBeInTheDocument();
});
