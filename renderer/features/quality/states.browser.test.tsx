import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { QualityPage } from '../../../core/app/quality.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { QualityView } from './quality-view.tsx';

const words = text.quality.states;

/** The worklist of one overdue plan, whose finding is chosen. */
async function choosing(): Promise<void> {
  await startServer();
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', title: 'Overdue' };
  const rest = { period: { start: '2020-01-01', end: '2020-02-01' }, subject: { reference: 'Patient/p' } };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify({ ...plan, ...rest }));
  await show(<QualityView front runs={null} />);
  await page.getByRole('gridcell', { name: 'Overdue', exact: true }).click();
}

const menu = page.getByRole('button', { name: words.menu(1) });
const save = page.getByRole('button', { name: words.save });

async function statesHeld() {
  const answer = parseAs(QualityPage, await (await send('GET', '/app/quality/findings')).text());
  return answer?.findings.map(({ state }) => state);
}

test('a finding is waived with a reason by its menu, leaves the open ones and is found among the waived', async () => {
  await choosing();
  await menu.click();
  await page.getByRole('menuitem', { name: words.waive }).click();
  await expect.element(save).toBeDisabled();
  await page.getByRole('textbox', { name: words.reason }).fill('The ward agreed.');
  await save.click();
  await expect.element(page.getByText(text.quality.none.match)).toBeVisible();
  await page.getByLabelText(words.filter).selectOptions('waived');
  await expect.element(page.getByRole('gridcell', { name: words.names.waived })).toBeVisible();
  expect(await statesHeld()).toMatchObject([{ state: 'waived', reason: 'The ward agreed.' }]);
});

test('a note is kept with a finding that stays open, and an empty one takes it away', async () => {
  await choosing();
  await menu.click();
  await page.getByRole('menuitem', { name: words.note }).click();
  const note = page.getByRole('textbox', { name: words.noteLabel });
  await note.fill(' Asked the ward. ');
  await save.click();
  await expect.poll(statesHeld).toMatchObject([{ state: 'open', note: 'Asked the ward.' }]);
  await expect.element(note).not.toBeInTheDocument();
  await page.getByRole('gridcell', { name: 'Overdue', exact: true }).click();
  await menu.click();
  await page.getByRole('menuitem', { name: words.note }).click();
  await save.click();
  await expect.poll(async () => JSON.stringify(await statesHeld())).not.toContain('Asked');
});
