import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { DefaultProxy } from '../../../core/app/connections.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ProxyDialog } from './proxy-dialog.tsx';

const messages = text.connection;

beforeEach(startServer);

test('sets the default proxy with a password that is never shown again', async () => {
  let isClosed = false;
  await show(<ProxyDialog proxy={{ kind: 'system' }} onClose={() => (isClosed = true)} />);
  await expect.element(page.getByText(messages.proxySystem)).toBeVisible();
  await page.getByLabelText(messages.proxy, { exact: true }).selectOptions(messages.proxies.address);
  const address = page.getByLabelText(messages.proxyUrl);
  await address.fill('proxy.example.org');
  await page.getByRole('button', { name: messages.proxySave }).click();
  await expect.element(address).toBeInvalid();

  await address.fill('http://proxy.example.org:3128');
  await page.getByLabelText(messages.proxyUser).fill('ward');
  await page.getByLabelText(messages.proxyPassword, { exact: true }).fill('canary');
  await page.getByRole('button', { name: messages.proxySave }).click();
  await expect.poll(() => isClosed).toBe(true);

  const preferences = (await (await send('GET', '/app/preferences')).json()) as { proxy: DefaultProxy };
  expect(preferences.proxy).toEqual({ kind: 'address', url: 'http://proxy.example.org:3128', user: 'ward' });
  const list = await (await send('GET', '/app/connections')).text();
  expect(list).toContain('"proxySecretSet":true');
  expect(list).not.toContain('canary');
});

test('names the connections whose secret a new proxy drops, and deletes the secret', async () => {
  const settings = {
    name: 'Ward 6',
    baseUrl: 'https://fhir.example.org',
    authentication: { kind: 'bearer' },
  };
  const response = await send('POST', '/app/connections', JSON.stringify(settings));
  const { id } = (await response.json()) as { id: string };
  await send('PUT', `/app/connections/${id}/secret`, JSON.stringify({ secret: 'canary' }));
  let isClosed = false;
  await show(<ProxyDialog proxy={{ kind: 'system' }} onClose={() => (isClosed = true)} />);
  const sentence = page.getByText(messages.proxySecretsGone(['Ward 6']));
  await expect.element(page.getByText(messages.proxySystem)).toBeVisible();
  expect(sentence.query()).toBeNull();
  await page.getByLabelText(messages.proxy, { exact: true }).selectOptions(messages.proxies.none);
  await expect.element(sentence).toBeVisible();
  await page.getByRole('button', { name: messages.proxySave }).click();
  await expect.poll(() => isClosed).toBe(true);
  const savedConnection = (await (await send('GET', `/app/connections/${id}`)).json()) as {
    secretSet: boolean;
  };
  expect(savedConnection.secretSet).toBe(false);
});
