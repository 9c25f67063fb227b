import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ConnectionDialog } from './connection-dialog.tsx';

const words = text.connection;

beforeEach(startServer);

async function kept(): Promise<readonly ConnectionSummary[]> {
  const answer = await send('GET', '/app/connections');
  const { connections } = (await answer.json()) as { connections: readonly ConnectionSummary[] };
  return connections;
}

test('a field that is wrong says so, and nothing is saved before it is mended', async () => {
  let closed = false;
  await show(<ConnectionDialog connection={undefined} onClose={() => (closed = true)} />);
  const baseUrl = page.getByLabelText(words.baseUrl);

  await page.getByLabelText(words.name, { exact: true }).fill('Ward 3');
  await baseUrl.fill('fhir.example.org');
  await page.getByRole('button', { name: words.save }).click();
  await expect.element(baseUrl).toBeInvalid();
  expect(await kept()).toEqual([]);

  await baseUrl.fill('https://fhir.example.org');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => closed).toBe(true);
  expect(await kept()).toMatchObject([
    { name: 'Ward 3', baseUrl: 'https://fhir.example.org/fhir-r4/v1', mode: 'read-only', secretSet: false },
  ]);
});
