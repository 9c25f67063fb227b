import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { QualityPage } from '../../../core/app/quality.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { QualityView } from './quality-view.tsx';

const messages = text.quality.states;

/** Shows the worklist of one overdue plan and selects its finding. */
async function showSelectedFinding(): Promise<void> {
  await startServer();
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', title: 'Overdue' };
  const members = { period: { start: '2020-01-01', end: '2020-02-01' }, subject: { reference: 'Patient/p' } };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify({ ...plan, ...members }));
  await show(<QualityView isActive runs={null} />);
  await page.getByRole('gridcell', { name: 'Overdue', exact: true }).click();
}

const menu = page.getByRole('button', { name: messages.menu(1) });
const save = page.getByRole('button', { name: messages.save });

async function readStates() {
  const answer = parseAs(QualityPage, await (await send('GET', '/app/quality/findings')).text());
  return answer?.findings.map(({ state }) => state);
}

test('waives a finding with a reason and lists it under the waived findings', async () => {
  await showSelectedFinding();
  await menu.click();
  await page.getByRole('menuitem', { name: messages.waive }).click();
  await expect.element(save).toBeDisabled();
  await page.getByRole('textbox', { name: messages.reason }).fill('The ward agreed.');
  await save.click();
  await expect.element(page.getByText(text.quality.none.match)).toBeVisible();
  await page.getByLabelText(messages.filter).selectOptions('waived');
  await expect.element(page.getByRole('gridcell', { name: messages.names.waived })).toBeVisible();
  expect(await readStates()).toMatchObject([{ state: 'waived', reason: 'The ward agreed.' }]);
});

test('undoes a waiver by the button that names the change', async () => {
  await showSelectedFinding();
  await menu.click();
  await page.getByRole('menuitem', { name: messages.waive }).click();
  await page.getByRole('textbox', { name: messages.reason }).fill('The ward agreed.');
  await save.click();
  const list = page.getByRole('region', { name: text.quality.findingsOf(text.quality.all) });
  await expect.element(list).toMatchTextContent(messages.done.waived(1));
  await page.getByRole('button', { name: messages.undo, exact: true }).click();
  await expect.element(page.getByRole('gridcell', { name: 'Overdue', exact: true })).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: messages.undo, exact: true }))
    .not.toBeInTheDocument();
  expect(await readStates()).toMatchObject([{ state: 'open' }]);
});

test('adds a note to an open finding and removes it when emptied', async () => {
  await showSelectedFinding();
  await menu.click();
  await page.getByRole('menuitem', { name: messages.note }).click();
  const note = page.getByRole('textbox', { name: messages.noteLabel });
  await note.fill(' Asked the ward. ');
  await save.click();
  await expect.poll(readStates).toMatchObject([{ state: 'open', note: 'Asked the ward.' }]);
  await expect.element(note).not.toBeInTheDocument();
  await page.getByRole('gridcell', { name: 'Overdue', exact: true }).click();
  await menu.click();
  await page.getByRole('menuitem', { name: messages.note }).click();
  await save.click();
  await expect.poll(async () => JSON.stringify(await readStates())).not.toContain('Asked');
});
