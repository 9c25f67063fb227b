import type { HistoryPage } from '../../../core/app/history.ts';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadedMonaco, loadMonaco, modelAt } from '../../platform/monaco-loader.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import {
  patchAsOtherClient,
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

/** Opens a plan, overwrites a word and opens the review. */
async function openReview(word: string, keys: string): Promise<string> {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite(word, keys);
  await review.click();
  await expect.element(sheet).toBeVisible();
  return id;
}

test('lists the changes, sends them and shows the saved version', async () => {
  const id = await openReview('Alpha', 'Mine');
  const changes = sheet.getByRole('list', { name: text.review.changes }).getByRole('listitem');
  expect(changes.elements().map(({ textContent }) => textContent)).toEqual(['CarePlan.title"Alpha""Mine"']);
  await sheet.getByRole('radio', { name: text.request.patch }).click();
  await expect.element(sheet).toMatchTextContent(text.request.patchHint(1));
  await expect.element(sheet).toMatchTextContent('If-Match: W/"1"');
  await save.click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(page.getByText(text.record.saved(2))).toBeInTheDocument();
  await expect.element(tab('Mine')).not.toMatchTextContent('unsaved');
  const storedText = await storedPlan(id);
  expect(storedText).toContain('"versionId":"2"');
  // All other elements are unchanged, to the digit.
  expect(storedText).toContain(plan('Mine').slice(plan('Mine').indexOf('"title"')));
});

test('sends the name and the reason of the user and stores them in the history', async () => {
  const id = await openReview('Alpha', 'Mine');
  const reasonPane = sheet.getByRole('region', { name: text.why.name });
  await reasonPane.getByRole('textbox', { name: text.why.you }).fill('Robin Steward');
  await reasonPane.getByRole('textbox', { name: text.why.reason }).fill('Der Titel hieß anders.');
  await expect.element(reasonPane).toMatchTextContent(text.why.as('Robin Steward'));
  await expect
    .element(sheet.getByRole('region', { name: text.request.name }))
    .toMatchTextContent('X-Provenance');
  await userEvent.keyboard('{Enter}');
  await expect.element(sheet).not.toBeInTheDocument();
  const { versions } = (await (await send('GET', `/app/history/CarePlan/${id}`)).json()) as HistoryPage;
  expect(versions[0]).toMatchObject({
    version: 2,
    author: 'owner',
    person: 'Robin Steward',
    reason: 'Der Titel hieß anders.',
  });
});

test('disables Save until a required reason is entered', async () => {
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

test('disables Save for a rejected text, names the reason and reveals the element', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite('plan', 'wish');
  const breadcrumbs = page.getByRole('navigation', { name: text.crumbs.name });
  await editor.getByText('"Agreed"').click();
  await expect.element(breadcrumbs).toMatchTextContent('description');
  await review.click();
  await expect.element(sheet.getByRole('region', { name: text.verdict.name })).toMatchTextContent('1 error');
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await expect.element(save).toHaveAccessibleDescription(text.review.off(1));
  // Save has had the focus since before the preview: Enter sends nothing and announces the reason.
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('status')).toMatchTextContent(text.review.off(1));
  await expect.element(sheet).not.toMatchTextContent(text.review.failedTitle);
  await sheet.getByRole('button', { name: text.review.goTo('CarePlan.intent') }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(breadcrumbs).toMatchTextContent('intent');
  await expect.element(editor).toMatchTextContent('"intent": "wish"');
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  expect(await storedPlan(id)).toContain('"intent":"plan"');
});

/** Stores a plan with a generated or hand-written narrative. */
async function storeNarrated(status: 'generated' | 'additional'): Promise<string> {
  const narrative = { status, div: '<div xmlns="http://www.w3.org/1999/xhtml">Walk</div>' };
  const narratedPlan = { ...(JSON.parse(plan('Alpha')) as object), text: narrative };
  const response = await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(narratedPlan));
  return ((await response.json()) as { id: string }).id;
}

const verdict = sheet.getByRole('region', { name: text.verdict.name });

test('warns of a generated narrative that becomes outdated and reveals it', async () => {
  await show(<RecordHost ids={[await storeNarrated('generated')]} />);
  await overwrite('Alpha', 'Mine');
  await review.click();
  await expect.element(verdict.getByText(text.verdict.stale)).toBeVisible();
  await expect.element(verdict).toMatchTextContent(text.verdict.accepted);
  await verdict.getByRole('button', { name: text.review.goTo('CarePlan.text') }).click();
  await expect.element(page.getByRole('navigation', { name: text.crumbs.name })).toMatchTextContent('text');
});

test('does not warn of a narrative that a person wrote', async () => {
  await show(<RecordHost ids={[await storeNarrated('additional')]} />);
  await overwrite('Alpha', 'Mine');
  await review.click();
  await expect.element(verdict).toMatchTextContent(text.verdict.good);
  await expect.element(verdict.getByText(text.verdict.stale)).not.toBeInTheDocument();
});

test('disables Save if the text has the ID of another record', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const originalText = modelAt(modelPathOf(id))?.getValue() ?? '';
  replaceModelText(modelPathOf(id), originalText.replace(`"id": "${id}"`, '"id": "another"'));
  await review.click();
  await expect
    .element(sheet.getByRole('region', { name: text.verdict.name }))
    .toMatchTextContent('The id in the body differs from the id in the address.');
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await sheet.getByRole('button', { name: text.review.goTo('CarePlan.id') }).click();
  replaceModelText(modelPathOf(id), originalText.replace('Alpha', 'Mine'));
  await review.click();
  await expect.element(save).not.toHaveAttribute('aria-disabled', 'true');
});

test('reveals a selected change on the side that contains it', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite('Alpha', 'Mine');
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  const originalText = modelAt(modelPathOf(id))?.getValue() ?? '';
  replaceModelText(modelPathOf(id), originalText.replace(/ *"description": "Agreed",\n/, ''));
  await expect.element(editor).not.toMatchTextContent('Agreed');
  await review.click();
  const diff = () => loadedMonaco()?.editor.getDiffEditors()[0];
  const readSelections = () =>
    [diff()?.getOriginalEditor(), diff()?.getModifiedEditor()].map((side) => {
      const range = side?.getSelection();
      return range ? side?.getModel()?.getValueInRange(range) : undefined;
    });
  const change = (name: string) =>
    sheet.getByRole('button', { name: new RegExp(`^(?:Removed )?CarePlan\\.${name}`) });
  await change('title').click();
  await expect.poll(readSelections).toEqual(['', expect.stringContaining('Mine')]);
  await change('description').click();
  await expect
    .poll(readSelections)
    .toEqual([expect.stringContaining('Agreed'), expect.stringContaining('Mine')]);
});

/** Returns the text of a plan with these activities. */
function createPlanText(...names: readonly string[]): string {
  const activity = names.map((description) => ({
    detail: { status: 'scheduled', description, quantity: { value: description.length } },
  }));
  return JSON.stringify({ ...(JSON.parse(plan('Alpha')) as object), activity }, null, 2);
}

test('lists a removed and a moved item once and no shifted items', async () => {
  const response = await send('POST', '/fhir-r4/v1/CarePlan', createPlanText('Swim', 'Walk', 'Read', 'Rest'));
  const { id } = (await response.json()) as { id: string };
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const storedRecord = JSON.parse(modelAt(modelPathOf(id))?.getValue() ?? '') as { activity: object[] };
  const [, walkActivity, readActivity, restActivity] = storedRecord.activity;
  replaceModelText(
    modelPathOf(id),
    JSON.stringify({ ...storedRecord, activity: [restActivity, walkActivity, readActivity] }, null, 2),
  );
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

test('shows a long value in full on request', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const originalText = modelAt(modelPathOf(id))?.getValue() ?? '';
  replaceModelText(modelPathOf(id), originalText.replace('Agreed', 'letter '.repeat(60)));
  await review.click();
  const changes = sheet.getByRole('region', { name: text.review.changes });
  await expect.element(changes).not.toMatchTextContent('letter '.repeat(60));
  await changes.getByRole('button', { name: text.changes.whole }).click();
  await expect.element(changes).toMatchTextContent('letter '.repeat(60));
});

test('merges changes of another client and saves only after the review', async () => {
  const id = await openReview('Alpha', 'Mine');
  await patchAsOtherClient(id, { description: 'Theirs' });
  await save.click();
  await expect.element(sheet).toMatchTextContent(text.conflict.found(2, 'owner'));
  const theirs = sheet.getByRole('list', { name: text.review.theirChanges }).getByRole('listitem');
  await expect.element(theirs).toMatchTextContent('CarePlan.description');
  expect(await storedPlan(id)).toContain('"title":"Alpha"');
  await save.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"3".*"title":"Mine".*"description":"Theirs"/);
});

test('asks for a choice if both sides changed an element and saves the choice', async () => {
  const id = await openReview('Alpha', 'Mine');
  await patchAsOtherClient(id, { title: 'Theirs', status: 'on-hold' });
  await save.click();
  await expect.element(conflict).toMatchTextContent(text.conflict.found(2, 'owner'));
  const choice = conflict.getByRole('radiogroup', { name: text.conflict.choose('/title') });
  await expect.element(conflict).toMatchTextContent(text.conflict.open(1));
  await expect.element(conflict).toMatchTextContent('by owner');
  for (const side of ['ours', 'theirs'] as const) {
    await expect.element(choice.getByRole('radio', { name: text.conflict.choices[side] })).not.toBeChecked();
  }
  const continueButton = conflict.getByRole('button', { name: text.conflict.review });
  await expect.element(continueButton).toBeDisabled();
  // An element that only one side changed uses that side, and "both" is not offered.
  const status = conflict.getByRole('radiogroup', { name: text.conflict.choose('/status') });
  await expect.element(status.getByRole('radio', { name: text.conflict.choices.theirs })).toBeChecked();
  expect(status.getByRole('radio').elements()).toHaveLength(2);
  await choice.getByText(text.conflict.choices.theirs).click();
  await continueButton.click();
  // Nothing is left to save: their title was selected, and the status is theirs.
  await expect.element(conflict).not.toBeInTheDocument();
  await expect.element(editor).toMatchTextContent('"title": "Theirs"');
  await expect.element(tab('Theirs')).not.toMatchTextContent('unsaved');
  expect(await storedPlan(id)).toContain('"versionId":"2"');
});

test('warns before overwriting and saves our values over theirs', async () => {
  const id = await openReview('Alpha', 'Mine');
  await patchAsOtherClient(id, { title: 'Theirs', status: 'on-hold' });
  await save.click();
  await conflict.getByRole('button', { name: text.conflict.others }).click();
  await page.getByRole('menuitem', { name: text.conflict.overwrite(2) }).click();
  await expect.element(sheet).toMatchTextContent(text.review.overwritingTitle(2));
  await save.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"3".*"title":"Mine","status":"active"/);
});

test.each([
  ['is found as saved if only its response was lost', true],
  ['is offered again if it did not arrive', false],
])('a save without a response %s', async (_, arrives) => {
  const id = await openReview('Alpha', 'Mine');
  const sendRequest = window.fetch.bind(window);
  const lost = vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    const isSave = typeof address === 'string' && address.endsWith(id) && init?.method !== 'GET';
    if (!isSave) return sendRequest(address, init);
    if (arrives) await sendRequest(address, init);
    throw new TypeError('The connection was lost.');
  });
  onTestFinished(() => lost.mockRestore());
  await save.click();
  await expect.element(sheet).toMatchTextContent(text.review.unconfirmedTitle);
  await expect.element(save).toBeDisabled();
  lost.mockRestore();
  await sheet.getByRole('button', { name: text.review.reread }).click();
  if (!arrives) {
    await expect.element(sheet).toMatchTextContent(text.review.notArrived(1));
    expect(await storedPlan(id)).toContain('"Alpha"');
    await save.click();
  }
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(page.getByText(text.record.saved(2))).toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"2".*"title":"Mine"/);
});
