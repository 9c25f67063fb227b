import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ChecksSheet } from './checks-sheet.tsx';

const words = text.checks;
const field = (name: string) => page.getByRole('textbox', { name, exact: false });
const title = field(words.fields.title);
const id = field(words.fields.id);
const offers = page.getByRole('listbox', { name: words.suggestions });

test('a new check takes its id from its title until somebody writes another, and keeps it once it is saved', async () => {
  await startServer();
  await show(<ChecksSheet onClose={() => undefined} />);
  await title.fill('Überfälliger Plan');
  await expect.element(id).toHaveValue('uberfalliger-plan');
  await title.fill('A plan has a title');
  await expect.element(id).toHaveValue('a-plan-has-a-title');
  await id.fill('titled');
  await title.fill('A title');
  await expect.element(id).toHaveValue('titled');

  const holds = field(words.fields.holds);
  await userEvent.click(holds);
  await userEvent.keyboard('tit');
  await expect.element(offers.getByRole('option').first()).toMatchTextContent(/^title/);
  await userEvent.keyboard('{Enter}');
  await expect.element(holds).toHaveValue('title');
  await expect.element(offers).not.toBeInTheDocument();
  await userEvent.keyboard('.exis');
  await expect.element(offers).toBeVisible();
  // Behind a space nothing is offered until it is asked for.
  await userEvent.keyboard('ts() ');
  await expect.element(offers).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>} {/Control}');
  await expect.element(offers).toBeVisible();
  // Escape hides the list alone, and not the sheet around it.
  await userEvent.keyboard('{Escape}');
  await expect.element(offers).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog', { name: words.discardTitle })).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>} {/Control}');
  await expect.element(offers).toBeVisible();
  // Left, the field offers nothing more.
  await userEvent.keyboard('{Tab}');
  await expect.element(offers).not.toBeInTheDocument();

  await page.getByRole('button', { name: words.save, exact: true }).click();
  await expect.element(page.getByRole('list', { name: words.list })).toMatchTextContent('A title');
  await title.fill('Every plan has a title');
  await expect.element(id).toHaveValue('titled');
  const kept = (await (await send('GET', '/app/checks')).json()) as unknown[];
  expect(kept).toMatchObject([{ id: 'titled', title: 'A title', holds: 'title.exists()' }]);
});
