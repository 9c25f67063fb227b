import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadedMonaco, loadMonaco, modelAt } from '../../platform/monaco-loader.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { holdRequests, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import markers from './markers/markers.module.css';
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

const { editor, review, tab } = record;

test('keeps the text and the undo stack of each tab', async () => {
  const ids = [await storePlan('Alpha'), await storePlan('Beta')];
  await show(<RecordHost ids={ids} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  await expect.element(review).toHaveAttribute('aria-disabled', 'true');
  await overwrite('Alpha', 'Mine');
  await expect.element(editor).toMatchTextContent('"title": "Mine"');
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');

  await tab(ids[1] ?? '').click();
  await expect.element(editor).toMatchTextContent('"Beta"');
  await expect.element(review).toHaveAttribute('aria-disabled', 'true');
  await overwrite('Beta', 'Other');
  await expect.element(tab('Beta')).toMatchTextContent('unsaved');

  await tab('Alpha').click();
  await expect.element(editor).toMatchTextContent('"title": "Mine"');
  await editor.getByText('"Mine"').click();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(editor).toMatchTextContent('"title": "Alpha"');
  await expect.element(tab('Alpha')).not.toMatchTextContent('unsaved');
  await tab('Beta').click();
  await expect.element(editor).toMatchTextContent('"title": "Other"');
});

test('assigns a late change of the previous text to its own tab', async () => {
  const alphaId = await storePlan('Alpha');
  const betaId = await storePlan('Beta');
  const change = (id: string) => id === betaId && replaceModelText(modelPathOf(alphaId), '{"title": "Late"}');
  await show(<RecordHost ids={[betaId, alphaId]} onTurn={change} />);
  await expect.element(editor).toMatchTextContent('"Beta"');
  await tab(alphaId).click();
  await expect.element(editor).toMatchTextContent('"Alpha"');

  await tab('Beta').click();
  await expect.element(editor).toMatchTextContent('"Beta"');
  await expect.element(tab('Beta')).not.toMatchTextContent('unsaved');
  await expect.element(review).toHaveAttribute('aria-disabled', 'true');
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  await tab('Alpha').click();
  await expect.element(editor).toMatchTextContent('"Late"');
});

test('keeps the cursor at its element, or moves it to the next, when items are removed', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const path = modelPathOf(id);
  const storedPlan = JSON.parse(modelAt(path)?.getValue() ?? '') as object;
  const writeActivities = (...names: readonly string[]) => {
    const activity = names.map((description) => ({ detail: { status: 'scheduled', description } }));
    replaceModelText(path, JSON.stringify({ ...storedPlan, activity }, null, 2));
  };
  writeActivities('Walk', 'Swim', 'Rest');
  const breadcrumbs = page.getByRole('navigation', { name: text.crumbs.name });
  const selected = () => {
    const [activeEditor] = loadedMonaco()?.editor.getEditors() ?? [];
    const range = activeEditor?.getSelection();
    return range ? modelAt(path)?.getValueInRange(range) : undefined;
  };
  revealPointer(path, '/activity/1/detail/description');
  await expect.poll(selected).toBe('"description": "Swim"');
  writeActivities('Swim', 'Rest');
  expect(selected()).toBe('"description": "Swim"');
  await expect.element(breadcrumbs).toMatchTextContent('activity[0]');
  revealPointer(path, '/activity/0/detail/description');
  writeActivities('Rest');
  await expect.element(breadcrumbs).toMatchTextContent('activity[0]');
  expect(selected()).toBe('');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(editor).toMatchTextContent('"Swim"');
  expect(selected()).toBe('"description": "Swim"');
});

test('marks only the moved item at its new position', async () => {
  const activity = ['Walk', 'Swim', 'Rest'].map((description) => ({
    detail: { status: 'scheduled', description },
  }));
  const threeActivities = JSON.stringify({ ...(JSON.parse(plan('Alpha')) as object), activity });
  const response = await send('POST', '/fhir-r4/v1/CarePlan', threeActivities);
  const { id } = (await response.json()) as { id: string };
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const path = modelPathOf(id);
  const storedRecord = JSON.parse(modelAt(path)?.getValue() ?? '') as { activity: readonly object[] };
  const [walk, swim, restActivity] = storedRecord.activity;
  replaceModelText(path, JSON.stringify({ ...storedRecord, activity: [restActivity, walk, swim] }, null, 2));
  const listChangeMarks = () =>
    (modelAt(path)?.getAllDecorations() ?? []).flatMap(({ range, options }) => {
      const kind = Object.entries(markers).find(
        ([, name]) => name === options.linesDecorationsClassName,
      )?.[0];
      return kind === undefined
        ? []
        : [
            [
              kind,
              modelAt(path)
                ?.getLineContent(range.startLineNumber + 3)
                .trim(),
            ],
          ];
    });
  await expect.poll(listChangeMarks).toContainEqual(['changed', '"description": "Rest"']);
  expect(listChangeMarks()).toHaveLength(1);
});

test('makes the text read-only while it is reloaded', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  await patchAsOtherClient(id, { title: 'Newer' });
  const releaseRequests = await holdRequests();
  await page.getByRole('button', { name: text.record.more }).click();
  await page.getByRole('menuitem', { name: text.record.reload }).click();
  await overwrite('Alpha', 'Typed');
  await expect.element(editor).toMatchTextContent('Cannot edit in read-only editor');
  await expect.element(editor).toMatchTextContent('"Alpha"');
  await releaseRequests();
  await expect.element(editor).toMatchTextContent('"Newer"');
  await overwrite('Newer', 'Typed');
  await expect.element(editor).toMatchTextContent('"Typed"');
});

test('keeps the text visible after a click of a driver on a long line', async () => {
  const id = await storePlan('Alpha');
  await patchAsOtherClient(id, { description: 'wide '.repeat(400) });
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  // Like a browser driver that scrolls the middle of the line into view.
  editor.element().querySelector('.view-line')?.scrollIntoView({ inline: 'center' });
  const getLinesLeft = () => editor.element().querySelector('.view-lines')?.getBoundingClientRect().left;
  await expect.poll(getLinesLeft).toBeLessThan(0);
  await editor.click({ position: { x: 200, y: 200 } });
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  await expect.poll(getLinesLeft).toBeGreaterThan(0);
});

test('lists the elements in the outline and reveals the typed one', async () => {
  await show(<RecordHost ids={[await storePlan('Alpha')]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  await page.getByRole('button', { name: text.crumbs.outline }).click();
  await expect.element(page.getByRole('option', { name: /^description Agreed/ })).toBeVisible();
  await userEvent.keyboard('descr{Enter}');
  const breadcrumbs = page.getByRole('navigation', { name: text.crumbs.name });
  await expect.element(breadcrumbs).toMatchTextContent('description');
});

test('undoes the last edit after a save and redoes the saved text', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite('Alpha', 'Saved');
  await review.click();
  await record.sheet.getByRole('button', { name: text.review.save, exact: true }).click();
  await expect.element(editor).toMatchTextContent('"versionId": "2"');
  await expect.element(tab('Saved')).not.toMatchTextContent('unsaved');
  const savedText = await storedPlan(id);

  await editor.getByText('"Saved"').click();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(editor).toMatchTextContent('"title": "Alpha"');
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(editor).toMatchTextContent('"title": "Saved"');
  await expect.element(tab('Saved')).not.toMatchTextContent('unsaved');
  expect(await storedPlan(id)).toBe(savedText);
});

test('names an invisible character and replaces it only outside strings', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const path = modelPathOf(id);
  const originalText = modelAt(path)?.getValue() ?? '';
  replaceModelText(path, originalText.replace('  "title": "Alpha"', '\u00a0\u00a0"title":\u00a0"A\u00a0b"'));
  await page.getByRole('tab', { name: text.inspector.tabs.issues, exact: false }).click();
  const issues = page.getByRole('region', { name: text.issues.name });
  await expect.element(issues).toMatchTextContent('U+00A0 NO-BREAK SPACE isn’t allowed here.');
  await issues.getByRole('button', { name: 'Replace invisible characters outside strings' }).click();
  await expect.poll(() => modelAt(path)?.getValue()).toBe(originalText.replace('"Alpha"', '"A\u00a0b"'));
});
