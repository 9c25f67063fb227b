import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { send, show, startOther, startServer } from '../../testing/show.tsx';
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

test('a secret goes to the server and never comes back; the test of a connection says what answered', async () => {
  const { origin, token } = await startOther();
  await show(<ConnectionDialog connection={undefined} onClose={() => undefined} />);
  await page.getByLabelText(words.name, { exact: true }).fill('Ward 4');
  await page.getByLabelText(words.baseUrl).fill(origin);
  await page.getByLabelText(words.authentication).selectOptions(words.kinds.bearer);
  const secret = page.getByLabelText(words.secrets.bearer, { exact: true });
  await secret.fill('mistyped');
  const run = page.getByRole('button', { name: words.test });
  const failed = page.getByRole('dialog').getByRole('alert');
  await run.click();
  await expect.element(failed).toMatchTextContent(words.testFailed);

  await expect.element(secret).toHaveValue('');
  await expect.element(page.getByText(words.secretSet, { exact: false })).toBeVisible();
  await secret.fill(token);
  await expect.element(failed).not.toBeInTheDocument();
  await run.click();
  const result = page.getByRole('status', { name: words.tested });
  await expect.element(result).toMatchTextContent('Chartkeeper');
  await expect.element(result).toMatchTextContent('4.0.1');
  const list = await kept();
  expect(list).toMatchObject([{ name: 'Ward 4', secretSet: true }]);
  expect(JSON.stringify(list)).not.toContain(token);
  expect(document.body.innerHTML).not.toContain(token);

  await page.getByLabelText(words.baseUrl).fill('https://elsewhere.example.org');
  await expect.element(page.getByText(words.secretGone, { exact: false })).toBeVisible();
});
