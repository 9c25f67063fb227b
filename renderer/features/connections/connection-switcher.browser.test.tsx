import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ConnectionList, type ConnectionSummary } from '../../../core/app/connections.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { ConnectionContext, remoteConnection } from '../../platform/connection.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ConnectionEditor } from './connection-editor.tsx';
import { ConnectionSwitcher } from './connection-switcher.tsx';

const messages = text.connections;

beforeEach(startServer);

async function listConnections(): Promise<readonly ConnectionSummary[]> {
  const answer = await send('GET', '/app/connections');
  return parseAs(ConnectionList, await answer.text())?.connections ?? [];
}

const names = async () => (await listConnections()).map(({ name }) => name);

/** Stores a connection with a secret for each name, and selects the last. */
async function showLast(...connectionNames: readonly string[]): Promise<void> {
  for (const name of connectionNames) {
    const settings = {
      name,
      baseUrl: 'https://fhir.example.org',
      environment: 'production',
      mode: 'confirm',
      authentication: { kind: 'bearer' },
      timeoutSeconds: 7,
    };
    const response = await send('POST', '/app/connections', JSON.stringify(settings));
    const { id } = (await response.json()) as ConnectionSummary;
    await send('PUT', `/app/connections/${id}/secret`, JSON.stringify({ secret: 'canary' }));
  }
  const lastConnection = (await listConnections()).at(-1);
  if (!lastConnection) throw new Error('There is no connection');
  await show(
    <ConnectionContext value={remoteConnection(lastConnection)}>
      <ConnectionSwitcher />
      <ConnectionEditor />
    </ConnectionContext>,
  );
}

/** Returns a pattern for the name of the button and its menu, which also names the host of a server. */
const switchFrom = (name: string) => new RegExp(`^Connection: ${name}[.,] .*Switch connection$`);
const open = (name: string) => page.getByRole('button', { name: switchFrom(name) }).click();
const item = (name: string) => page.getByRole('menuitem', { name });

test('shows the environment in the header and the menu, in a fixed color', async () => {
  await showLast('Ward');
  const frame = page.getByRole('button', { name: switchFrom('Ward') });
  await expect.element(frame).toHaveAccessibleName(/Production/);
  await expect.element(frame).toHaveAttribute('aria-haspopup', 'menu');
  const tag = frame.getByText(messages.environments.production);
  await expect.element(tag).toBeVisible();
  const danger = document.createElement('span');
  danger.style.color = 'var(--ck-danger)';
  document.body.append(danger);
  const { color } = getComputedStyle(danger);
  danger.remove();
  expect(getComputedStyle(tag.element()).borderTopColor).toBe(color);
  await open('Ward');
  await expect
    .element(page.getByRole('menu', { name: switchFrom('Ward') }))
    .toHaveAccessibleName(/Production/);
  await expect.element(page.getByRole('menu').getByText(messages.environments.production)).toBeVisible();
});

test('duplicates all settings with a new name and without the secret', async () => {
  await showLast('Ward copy', 'Ward');
  await open('Ward');
  await item(messages.duplicate('Ward')).click();
  await expect.element(page.getByText(text.connection.copied('Ward'))).toBeVisible();
  await expect.element(page.getByLabelText(text.connection.name, { exact: true })).toHaveValue('Ward copy 2');
  await page.getByRole('button', { name: text.connection.save }).click();
  await expect.poll(names).toEqual(['Ward copy', 'Ward', 'Ward copy 2']);
  const [, ward, copy] = await listConnections();
  expect(copy).toEqual({
    ...ward,
    id: copy?.id,
    name: 'Ward copy 2',
    secretSet: false,
    access: 'needs-secret',
  });
  expect(copy?.id).not.toBe(ward?.id);
});

test('moves a connection up and down the list and stops at its ends', async () => {
  await showLast('One', 'Two', 'Three');
  await open('Three');
  await item(messages.moveUp('Three')).click();
  await expect.poll(names).toEqual(['One', 'Three', 'Two']);
  await item(messages.moveUp('Three')).click();
  await expect.poll(names).toEqual(['Three', 'One', 'Two']);
  await expect.element(item(messages.moveUp('Three'))).toHaveAttribute('aria-disabled', 'true');
  await item(messages.moveDown('Three')).click();
  await expect.poll(names).toEqual(['One', 'Three', 'Two']);
});

test('moves a connection by keyboard, also after a click', async () => {
  await showLast('One', 'Two', 'Three');
  page
    .getByRole('button', { name: switchFrom('Three') })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(item(messages.moveUp('Three'))).toBeVisible();
  await expect.poll(() => document.activeElement?.closest('[role=menu]')).toBeTruthy();
  await userEvent.keyboard('{ArrowDown}{End}{ArrowUp}{ArrowUp}');
  await expect.element(item(messages.moveUp('Three'))).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(names).toEqual(['One', 'Three', 'Two']);
  await item(messages.moveDown('Three')).click();
  await expect.poll(names).toEqual(['One', 'Two', 'Three']);
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.poll(names).toEqual(['One', 'Three', 'Two']);
  await userEvent.keyboard('{Enter}');
  await expect.poll(names).toEqual(['Three', 'One', 'Two']);
  await expect.element(item(messages.moveUp('Three'))).toHaveFocus();
});
