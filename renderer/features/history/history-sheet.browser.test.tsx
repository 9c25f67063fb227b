import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Members } from '../../../core/json/testing/edits.ts';
import { loadedMonaco, loadMonaco } from '../../platform/monaco-loader.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { HistorySheet } from './history-sheet.tsx';
import type { Subject } from './use-history.ts';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

const plans = '/fhir-r4/v1/CarePlan';
const ignore = (): void => undefined;
const list = page.getByRole('listbox', { name: text.history.versions });
const line = (version: number) => list.getByRole('option').filter({ hasText: text.history.version(version) });
const restoreButton = (version: number) =>
  page.getByRole('button', { name: text.history.restore(version), exact: true });

/** Stores a plan, and one more version for each change. Returns its id. */
async function storeVersions(members: Members, ...changes: readonly Members[]): Promise<string> {
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/p1' },
    ...members,
  };
  const { id } = (await (await send('POST', plans, JSON.stringify(plan))).json()) as { id: string };
  for (const change of changes) await storeVersion(id, change);
  return id;
}

async function storeVersion(id: string, change: Members): Promise<void> {
  const operations = Object.entries(change).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  await send('PATCH', `${plans}/${id}`, JSON.stringify(operations));
}

/** Returns a record as a tab has loaded it. */
const subjectOf = (id: string, version: number): Subject => ({
  type: 'CarePlan',
  id,
  version,
  versionId: String(version),
  lastUpdated: '2026-01-01T00:00:00Z',
});

const restored: [recordText: string, version: number][] = [];
beforeEach(() => void restored.splice(0));

const sheetOf = (id: string, version: number) => (
  <HistorySheet
    subject={subjectOf(id, version)}
    name="Alpha"
    onRestore={(...restore) => restored.push(restore)}
    onClose={ignore}
  />
);

const readSides = () => {
  const diffEditor = loadedMonaco()?.editor.getDiffEditors()[0];
  return [diffEditor?.getOriginalEditor().getValue(), diffEditor?.getModifiedEditor().getValue()];
};
const containing = (...parts: readonly string[]) => parts.map((part) => expect.stringContaining(part));

test('shows the earlier version on the left, and changed tags but no metadata of the server', async () => {
  const tagged = (code: string) => ({ tag: [{ system: 'urn:tags', code }] });
  const id = await storeVersions(
    { title: 'One', meta: tagged('before') },
    { title: 'Two', meta: tagged('after') },
  );
  await show(sheetOf(id, 2));
  await expect.poll(readSides).toEqual(containing('"title": "One"', '"title": "Two"'));
  expect(readSides()).toEqual(containing('"code": "before"', '"code": "after"'));
  expect(readSides().join()).not.toContain('versionId');
  await page.getByRole('switch', { name: text.history.stamp }).click();
  await expect.poll(readSides).toEqual(containing('"versionId": "1"', '"versionId": "2"'));
});

test('restores the content of the selected version as an edit of the current one', async () => {
  const id = await storeVersions({ title: 'One' }, { title: 'Two' }, { title: 'Three' });
  await show(sheetOf(id, 3));
  await line(2).click();
  await restoreButton(2).click();
  await expect.poll(() => restored.length).toBe(1);
  const [recordText, version] = restored[0] ?? [];
  expect(version).toBe(2);
  expect(JSON.parse(recordText ?? '')).toMatchObject({ id, title: 'Two', meta: { versionId: '3' } });
});

test('marks the version of the tab as current, although the server has a newer one', async () => {
  const id = await storeVersions({ title: 'One' }, { title: 'Two' }, { title: 'Three' });
  await show(sheetOf(id, 2));
  await expect.element(line(2)).toMatchTextContent(text.history.current);
  await expect.element(line(3)).not.toMatchTextContent(text.history.current);
  await expect.element(restoreButton(3)).toHaveAttribute('aria-disabled', 'false');
  await line(2).click();
  await expect.element(restoreButton(2)).toHaveAttribute('aria-disabled', 'true');
});

test('shows the versions of each further save and of another record', async () => {
  const id = await storeVersions({ title: 'One' }, { title: 'Two' });
  const otherId = await storeVersions({ title: 'Other one' }, { title: 'Other two' });
  const { rerender } = await show(sheetOf(id, 2));
  await expect.element(list.getByRole('option').first()).toMatchTextContent(text.history.version(2));
  await expect.poll(readSides).toEqual(containing('"One"', '"Two"'));
  await storeVersion(id, { title: 'Three' });
  await rerender(sheetOf(id, 3));
  await expect.element(list.getByRole('option').first()).toMatchTextContent(text.history.version(3));
  await expect.poll(readSides).toEqual(containing('"Two"', '"Three"'));
  await rerender(sheetOf(otherId, 2));
  await expect.element(list.getByRole('option').first()).toMatchTextContent(text.history.version(2));
  await expect.poll(readSides).toEqual(containing('"Other one"', '"Other two"'));
});

test('loads older versions when the keyboard reaches the last one', async () => {
  const changes = Array.from({ length: 51 }, (_, index) => ({ title: `Title ${index}` }));
  const id = await storeVersions({ title: 'One' }, ...changes);
  await show(sheetOf(id, 52));
  await expect.poll(() => list.getByRole('option').elements().length).toBe(50);
  (list.element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.poll(() => list.getByRole('option').elements().length).toBe(52);
});
