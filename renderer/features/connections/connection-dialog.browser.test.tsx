import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { send, show, startOtherServer, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ConnectionDialog } from './connection-dialog.tsx';

const messages = text.connection;

beforeEach(startServer);

async function listConnections(): Promise<readonly ConnectionSummary[]> {
  const answer = await send('GET', '/app/connections');
  const { connections } = (await answer.json()) as { connections: readonly ConnectionSummary[] };
  return connections;
}

test('reports an invalid field and saves only after it is corrected', async () => {
  let isClosed = false;
  await show(<ConnectionDialog connection={undefined} onClose={() => (isClosed = true)} />);
  const baseUrl = page.getByLabelText(messages.baseUrl);

  await page.getByLabelText(messages.name, { exact: true }).fill('Ward 3');
  await baseUrl.fill('fhir.example.org');
  await page.getByRole('button', { name: messages.save }).click();
  await expect.element(baseUrl).toBeInvalid();
  expect(await listConnections()).toEqual([]);

  await baseUrl.fill('https://fhir.example.org');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => isClosed).toBe(true);
  expect(await listConnections()).toMatchObject([
    { name: 'Ward 3', baseUrl: 'https://fhir.example.org/fhir-r4/v1', mode: 'read-only', secretSet: false },
  ]);
});

test('sends a secret to the server without returning it, and tests the connection', async () => {
  const { origin, token } = await startOtherServer();
  let isClosed = false;
  await show(<ConnectionDialog connection={undefined} onClose={() => (isClosed = true)} />);
  await page.getByLabelText(messages.name, { exact: true }).fill('Ward 4');
  await page.getByLabelText(messages.baseUrl).fill(origin);
  await page.getByLabelText(messages.authentication).selectOptions(messages.kinds.bearer);
  const secret = page.getByLabelText(messages.secrets.bearer, { exact: true });
  await secret.fill('mistyped');
  const run = page.getByRole('button', { name: messages.test });
  const failureAlert = page.getByRole('dialog').getByRole('alert');
  await run.click();
  await expect.element(failureAlert).toMatchTextContent(messages.testFailed);

  const outcomes = () =>
    [...document.querySelectorAll(`[aria-label="${messages.steps}"] svg`)].map((icon) => icon.ariaLabel);
  const { done, failed: rejectedLabel, skipped: skippedLabel } = messages.outcomes;
  await expect
    .poll(outcomes)
    .toEqual([done, skippedLabel, done, skippedLabel, rejectedLabel, skippedLabel, skippedLabel]);
  expect(await listConnections()).toEqual([]);

  await secret.fill(token);
  await expect.element(failureAlert).not.toBeInTheDocument();
  await run.click();
  const result = page.getByRole('status', { name: messages.tested });
  await expect.element(result).toMatchTextContent('Chartkeeper');
  await expect.element(result).toMatchTextContent('4.0.1');
  expect(await listConnections()).toEqual([]);
  await page.getByRole('button', { name: messages.save }).click();
  await expect.poll(() => isClosed).toBe(true);
  const list = await listConnections();
  expect(list).toMatchObject([{ name: 'Ward 4', secretSet: true }]);
  expect(JSON.stringify(list)).not.toContain(token);
  expect(document.body.innerHTML).not.toContain(token);
});

test('shows that a secret is stored, and that a change of the server drops it', async () => {
  const settings = {
    name: 'Ward 5',
    baseUrl: 'https://fhir.example.org',
    authentication: { kind: 'bearer' },
    proxy: { kind: 'address', url: 'http://proxy.example.org:3128', user: 'ward' },
  };
  const response = await send('POST', '/app/connections', JSON.stringify(settings));
  const { id } = (await response.json()) as ConnectionSummary;
  const body = JSON.stringify({ secret: 'canary' });
  await send('PUT', `/app/connections/${id}/secret`, body);
  await send('PUT', `/app/connections/${id}/secrets/proxy`, body);
  const [connection] = await listConnections();
  await show(<ConnectionDialog connection={connection} onClose={() => undefined} />);
  await expect.element(page.getByText(messages.secretSet, { exact: false })).toBeVisible();
  await page.getByLabelText(messages.baseUrl).fill('https://elsewhere.example.org');
  await expect.element(page.getByText(messages.secretGone, { exact: false })).toBeVisible();

  await page.getByText(messages.more).click();
  await expect.element(page.getByText(messages.secretStates.kept)).toBeVisible();
  await page.getByLabelText(messages.proxyUser).fill('other');
  await expect.element(page.getByText(messages.secretStates.dropped)).toBeVisible();
  expect(document.body.innerHTML).not.toContain('canary');
});
