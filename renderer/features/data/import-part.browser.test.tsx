import type { ReactNode } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { WorkbenchActionsContext, type WorkbenchActions } from '../../platform/workbench-actions.ts';
import { Said, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { DropShade } from './drop-shade.tsx';
import { ImportPart } from './import-part.tsx';
import { imports } from './import-run.ts';

const words = text.data.import;

beforeEach(startServer);

const plan = (id: string, extra = '') =>
  `{"resourceType":"CarePlan","id":"${id}","status":"active","intent":"plan",\n"subject":{"reference":"Patient/p"}${extra}}`;
const dirty = (id: string) => plan(id, ',"description":7');

/** What of the window stands beside the view. */
const frame = (
  <>
    <DropShade />
    <Said />
  </>
);

/** The view on files of a folder; what it asks of the frame is noted. */
async function importing(files: Readonly<Record<string, string>>, beside?: ReactNode) {
  imports.dispatch({
    type: 'chosen',
    chosen: {
      leftOut: [],
      files: Object.entries(files).map(([name, content]) => ({
        name: `ward/${name}`,
        kind: name.endsWith('.json') ? 'json' : 'lines',
        file: new File([content], name),
      })),
    },
  });
  onTestFinished(() => imports.dispatch({ type: 'cleared' }));
  const asked: unknown[] = [];
  const actions: WorkbenchActions = {
    openRecord: ({ type, id }) => asked.push(`${type}/${id}`),
    search: (pairs, type) => asked.push([type, pairs]),
    beginRecord: () => undefined,
    openPatient: () => undefined,
    openView: (id) => asked.push(id),
    worklistOf: () => undefined,
    auditOf: () => undefined,
    composePatch: () => undefined,
    replaceInAll: () => undefined,
    recordsInHand: () => [],
    openBulkRun: () => undefined,
  };
  await show(
    <WorkbenchActionsContext value={actions}>
      <ImportPart />
      {beside}
    </WorkbenchActionsContext>,
  );
  return asked;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const grid = page.getByRole('grid', { name: words.outcome });
const said = page.getByRole('status', { name: 'Status bar' });

test('a folder of small files goes in one request, and success is one line with what can be done next', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `plan-${index}.json`);
  const asked = await importing(Object.fromEntries(names.map((name) => [name, plan(name.slice(0, -5))])));
  await commands.watchRequests();
  await button(words.withoutDryRun).click();
  await expect.element(page.getByText('120 of 120 records stored.')).toBeVisible();
  expect((await commands.requests()).filter((one) => one.includes('/app/import'))).toHaveLength(1);
  await expect.element(grid).not.toBeInTheDocument();

  await button(words.show).click();
  const [[type, pairs]] = asked as [[string, [string, string][]]];
  const query = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  const found = (await (await send('GET', `/fhir-r4/v1/${type}?${query}`)).json()) as { total: number };
  expect(found.total).toBe(120);

  await button(words.list).click();
  expect(grid.getByRole('row').elements().length).toBeLessThan(60);
  await userEvent.click(grid.getByRole('button').first());
  expect(asked.at(-1)).toMatch(/^CarePlan\/plan-/);
});

test('what is refused comes first, with its reason in full, and can be imported anyway, flagged', async () => {
  const files = {
    'a.ndjson': `${plan('a').replace('\n', '')}\n${dirty('b').replace('\n', '')}`,
    'c.json': dirty('c'),
    'd.json': plan('d'),
  };
  const asked = await importing(files);
  await button(words.dryRun).click();
  await expect.element(grid).toBeVisible();
  await expect.element(page.getByText(words.inFolder('ward/'))).toBeVisible();
  await expect
    .element(grid.getByRole('row').nth(1))
    .toMatchTextContent(/^a\.ndjson2RefusedCarePlan\.description: /);
  await expect
    .element(grid.getByRole('row').nth(2))
    .toMatchTextContent(/^c\.jsonRefusedCarePlan\.description: /);

  await button(words.anyway(2)).click();
  await expect.element(page.getByText('2 of 2 records stored.')).toBeVisible();
  const bundle = (await (await send('GET', '/fhir-r4/v1/CarePlan?subject=p')).json()) as {
    entry: { resource: { id: string } }[];
  };
  expect(bundle.entry.map(({ resource: { id } }) => id).sort()).toEqual(['b', 'c']);
  await button(words.worklist(2)).click();
  expect(asked).toEqual(['quality']);
  // The others still wait for their import.
  await button(words.withoutDryRun).click();
  await expect.element(page.getByText('2 of 4 records stored, 2 refused.')).toBeVisible();
});

test('the window says when an import begins and what came of it, and keeps a note of what was stored', async () => {
  await importing({ 'a.json': plan('a'), 'b.json': dirty('b') }, frame);
  const notes = async () => {
    const answer = await send('GET', '/app/activity?kind=import');
    return ((await answer.json()) as { entries: { note: string }[] }).entries.map(({ note }) => note);
  };
  await button(words.dryRun).click();
  await expect.element(said).toMatchTextContent(/^Dry run: 1 of 2 .*Nothing was stored\.$/);
  await button(words.importFiles(2)).click();
  await expect.poll(notes).toEqual(['1 of 2 records stored, 1 refused.']);
  await expect.element(said).toMatchTextContent('1 of 2 records stored, 1 refused.');
});

test('files that are dropped on the window are listed, and those that are no records are told', async () => {
  await importing({}, frame);
  const dropped = new DataTransfer();
  for (const name of ['a.json', 'notes.txt']) dropped.items.add(new File([plan('a')], name));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, cancelable: true }));
  await expect.element(page.getByText(text.data.wrongType('notes.txt'))).toBeVisible();
  await expect.element(said).toMatchTextContent(words.added(1));
  expect(imports.get().files.map(({ name }) => name)).toEqual(['a.json']);
});

test('what is dropped and cannot be read is told, and nothing of it is taken', async () => {
  await importing({}, frame);
  const entry = {
    isFile: true,
    file: (_: unknown, fail: (why: unknown) => void) => fail(new DOMException('', 'NotReadableError')),
  };
  const items = [{ webkitGetAsEntry: () => entry, getAsFile: () => null }];
  const drop = new DragEvent('drop', { cancelable: true });
  Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], items } });
  window.dispatchEvent(drop);
  await expect.element(said).toHaveTextContent(words.unread);
  expect(imports.get().files).toEqual([]);
});

test('what is wrong is stored where the level is off, and refused where it is standard again', async () => {
  await importing({ 'a.json': dirty('a') });
  const level = page.getByLabelText(words.level);
  await userEvent.selectOptions(level, 'off');
  await button(words.dryRun).click();
  await expect.element(page.getByText('1 of 1 record would be stored.', { exact: false })).toBeVisible();
  await userEvent.selectOptions(level, 'standard');
  await button(words.dryRun).click();
  await expect
    .element(page.getByText('0 of 1 record would be stored, 1 refused.', { exact: false }))
    .toBeVisible();
});
