import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { send, show, startOtherServer, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ServerExportButton, ServerExportSection } from './server-export-section.tsx';

const messages = text.serverExports;

beforeEach(startServer);

const button = (name: string) => page.getByRole('button', { name, exact: true });

const view = (
  <>
    <ServerExportButton disabled={false} />
    <ServerExportSection />
  </>
);

test('offers no export without another server', async () => {
  await show(view);
  await button(messages.open).click();
  await expect.element(page.getByText(messages.noConnections)).toBeVisible();
  await expect.element(button(messages.start)).toBeDisabled();
});

test('requests the export of a group, says why the server refused it, and removes it', async () => {
  // A Chartkeeper has no bulk export itself.
  const { origin } = await startOtherServer();
  await send(
    'POST',
    '/app/connections',
    JSON.stringify({ name: 'Staging', mode: 'read-only', baseUrl: `${origin}/fhir-r4/v1` }),
  );
  const { host } = new URL(origin);
  await show(view);
  await button(messages.open).click();
  await expect.element(page.getByLabelText(messages.connection)).toMatchTextContent(/^Staging \(/);
  await page.getByLabelText(messages.scopes.group).click();
  await expect.element(button(messages.start)).toBeDisabled();
  await userEvent.fill(page.getByLabelText(messages.group), 'ward-7');
  await button(messages.start).click();

  const name = messages.nameOf({ host, group: 'ward-7' });
  const entry = page.getByRole('region', { name, exact: true });
  await expect.element(entry.getByText(messages.states.failed)).toBeVisible();
  await button(messages.resumeOf(name)).click();
  await button(messages.stopOf(name)).click();
  await expect.element(entry.getByText(messages.states.stopped)).toBeVisible();
  await button(messages.removeOf(name)).click();
  await expect.element(entry).not.toBeInTheDocument();
});
