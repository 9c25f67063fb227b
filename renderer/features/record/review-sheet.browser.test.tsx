import type { HistoryPage } from '../../../core/app/history.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadedMonaco, loadMonaco, modelAt } from '../../platform/monaco-loader.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import {
  changeStored,
  modelPathOf,
  overwrite,
  plan,
  record,
  RecordHost,
  storedPlan,
  storePlan,
} from './testing/record-host.tsx';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

const { editor, review, sheet, conflict, tab } = record;
const save = sheet.getByRole('button', { name: text.review.save, exact: true });

/** A plan that is open, a word of it written over, under review. */
async function reviewed(word: string, keys: string): Promise<string> {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite(word, keys);
  await review.click();
  await expect.element(sheet).toBeVisible();
  return id;
}

test('the review lists what changes, sends it, and the tab holds what was saved', async () => {
  const id = await reviewed('Alpha', 'Mine');
  const changes = sheet.getByRole('list', { name: text.review.changes }).getByRole('listitem');
  expect(changes.elements().map(({ textContent }) => textContent)).toEqual(['CarePlan.title"Alpha""Mine"']);
  await sheet.getByRole('radio', { name: text.request.patch }).click();
  await expect.element(sheet).toMatchTextContent(text.request.patchHint(1));
  await expect.element(sheet).toMatchTextContent('If-Match: W/"1"');
  await save.click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(page.getByText(text.record.saved(2))).toBeInTheDocument();
  await expect.element(tab('Mine')).not.toMatchTextContent('unsaved');
  const stored = await storedPlan(id);
  expect(stored).toContain('"versionId":"2"');
  // All but the title is as it was, to the digit.
  expect(stored).toContain(plan('Mine').slice(plan('Mine').indexOf('"title"')));
});

test('who saves and why is asked in the review, shown in the request, and stands in the history', async () => {
  const id = await reviewed('Alpha', 'Mine');
  const why = sheet.getByRole('region', { name: text.why.name });
  await why.getByRole('textbox', { name: text.why.you }).fill('Robin Steward');
  await why.getByRole('textbox', { name: text.why.reason }).fill('Der Titel hieß anders.');
  await expect.element(why).toMatchTextContent(text.why.as('Robin Steward'));
  await expect
    .element(sheet.getByRole('region', { name: text.request.name }))
    .toMatchTextContent('X-Provenance');
  await userEvent.keyboard('{Enter}');
  await expect.element(sheet).not.toBeInTheDocument();
  const { versions } = (await (await send('GET', `/app/history/CarePlan/${id}`)).json()) as HistoryPage;
  expect(versions[0]).toMatchObject({
    ...{ version: 2, author: 'owner', person: 'Robin Steward', reason: 'Der Titel hieß anders.' },
  });
});

test('where a reason is demanded, Save is off until there is one', async () => {
  const id = await storePlan('Alpha');
  await send('PUT', '/app/preferences', '{"demandReason":true}');
  await show(<RecordHost ids={[id]} />);
  await overwrite('Alpha', 'Mine');
  await review.click();
  await expect.element(save).toHaveAccessibleDescription(text.why.first);
  const reason = sheet.getByRole('textbox', { name: text.why.reason });
  await reason.fill(' ');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('status')).toMatchTextContent(text.why.first);
  await reason.fill('Wrong.');
  await save.click();
  await expect.element(page.getByText(text.record.saved(2))).toBeInTheDocument();
});

test('a save that would be refused is off, says why, leads to the element and keeps the text', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite('plan', 'wish');
  const place = page.getByRole('navigation', { name: text.crumbs.name });
  await editor.getByText('"Agreed"').click();
  await expect.element(place).toMatchTextContent('description');
  await review.click();
  await expect.element(sheet.getByRole('region', { name: text.verdict.name })).toMatchTextContent('1 error');
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await expect.element(save).toHaveAccessibleDescription(text.review.off(1));
  // It has the focus since before the verdict: Enter sends nothing and says why.
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('status')).toMatchTextContent(text.review.off(1));
  await expect.element(sheet).not.toMatchTextContent(text.review.failedTitle);
  await sheet.getByRole('button', { name: text.review.goTo('CarePlan.intent') }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(place).toMatchTextContent('intent');
  await expect.element(editor).toMatchTextContent('"intent": "wish"');
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  expect(await storedPlan(id)).toContain('"intent":"plan"');
});

/** A plan whose narrative was generated, or written by a person. */
async function storeNarrated(status: 'generated' | 'additional'): Promise<string> {
  const narrative = { status, div: '<div xmlns="http://www.w3.org/1999/xhtml">Walk</div>' };
  const narrated = { ...(JSON.parse(plan('Alpha')) as object), text: narrative };
  const made = await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(narrated));
  return ((await made.json()) as { id: string }).id;
}

const verdict = sheet.getByRole('region', { name: text.verdict.name });

test('names the generated narrative that the save leaves out of date, with a way to it', async () => {
  await show(<RecordHost ids={[await storeNarrated('generated')]} />);
  await overwrite('Alpha', 'Mine');
  await review.click();
  await expect.element(verdict.getByText(text.verdict.stale)).toBeVisible();
  await expect.element(verdict).toMatchTextContent(text.verdict.accepted);
  await verdict.getByRole('button', { name: text.review.goTo('CarePlan.text') }).click();
  await expect.element(page.getByRole('navigation', { name: text.crumbs.name })).toMatchTextContent('text');
});

test('says nothing of a narrative that a person wrote', async () => {
  await show(<RecordHost ids={[await storeNarrated('additional')]} />);
  await overwrite('Alpha', 'Mine');
  await review.click();
  await expect.element(verdict).toMatchTextContent(text.verdict.good);
  await expect.element(verdict.getByText(text.verdict.stale)).not.toBeInTheDocument();
});

test('says that the text has the id of another record, with Save off', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const written = modelAt(modelPathOf(id))?.getValue() ?? '';
  replaceModelText(modelPathOf(id), written.replace(`"id": "${id}"`, '"id": "another"'));
  await review.click();
  await expect
    .element(sheet.getByRole('region', { name: text.verdict.name }))
    .toMatchTextContent('The id in the body differs from the id in the address.');
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await sheet.getByRole('button', { name: text.review.goTo('CarePlan.id') }).click();
  replaceModelText(modelPathOf(id), written.replace('Alpha', 'Mine'));
  await review.click();
  await expect.element(save).not.toHaveAttribute('aria-disabled', 'true');
});

test('a change that is listed is shown on the side where it stands: mine, or the server’s where it is gone', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite('Alpha', 'Mine');
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  const written = modelAt(modelPathOf(id))?.getValue() ?? '';
  replaceModelText(modelPathOf(id), written.replace(/ *"description": "Agreed",\n/, ''));
  await expect.element(editor).not.toMatchTextContent('Agreed');
  await review.click();
  const diff = () => loadedMonaco()?.editor.getDiffEditors()[0];
  const chosen = () =>
    [diff()?.getOriginalEditor(), diff()?.getModifiedEditor()].map((side) => {
      const range = side?.getSelection();
      return range ? side?.getModel()?.getValueInRange(range) : undefined;
    });
  const change = (name: string) =>
    sheet.getByRole('button', { name: new RegExp(`^(?:Removed )?CarePlan\\.${name}`) });
  await change('title').click();
  await expect.poll(chosen).toEqual(['', expect.stringContaining('Mine')]);
  await change('description').click();
  await expect.poll(chosen).toEqual([expect.stringContaining('Agreed'), expect.stringContaining('Mine')]);
});

/** A plan with activities of these names. */
function active(...names: readonly string[]): string {
  const activity = names.map((description) => ({
    detail: { status: 'scheduled', description, quantity: { value: description.length } },
  }));
  return JSON.stringify({ ...(JSON.parse(plan('Alpha')) as object), activity }, null, 2);
}

test('lists a removed item and a moved one once each, and none of the items that moved up', async () => {
  const made = await send('POST', '/fhir-r4/v1/CarePlan', active('Swim', 'Walk', 'Read', 'Rest'));
  const { id } = (await made.json()) as { id: string };
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const stored = JSON.parse(modelAt(modelPathOf(id))?.getValue() ?? '') as { activity: object[] };
  const [, walk, read, rest] = stored.activity;
  replaceModelText(modelPathOf(id), JSON.stringify({ ...stored, activity: [rest, walk, read] }, null, 2));
  await review.click();
  const changes = sheet.getByRole('region', { name: text.review.changes });
  await expect.element(changes.getByRole('heading')).toMatchTextContent('2 changes');
  expect(
    changes
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(/^Removed CarePlan\.activity\[0\]Swim/),
    'Moved CarePlan.activity[3] to CarePlan.activity[0]Rest',
  ]);
});

test('shows a long value whole where it is asked for', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const stored = modelAt(modelPathOf(id))?.getValue() ?? '';
  replaceModelText(modelPathOf(id), stored.replace('Agreed', 'letter '.repeat(60)));
  await review.click();
  const changes = sheet.getByRole('region', { name: text.review.changes });
  await expect.element(changes).not.toMatchTextContent('letter '.repeat(60));
  await changes.getByRole('button', { name: text.changes.whole }).click();
  await expect.element(changes).toMatchTextContent('letter '.repeat(60));
});

test('what another client changed elsewhere is merged, and nothing is written before that is reviewed', async () => {
  const id = await reviewed('Alpha', 'Mine');
  await changeStored(id, { description: 'Theirs' });
  await save.click();
  await expect.element(sheet).toMatchTextContent(text.review.mergedTitle(2));
  const theirs = sheet.getByRole('list', { name: text.review.theirChanges }).getByRole('listitem');
  await expect.element(theirs).toMatchTextContent('CarePlan.description');
  expect(await storedPlan(id)).toContain('"title":"Alpha"');
  await save.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"3".*"title":"Mine".*"description":"Theirs"/);
});

test('where both changed one element, the steward chooses, and the choice is what is saved', async () => {
  const id = await reviewed('Alpha', 'Mine');
  await changeStored(id, { title: 'Theirs', status: 'on-hold' });
  await save.click();
  await expect.element(conflict).toMatchTextContent(text.conflict.found(2, 'owner'));
  const choice = conflict.getByRole('radiogroup', { name: text.conflict.choose('/title') });
  await expect.element(conflict).toMatchTextContent(text.conflict.open(1));
  await expect.element(conflict).toMatchTextContent('by owner');
  for (const side of ['mine', 'theirs'] as const) {
    await expect.element(choice.getByRole('radio', { name: text.conflict.choices[side] })).not.toBeChecked();
  }
  const goOn = conflict.getByRole('button', { name: text.conflict.review });
  await expect.element(goOn).toBeDisabled();
  // What one side alone changed is taken from it; there is no both of it.
  const status = conflict.getByRole('radiogroup', { name: text.conflict.choose('/status') });
  await expect.element(status.getByRole('radio', { name: text.conflict.choices.theirs })).toBeChecked();
  expect(status.getByRole('radio').elements()).toHaveLength(2);
  await choice.getByText(text.conflict.choices.theirs).click();
  await goOn.click();
  // Nothing is left to save: their title was chosen, and their status is theirs anyway.
  await expect.element(conflict).not.toBeInTheDocument();
  await expect.element(editor).toMatchTextContent('"title": "Theirs"');
  await expect.element(tab('Theirs')).not.toMatchTextContent('unsaved');
  expect(await storedPlan(id)).toContain('"versionId":"2"');
});

test('overwriting says what it undoes, and puts mine over theirs', async () => {
  const id = await reviewed('Alpha', 'Mine');
  await changeStored(id, { title: 'Theirs', status: 'on-hold' });
  await save.click();
  await conflict.getByRole('button', { name: text.conflict.others }).click();
  await page.getByRole('menuitem', { name: text.conflict.overwrite(2) }).click();
  await expect.element(sheet).toMatchTextContent(text.review.overwritingTitle(2));
  await save.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"3".*"title":"Mine","status":"active"/);
});
