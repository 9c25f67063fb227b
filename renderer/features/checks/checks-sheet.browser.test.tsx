import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ChecksSheet } from './checks-sheet.tsx';

const messages = text.checks;
const field = (name: string) => page.getByRole('textbox', { name, exact: false });
const title = field(messages.fields.title);
const id = field(messages.fields.id);
const offers = page.getByRole('listbox', { name: messages.suggestions });

test('derives the ID of a new check from its title until it is edited, and keeps it once saved', async () => {
  await startServer();
  await show(<ChecksSheet onClose={() => undefined} />);
  await title.fill('Überfälliger Plan');
  await expect.element(id).toHaveValue('uberfalliger-plan');
  await title.fill('A plan has a title');
  await expect.element(id).toHaveValue('a-plan-has-a-title');
  await id.fill('titled');
  await title.fill('A title');
  await expect.element(id).toHaveValue('titled');
  await expect.element(page.getByText(messages.fields.idHint('my/titled'))).toBeVisible();
  await expect.element(page.getByText(messages.saveFirst)).toBeVisible();

  const holdsField = field(messages.fields.holds);
  await userEvent.click(holdsField);
  await userEvent.keyboard('tit');
  await expect.element(offers.getByRole('option').first()).toMatchTextContent(/^title/);
  await userEvent.keyboard('{Enter}');
  await expect.element(holdsField).toHaveValue('title');
  await expect.element(offers).not.toBeInTheDocument();
  await userEvent.keyboard('.exis');
  await expect.element(offers).toBeVisible();
  // After a space, suggestions appear only on request.
  await userEvent.keyboard('ts() ');
  await expect.element(offers).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>} {/Control}');
  await expect.element(offers).toBeVisible();
  // Escape closes the list but not the sheet around it.
  await userEvent.keyboard('{Escape}');
  await expect.element(offers).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog', { name: messages.discardTitle })).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>} {/Control}');
  await expect.element(offers).toBeVisible();
  // Leaving the field closes the list.
  await userEvent.keyboard('{Tab}');
  await expect.element(offers).not.toBeInTheDocument();

  await page.getByRole('button', { name: messages.save, exact: true }).click();
  await expect.element(page.getByRole('list', { name: messages.list })).toMatchTextContent('A title');
  await expect.element(page.getByText(messages.tryFirst)).toBeVisible();
  await title.fill('Every plan has a title');
  await expect.element(id).toHaveValue('titled');
  const storedChecks = (await (await send('GET', '/app/checks')).json()) as unknown[];
  expect(storedChecks).toMatchObject([{ id: 'titled', title: 'A title', holds: 'title.exists()' }]);
});

test('stores each field as it was entered, and shows it again', async () => {
  await startServer();
  await show(<ChecksSheet onClose={() => undefined} />);
  const texts = {
    title: 'A document has an author',
    id: 'has-author',
    applies: "status = 'final'",
    holds: 'author.exists()',
    points: 'author | attester',
    warnAbove: '3',
    failAbove: '2.5%',
    owner: 'Ward 3',
    note: 'Agreed on Monday.\nAsk first.',
  };
  const choices = { type: 'Composition', category: 'plausibility', severity: 'error' };
  const entries = Object.entries(texts) as [keyof typeof texts, string][];
  const chosen = Object.entries(choices) as [keyof typeof choices, string][];
  const choiceField = (name: keyof typeof choices) =>
    page.getByLabelText(messages.fields[name], { exact: true });
  for (const [name, value] of entries) await field(messages.fields[name]).fill(value);
  for (const [name, value] of chosen) await choiceField(name).selectOptions(value);
  await page.getByRole('button', { name: messages.save, exact: true }).click();
  const list = page.getByRole('list', { name: messages.list });
  await expect.element(list).toMatchTextContent(texts.title);
  const storedChecks = (await (await send('GET', '/app/checks')).json()) as unknown[];
  const limits = { warnAbove: { count: 3 }, failAbove: { percent: 2.5 } };
  expect(storedChecks).toMatchObject([{ ...texts, ...choices, ...limits, active: false, version: 1 }]);

  await page.getByRole('button', { name: messages.add }).click();
  await expect.element(title).toHaveValue('');
  await list.getByRole('button').click();
  for (const [name, value] of entries) await expect.element(field(messages.fields[name])).toHaveValue(value);
  for (const [name, value] of chosen) await expect.element(choiceField(name)).toHaveValue(value);
});
