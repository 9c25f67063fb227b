import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadedMonaco, loadMonaco, modelAt } from '../../platform/monaco-loader.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { holdRequests, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import markers from './markers/markers.module.css';
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

const { editor, review, tab } = record;

test('what is typed is the tab’s: the other tab keeps its own text, and undo takes back one’s own', async () => {
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

test('a change of the text that is still in the editor is not taken for the tab that comes to the front', async () => {
  const first = await storePlan('Alpha');
  const second = await storePlan('Beta');
  const change = (id: string) => id === second && replaceModelText(modelPathOf(first), '{"title": "Late"}');
  await show(<RecordHost ids={[second, first]} onTurn={change} />);
  await expect.element(editor).toMatchTextContent('"Beta"');
  await tab(first).click();
  await expect.element(editor).toMatchTextContent('"Alpha"');

  await tab('Beta').click();
  await expect.element(editor).toMatchTextContent('"Beta"');
  await expect.element(tab('Beta')).not.toMatchTextContent('unsaved');
  await expect.element(review).toHaveAttribute('aria-disabled', 'true');
  await tab('Alpha').click();
  await expect.element(editor).toMatchTextContent('"Late"');
});

test('the cursor stays at its element when an item in front of it goes, and goes to the next one with its own', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const path = modelPathOf(id);
  const stored = JSON.parse(modelAt(path)?.getValue() ?? '') as object;
  const write = (...names: readonly string[]) => {
    const activity = names.map((description) => ({ detail: { status: 'scheduled', description } }));
    replaceModelText(path, JSON.stringify({ ...stored, activity }, null, 2));
  };
  write('Walk', 'Swim', 'Rest');
  const place = page.getByRole('navigation', { name: text.crumbs.name });
  const selected = () => {
    const [shown] = loadedMonaco()?.editor.getEditors() ?? [];
    const range = shown?.getSelection();
    return range ? modelAt(path)?.getValueInRange(range) : undefined;
  };
  revealPointer(path, '/activity/1/detail/description');
  await expect.poll(selected).toBe('"description": "Swim"');
  write('Swim', 'Rest');
  expect(selected()).toBe('"description": "Swim"');
  await expect.element(place).toMatchTextContent('activity[0]');
  revealPointer(path, '/activity/0/detail/description');
  write('Rest');
  await expect.element(place).toMatchTextContent('activity[0]');
  expect(selected()).toBe('');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(editor).toMatchTextContent('"Swim"');
  expect(selected()).toBe('"description": "Swim"');
});

test('an item that moved is marked where it stands now, and nothing that made way for it', async () => {
  const activity = ['Walk', 'Swim', 'Rest'].map((description) => ({
    detail: { status: 'scheduled', description },
  }));
  const threeActivities = JSON.stringify({ ...(JSON.parse(plan('Alpha')) as object), activity });
  const made = await send('POST', '/fhir-r4/v1/CarePlan', threeActivities);
  const { id } = (await made.json()) as { id: string };
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const path = modelPathOf(id);
  const stored = JSON.parse(modelAt(path)?.getValue() ?? '') as { activity: readonly object[] };
  const [walk, swim, rest] = stored.activity;
  replaceModelText(path, JSON.stringify({ ...stored, activity: [rest, walk, swim] }, null, 2));
  const marks = () =>
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
  await expect.poll(marks).toContainEqual(['changed', '"description": "Rest"']);
  expect(marks()).toHaveLength(1);
});

test('the text cannot be changed while it is read again', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  await changeStored(id, { title: 'Newer' });
  const release = await holdRequests();
  await page.getByRole('button', { name: text.record.more }).click();
  await page.getByRole('menuitem', { name: text.record.reload }).click();
  await overwrite('Alpha', 'Typed');
  await expect.element(editor).toMatchTextContent('Cannot edit in read-only editor');
  await expect.element(editor).toMatchTextContent('"Alpha"');
  await release();
  await expect.element(editor).toMatchTextContent('"Newer"');
  await overwrite('Newer', 'Typed');
  await expect.element(editor).toMatchTextContent('"Typed"');
});

test('a click of a program on a line that is wider than the editor leaves the text in sight', async () => {
  const id = await storePlan('Alpha');
  await changeStored(id, { description: 'wide '.repeat(400) });
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  // As a driver of browsers does, to have the middle of the line where it can click.
  editor.element().querySelector('.view-line')?.scrollIntoView({ inline: 'center' });
  const lines = () => editor.element().querySelector('.view-lines')?.getBoundingClientRect().left;
  await expect.poll(lines).toBeLessThan(0);
  await editor.click({ position: { x: 200, y: 200 } });
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  await expect.poll(lines).toBeGreaterThan(0);
});

test('the outline lists the elements of the text, and leads to the one that is typed', async () => {
  await show(<RecordHost ids={[await storePlan('Alpha')]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  await page.getByRole('button', { name: text.crumbs.outline }).click();
  await expect.element(page.getByRole('option', { name: /^description Agreed/ })).toBeVisible();
  await userEvent.keyboard('descr{Enter}');
  const place = page.getByRole('navigation', { name: text.crumbs.name });
  await expect.element(place).toMatchTextContent('description');
});

test('the first undo after a save takes back the last edit, and redo the save', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite('Alpha', 'Saved');
  await review.click();
  await record.sheet.getByRole('button', { name: text.review.save, exact: true }).click();
  await expect.element(editor).toMatchTextContent('"versionId": "2"');
  await expect.element(tab('Saved')).not.toMatchTextContent('unsaved');
  const saved = await storedPlan(id);

  await editor.getByText('"Saved"').click();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(editor).toMatchTextContent('"title": "Alpha"');
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(editor).toMatchTextContent('"title": "Saved"');
  await expect.element(tab('Saved')).not.toMatchTextContent('unsaved');
  expect(await storedPlan(id)).toBe(saved);
});

test('names a character that cannot be seen, and replaces it outside strings alone', async () => {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"Alpha"');
  const path = modelPathOf(id);
  const written = modelAt(path)?.getValue() ?? '';
  replaceModelText(path, written.replace('  "title": "Alpha"', '\u00a0\u00a0"title":\u00a0"A\u00a0b"'));
  await page.getByRole('tab', { name: text.inspector.tabs.issues, exact: false }).click();
  const issues = page.getByRole('region', { name: text.issues.name });
  await expect.element(issues).toMatchTextContent('U+00A0 NO-BREAK SPACE is not allowed here.');
  await issues.getByRole('button', { name: 'Replace invisible characters outside strings' }).click();
  await expect.poll(() => modelAt(path)?.getValue()).toBe(written.replace('"Alpha"', '"A\u00a0b"'));
});
