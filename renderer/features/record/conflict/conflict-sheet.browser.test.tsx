import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Json, Members } from '../../../../core/json/testing/edits.ts';
import { loadedMonaco, loadMonaco } from '../../../platform/monaco-loader.ts';
import { replaceModelText } from '../../../platform/monaco-text.ts';
import { send, show, startServer } from '../../../testing/show.tsx';
import { text } from '../../../ui/text.ts';
import { modelPathOf, record, RecordHost } from '../testing/record-host.tsx';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

const { editor, review, sheet, conflict, tab } = record;

const plan = (members: Members): Members => ({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  title: 'Alpha',
  subject: { reference: 'Patient/p1' },
  ...members,
});
const detail = (members: Members) => plan({ activity: [{ detail: { status: 'scheduled', ...members } }] });
const extension = (members: Members) => plan({ extension: [{ url: 'http://x.example/e', ...members }] });

/** Opens a plan, types `ours`, stores `theirs` from outside the page, and saves. */
async function collide(base: Members, ours: Members, theirs: Members): Promise<void> {
  const { id } = (await (await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(base))).json()) as {
    id: string;
  };
  await show(<RecordHost ids={[id]} />);
  await expect.element(editor).toMatchTextContent('"title": "Alpha"');
  replaceModelText(modelPathOf(id), JSON.stringify({ id, ...ours }, undefined, 2));
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  await review.click();
  const changes = Object.entries(theirs).filter(([name, value]) => value !== base[name]);
  const operations = changes.map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
  await send('PATCH', `/fhir-r4/v1/CarePlan/${id}`, JSON.stringify(operations));
  await sheet.getByRole('button', { name: text.review.save, exact: true }).click();
  await expect.element(conflict).toBeVisible();
}

const mg = { value: 1, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' };
const coding = { system: 'http://snomed.info/sct', code: '111', display: 'one' };
const daily = { frequency: 1, period: 1, periodUnit: 'd' };
const note = { text: 'Base', authorString: 'Fixture A', time: '2026-01-01' };

describe('a value changed on both sides', () => {
  test.each<[string, string, (value: Json) => Members, Json, Json, Json]>([
    [
      'a quantity',
      '/activity/0/detail/dailyAmount',
      (dailyAmount) => detail({ dailyAmount }),
      mg,
      { ...mg, value: 2 },
      { ...mg, unit: 'g', code: 'g' },
    ],
    [
      'a reference',
      '/subject',
      (subject) => plan({ subject }),
      { reference: 'Patient/p1', display: 'Ann Fixture' },
      { reference: 'Patient/p2', display: 'Ann Fixture' },
      { reference: 'Patient/p1', display: 'Ann Fixture (born 1950)' },
    ],
    [
      'a concept',
      '/activity/0/detail/code',
      (code) => detail({ code }),
      { coding: [coding] },
      { coding: [{ ...coding, code: '222' }] },
      { coding: [{ ...coding, display: 'One, revised' }] },
    ],
    [
      'a timing',
      '/activity/0/detail/scheduledTiming',
      (scheduledTiming) => detail({ scheduledTiming }),
      { repeat: daily },
      { repeat: { ...daily, frequency: 2 } },
      { repeat: { ...daily, periodUnit: 'h' } },
    ],
    [
      'a period',
      '/period',
      (period) => plan({ period }),
      { start: '2026-01-01', end: '2026-06-01' },
      { start: '2026-03-01', end: '2026-06-01' },
      { start: '2026-01-01', end: '2026-04-15' },
    ],
    [
      'an identifier',
      '/identifier/0',
      (identifier) => plan({ identifier: [identifier] }),
      { system: 'urn:oid:1.2.3', value: '1' },
      { system: 'urn:oid:1.2.4', value: '1' },
      { system: 'urn:oid:1.2.3', value: '2' },
    ],
    [
      'a note',
      '/note/0',
      (value) => plan({ note: [value] }),
      note,
      { ...note, text: 'Mine' },
      { ...note, authorString: 'Fixture B' },
    ],
    [
      'a choice',
      '/extension/0/valueString',
      (value) => extension(value as Members),
      { valueString: 'a' },
      { valueBoolean: true },
      { valueInteger: 3 },
    ],
  ])('shows one overlap with full values: %s', async (_name, pointer, createMembers, base, ours, theirs) => {
    await collide(createMembers(base), createMembers(ours), createMembers(theirs));
    await expect.element(conflict).toMatchTextContent(text.conflict.open(1));
    const choice = conflict.getByRole('radiogroup', { name: text.conflict.choose(pointer) });
    for (const side of ['ours', 'theirs'] as const) {
      await expect
        .element(choice.getByRole('radio', { name: text.conflict.choices[side] }))
        .not.toBeChecked();
    }
    const cells = choice.element().closest('tr')?.querySelectorAll('pre') ?? [];
    expect([...cells].map(({ textContent }) => JSON.parse(textContent) as Json)).toEqual([
      ours,
      base,
      theirs,
    ]);
  });
});

const reviewMerge = conflict.getByRole('button', { name: text.conflict.review, exact: true });
const getResultEditor = () => loadedMonaco()?.editor.getDiffEditors()[0]?.getModifiedEditor();
const readPlan = async (): Promise<unknown> => {
  const { entry } = (await (await send('GET', '/fhir-r4/v1/CarePlan')).json()) as {
    entry: { resource: unknown }[];
  };
  return entry[0]?.resource;
};

/** Returns the values that the table marks as part of the result. */
const readTakenValues = () =>
  new Set(
    [...conflict.element().querySelectorAll('td[data-taken="true"] pre')].map(
      ({ textContent }) => JSON.parse(textContent) as Json,
    ),
  );

/** Sends the reviewed text and checks the stored record. */
async function expectSaved(members: Members): Promise<void> {
  await sheet.getByRole('button', { name: text.review.save, exact: true }).click();
  await expect.poll(readPlan).toMatchObject({ meta: { versionId: '3' }, ...members });
}

test('leads to the review once each overlap has a choice, and saves the chosen values', async () => {
  await collide(
    plan({ description: 'Base' }),
    plan({ title: 'Mine', description: 'My description', intent: 'order' }),
    plan({ title: 'Theirs', description: 'Their description', status: 'on-hold' }),
  );
  await expect.element(conflict).toMatchTextContent(text.conflict.open(2));
  const choose = (pointer: string, side: 'ours' | 'theirs') =>
    conflict
      .getByRole('radiogroup', { name: text.conflict.choose(pointer) })
      .getByText(text.conflict.choices[side])
      .click();
  await choose('/title', 'ours');
  await expect.element(reviewMerge).toBeDisabled();
  await choose('/description', 'theirs');
  await expect.poll(readTakenValues).toEqual(new Set(['Mine', 'Their description', 'order', 'on-hold']));
  await reviewMerge.click();
  const mergedMembers = {
    title: 'Mine',
    description: 'Their description',
    intent: 'order',
    status: 'on-hold',
  };
  await expectSaved(mergedMembers);
  await expect.element(editor).toMatchTextContent('"description": "Their description"');
});

test('leads to the review of a text that was edited here, unless it is invalid', async () => {
  await collide(plan({}), plan({ title: 'Mine' }), plan({ title: 'Theirs' }));
  await conflict
    .getByRole('radiogroup', { name: text.conflict.choose('/title') })
    .getByText(text.conflict.choices.ours)
    .click();
  await expect.poll(() => getResultEditor()?.getValue()).toContain('"title": "Mine"');
  const mergedText = getResultEditor()?.getValue() ?? '';
  getResultEditor()?.setValue(mergedText.replace('"Mine"', '"Mine'));
  await expect.element(conflict).toMatchTextContent(text.conflict.invalid);
  await expect.element(reviewMerge).toBeDisabled();
  getResultEditor()?.setValue(mergedText.replace('"Mine"', '"Mine and theirs"'));
  await reviewMerge.click();
  await expectSaved({ title: 'Mine and theirs' });
  await expect.element(editor).toMatchTextContent('"title": "Mine and theirs"');
});

test('takes back the edits of the result, and no choice while it is edited', async () => {
  await collide(plan({}), plan({ title: 'Mine' }), plan({ title: 'Theirs' }));
  const choice = conflict.getByRole('radiogroup', { name: text.conflict.choose('/title') });
  await choice.getByText(text.conflict.choices.ours).click();
  await expect.poll(() => getResultEditor()?.getValue()).toContain('"title": "Mine"');
  const mergedText = getResultEditor()?.getValue() ?? '';
  getResultEditor()?.setValue(mergedText.replace('"Mine"', '"Edited"'));
  const theirChoice = choice.getByRole('radio', { name: text.conflict.choices.theirs });
  await expect.element(theirChoice).toBeDisabled();
  await conflict.getByRole('button', { name: text.conflict.undoEdits }).click();
  await expect.element(theirChoice).toBeEnabled();
  await expect.poll(() => getResultEditor()?.getValue()).toBe(mergedText);
  await reviewMerge.click();
  await expectSaved({ title: 'Mine' });
});

test('shows their value in the result before a choice is made, and lets nobody edit it', async () => {
  await collide(plan({}), plan({ title: 'Mine' }), plan({ title: 'Theirs' }));
  await expect.element(conflict).toMatchTextContent(text.conflict.open(1));
  const result = () => {
    const resultEditor = getResultEditor();
    return [resultEditor?.getValue(), resultEditor?.getRawOptions().readOnly];
  };
  await expect.poll(result).toEqual([expect.stringContaining('"title": "Theirs"'), true]);
  const choice = conflict.getByRole('radiogroup', { name: text.conflict.choose('/title') });
  await choice.getByText(text.conflict.choices.ours).click();
  await expect.poll(result).toEqual([expect.stringContaining('"title": "Mine"'), false]);
});

test('uses our text in the editor if no choice is made', async () => {
  await collide(plan({}), plan({ title: 'Mine' }), plan({ title: 'Theirs' }));
  await conflict.getByRole('button', { name: text.conflict.others }).click();
  await page.getByRole('menuitem', { name: text.conflict.edit }).click();
  await expect.element(editor).toMatchTextContent('"title": "Mine"');
});

test('names the author of the newer version', async () => {
  await collide(plan({}), plan({ title: 'Mine' }), plan({ title: 'Theirs' }));
  await expect.element(conflict).toMatchTextContent(text.conflict.found(2, 'owner'));
});

test('addresses the user who saved the newer version in another window', async () => {
  const { id } = (await (await send('POST', '/app/people', '{"name":"Robin"}')).json()) as { id: string };
  await send('PUT', '/app/person', JSON.stringify({ id }));
  await collide(plan({}), plan({ title: 'Mine' }), plan({ title: 'Theirs' }));
  await expect.element(conflict).toMatchTextContent(text.conflict.foundOwn(2));
});
