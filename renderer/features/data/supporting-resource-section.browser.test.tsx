import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { SupportingResourceSection } from './supporting-resource-section.tsx';

const messages = text.supportingResources;

beforeEach(startServer);

const button = (name: string) => page.getByRole('button', { name, exact: true });
const table = page.getByRole('table', { name: messages.table });
const importResources = (...types: readonly string[]) => {
  const entries = types.map((type, index) => `{"resource":{"resourceType":"${type}","id":"a${index}"}}`);
  return send(
    'POST',
    '/app/import',
    `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`,
  );
};

test('explains where supporting resources come from if the list is empty', async () => {
  await show(<SupportingResourceSection />);
  await expect.element(page.getByText(messages.empty)).toBeVisible();
  await expect.element(table).not.toBeInTheDocument();
});

test('counts resources by type and removes them after a confirmation', async () => {
  await importResources('Patient', 'Patient', 'Encounter');
  await show(<SupportingResourceSection />);
  await expect.element(table.getByRole('row').nth(1)).toMatchTextContent(/^Encounter1/);
  await expect.element(table.getByRole('row').nth(2)).toMatchTextContent(/^Patient2/);
  await expect.element(page.getByText(messages.total(3))).toBeVisible();

  await button(messages.removeOf('Patient')).click();
  await expect.element(page.getByText(messages.question.some(2, 'Patient'))).toBeVisible();
  await button(messages.question.keep).click();
  await expect.element(table.getByRole('row')).toHaveLength(3);
  await button(messages.removeOf('Patient')).click();
  await button(messages.question.confirm).click();
  await expect.element(page.getByText(messages.removed(2)).first()).toBeVisible();
  await expect.element(table.getByRole('row')).toHaveLength(2);
  expect(await (await send('GET', '/app/companions')).json()).toEqual({
    types: [{ type: 'Encounter', count: 1 }],
  });

  await button(messages.removeAll).click();
  await expect.element(page.getByText(messages.question.all(1))).toBeVisible();
  await button(messages.question.confirm).click();
  await expect.element(page.getByText(messages.empty)).toBeVisible();
});
