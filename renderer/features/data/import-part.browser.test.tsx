import type { ReactNode } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { WorkbenchActionsContext, type WorkbenchActions } from '../../platform/workbench-actions.ts';
import { StatusMessage, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { listSelectedFiles } from './chosen-files.ts';
import { DropOverlay } from './drop-shade.tsx';
import { ImportSection } from './import-part.tsx';
import { imports } from './import-run.ts';

const messages = text.data.import;

beforeEach(startServer);

const plan = (id: string, extra = '') =>
  `{"resourceType":"CarePlan","id":"${id}","status":"active","intent":"plan",\n"subject":{"reference":"Patient/p"}${extra}}`;
const dirty = (id: string) => plan(id, ',"description":7');

/** Window-wide parts next to the view. */
const frame = (
  <>
    <DropOverlay />
    <StatusMessage />
  </>
);

/** Renders the view with files of a folder and records its workbench actions. */
async function showImport(files: Readonly<Record<string, BlobPart>>, siblings?: ReactNode) {
  imports.dispatch({
    type: 'chosen',
    files: listSelectedFiles(
      Object.entries(files).map(([name, content]) => ({
        name: `ward/${name}`,
        file: new File([content], name),
      })),
    ),
  });
  onTestFinished(() => imports.dispatch({ type: 'cleared' }));
  const actionCalls: unknown[] = [];
  const actions: WorkbenchActions = {
    openRecord: ({ type, id }) => actionCalls.push(`${type}/${id}`),
    search: (pairs, type) => actionCalls.push([type, pairs]),
    beginRecord: () => undefined,
    openPatient: () => undefined,
    openView: (id) => actionCalls.push(id),
    worklistOf: () => undefined,
    auditOf: () => undefined,
    composePatch: () => undefined,
    replaceInAll: () => undefined,
    loadedRecords: () => [],
    openBulkRun: () => undefined,
  };
  await show(
    <WorkbenchActionsContext value={actions}>
      <ImportSection />
      {siblings}
    </WorkbenchActionsContext>,
  );
  return actionCalls;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const grid = page.getByRole('grid', { name: messages.outcome });
const statusBar = page.getByRole('status', { name: 'Status bar' });

test('imports a folder of small files in one request and shows one line with next actions', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `plan-${index}.json`);
  const actionCalls = await showImport(
    Object.fromEntries(names.map((name) => [name, plan(name.slice(0, -5))])),
  );
  await commands.watchRequests();
  await button(messages.withoutDryRun).click();
  await expect.element(page.getByText('120 of 120 records stored.')).toBeVisible();
  expect((await commands.requests()).filter((request) => request.includes('/app/import'))).toHaveLength(1);
  await expect.element(grid).not.toBeInTheDocument();

  await button(messages.showRecords).click();
  const [[type, pairs]] = actionCalls as [[string, [string, string][]]];
  const query = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  const matches = (await (await send('GET', `/fhir-r4/v1/${type}?${query}`)).json()) as { total: number };
  expect(matches.total).toBe(120);

  await button(messages.showResults).click();
  expect(grid.getByRole('row').elements().length).toBeLessThan(60);
  await userEvent.click(grid.getByRole('button').first());
  expect(actionCalls.at(-1)).toMatch(/^CarePlan\/plan-/);
});

const mixedFiles = {
  'a.ndjson': `${plan('a').replace('\n', '')}\n${dirty('b').replace('\n', '')}`,
  'c.json': dirty('c'),
  'd.json': plan('d'),
};

async function storedIds(): Promise<readonly string[]> {
  const bundle = (await (await send('GET', '/fhir-r4/v1/CarePlan?subject=p')).json()) as {
    entry?: { resource: { id: string } }[];
  };
  return (bundle.entry ?? []).map(({ resource: { id } }) => id).sort();
}

test('lists rejected records first and imports them flagged after the others', async () => {
  const actionCalls = await showImport(mixedFiles);
  await button(messages.dryRun).click();
  await expect.element(grid).toBeVisible();
  await expect.element(page.getByText(messages.allInFolder('ward/'))).toBeVisible();
  await expect.element(page.getByText(/^3 files, [\d.]+ /)).toBeVisible();
  await expect
    .element(grid.getByRole('row').nth(1))
    .toMatchTextContent(/^a\.ndjson2Would be refusedCarePlan\.description: /);
  await expect
    .element(grid.getByRole('row').nth(2))
    .toMatchTextContent(/^c\.jsonWould be refusedCarePlan\.description: /);

  await button(messages.importRecords(2)).click();
  await expect.element(page.getByText('2 of 4 records stored. 2 refused.')).toBeVisible();
  expect(await storedIds()).toEqual(['a', 'd']);
  await button(messages.importRefused(2)).click();
  await expect.element(page.getByText('2 of 2 records stored.')).toBeVisible();
  expect(await storedIds()).toEqual(['a', 'b', 'c', 'd']);
  await button(messages.reviewIssues(2)).click();
  expect(actionCalls).toEqual(['quality']);
});

test('imports all records after a dry run, with rejected records flagged', async () => {
  await showImport(mixedFiles);
  await button(messages.dryRun).click();
  await page.getByRole('radio', { name: messages.choice.flagged(4) }).click();
  await button(messages.importRecords(4)).click();
  await expect.element(page.getByText('4 of 4 records stored.')).toBeVisible();
  expect(await storedIds()).toEqual(['a', 'b', 'c', 'd']);
});

test('offers no import of rejected records that no level stores', async () => {
  await showImport({
    'a.json': plan('a'),
    'b.json': 'no JSON',
    'c.json': plan('c').replace('CarePlan', 'Plan'),
  });
  await button(messages.withoutDryRun).click();
  await expect.element(page.getByText('1 of 3 records stored. 2 refused.')).toBeVisible();
  await expect.element(button(messages.showRecords)).toBeVisible();
  for (const count of [1, 2]) expect(button(messages.importRefused(count)).elements()).toEqual([]);
});

test('announces the start and result of an import and logs the stored records', async () => {
  await showImport({ 'a.json': plan('a'), 'b.json': dirty('b') }, frame);
  const notes = async () => {
    const answer = await send('GET', '/app/activity?kind=import');
    return ((await answer.json()) as { entries: { note: string }[] }).entries.map(({ note }) => note);
  };
  await button(messages.dryRun).click();
  await expect.element(statusBar).toMatchTextContent(/^Dry run finished\. 1 of 2 .*Nothing was stored\.$/);
  await button(messages.importRecords(1)).click();
  await expect.poll(notes).toEqual(['1 of 2 records stored. 1 refused.']);
  await expect.element(statusBar).toMatchTextContent('1 of 2 records stored. 1 refused.');
});

test('lists dropped files, and counts skipped files apart from records', async () => {
  await showImport({}, frame);
  const dropped = new DataTransfer();
  for (const name of ['a.json', 'notes.txt'])
    dropped.items.add(new File([name === 'a.json' ? plan('a') : 'Notes'], name));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, cancelable: true }));
  await expect.element(statusBar).toMatchTextContent(messages.added(2));
  expect(imports.get().files.map(({ name }) => name)).toEqual(['a.json', 'notes.txt']);
  await button(messages.withoutDryRun).click();
  await expect.element(statusBar).toMatchTextContent('1 of 1 record stored.');
  await expect.element(page.getByText('Skipped 1 file: .txt 1.')).toBeVisible();
});

interface ListedBatch {
  readonly id: string;
  readonly state: string;
}

/** Waits until the only batch has ended. */
async function readBatch(): Promise<ListedBatch> {
  const read = async () =>
    ((await (await send('GET', '/app/batches')).json()) as { batches: ListedBatch[] }).batches[0];
  await expect.poll(read).toMatchObject({ state: 'done' });
  return (await read()) ?? { id: '', state: '' };
}

async function gzip(content: string): Promise<ArrayBuffer> {
  const packing = new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(packing).arrayBuffer();
}

test('accounts for each entry of nested Bundles, XML and gzip files', async () => {
  const bundle = (...resources: readonly string[]) =>
    `{"entry":[${resources.map((resource) => `{"resource":${resource}}`).join(',')}],"resourceType":"Bundle"}`;
  await showImport({
    'a.json': bundle(plan('a'), bundle(plan('b'), dirty('c')), '[7]', 'null'),
    'b.ndjson.gz': await gzip(`${plan('d').replace('\n', '')}\n{"resourceType":"CarePlan","id":"e"`),
    'c.xml':
      '<CarePlan xmlns="http://hl7.org/fhir"><id value="f"/><status value="active"/><intent value="plan"/><subject><reference value="Patient/p"/></subject></CarePlan>',
    'd.json': '{"resourceType":"Bundle","type":"collection"}',
  });
  await button(messages.withoutDryRun).click();
  await expect.element(page.getByText('4 of 8 records stored. 3 refused. 1 skipped.')).toBeVisible();
  await expect.element(page.getByText('Skipped 1 file: .json 1.')).toBeVisible();
  expect(await storedIds()).toEqual(['a', 'b', 'd', 'f']);
  const batch = await readBatch();
  expect(batch).toMatchObject({
    name: 'ward',
    form: 'page',
    state: 'done',
    counts: { stored: 4, refused: 3, skipped: 2 },
  });
  const { lines } = (await (await send('GET', `/app/batches/${batch.id}/lines`)).json()) as {
    lines: readonly { file: string; place?: number; path?: string; result: string }[];
  };
  const places = lines.map(({ file, place = '', path = '', result }) => `${file} ${path || place} ${result}`);
  expect(places.sort()).toEqual([
    'ward/a.json 1 stored',
    'ward/a.json 4 skipped',
    'ward/a.json entry[1].resource.entry[0].resource stored',
    'ward/a.json entry[1].resource.entry[1].resource refused',
    'ward/a.json entry[2].resource[0] refused',
    'ward/b.ndjson.gz 1 stored',
    'ward/b.ndjson.gz 2 refused',
    'ward/c.xml  stored',
    'ward/d.json  skipped',
  ]);
  const refusedRow = grid.getByRole('row').nth(1);
  await expect.element(refusedRow).toMatchTextContent(/entry\[1\].*Refused.*CarePlan\.description/);
  // Only the record that rules refused is sent again.
  await button(messages.importRefused(1)).click();
  await expect.element(page.getByText('1 of 1 record stored.')).toBeVisible();
  expect(await storedIds()).toEqual(['a', 'b', 'c', 'd', 'f']);
});

test('names a file that changed before it was read, and imports the others', async () => {
  await showImport({ 'a.json': plan('a'), 'b.json': plan('b') });
  const { files } = imports.get();
  const unreadable = files[0]?.file ?? new File([], '');
  const fail = () => {
    throw new DOMException('', 'NotReadableError');
  };
  Object.defineProperties(unreadable, { stream: { value: fail }, slice: { value: fail } });
  await button(messages.withoutDryRun).click();
  await expect.element(page.getByText('1 of 2 records stored. 1 refused.')).toBeVisible();
  await expect
    .element(grid.getByRole('row').nth(1))
    .toMatchTextContent(/^a\.jsonRefusedThe file can’t be read/);
});

test("reports dropped files that can't be read and lists none", async () => {
  await showImport({}, frame);
  const entry = {
    isFile: true,
    file: (_: unknown, fail: (error: unknown) => void) => fail(new DOMException('', 'NotReadableError')),
  };
  const items = [{ webkitGetAsEntry: () => entry, getAsFile: () => null }];
  const drop = new DragEvent('drop', { cancelable: true });
  Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], items } });
  window.dispatchEvent(drop);
  await expect.element(statusBar).toHaveTextContent(messages.readFailed);
  expect(imports.get().files).toEqual([]);
});

test('stores invalid records at level off and rejects them at level standard', async () => {
  await showImport({ 'a.json': dirty('a') });
  const level = page.getByLabelText(messages.validation);
  await userEvent.selectOptions(level, 'off');
  await button(messages.dryRun).click();
  await expect.element(page.getByText('1 of 1 record would be stored.', { exact: false })).toBeVisible();
  await userEvent.selectOptions(level, 'standard');
  await button(messages.dryRun).click();
  await expect
    .element(page.getByText('0 of 1 record would be stored. 1 would be refused.', { exact: false }))
    .toBeVisible();
});

const reasons = page.getByRole('treegrid', { name: messages.reasons });
const groupRow = (name: RegExp) => reasons.getByRole('row', { name });

test('groups a dry run by reason, opens a group by keyboard, and imports what the choice names', async () => {
  await showImport({
    ...mixedFiles,
    'e.json': 'no JSON',
    'f.json': '{"resourceType":"Patient","id":"p","name":[{"text":"P"}]}',
  });
  await button(messages.dryRun).click();
  await expect.element(groupRow(/^Would be stored\s*2$/)).toBeVisible();
  await expect.element(groupRow(/^Would be stored as a related resource\s*1$/)).toBeVisible();
  const storable = groupRow(/^Refused, can be stored flagged.*2$/);
  await expect.element(groupRow(/^Would be refused.*1$/)).toBeVisible();
  expect(grid.getByRole('row').elements()).toHaveLength(7);

  storable.element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(storable).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(() => grid.getByRole('row').elements().length).toBe(3);
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(() => grid.getByRole('row').elements().length).toBe(7);

  await expect.element(page.getByText(messages.choice.notStorable(1))).toBeVisible();
  await expect.element(page.getByRole('radio', { name: messages.choice.good(2) })).toBeChecked();
  expect(page.getByRole('radio', { name: messages.choice.new(2) }).elements()).toEqual([]);
  await button(messages.importRecords(2)).click();
  await expect.element(page.getByText('2 of 5 records stored. 3 refused.', { exact: false })).toBeVisible();
  expect(await storedIds()).toEqual(['a', 'd']);
});

test('leaves related resources that are here with other content, if only new ones are chosen', async () => {
  const bundle = (name: string, ...others: readonly string[]) => {
    const patient = `{"resourceType":"Patient","id":"p","name":[{"text":"${name}"}]}`;
    const entries = [`{"fullUrl":"http://a.example/Patient/p","resource":${patient}}`, ...others];
    return `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`;
  };
  await showImport({ 'a.json': bundle('Former') });
  await button(messages.withoutDryRun).click();
  await expect.element(page.getByText('1 related resource stored.', { exact: false })).toBeVisible();
  imports.dispatch({ type: 'cleared' });
  const file = new File([bundle('Later', `{"resource":${plan('a')}}`)], 'b.json');
  imports.dispatch({ type: 'chosen', files: listSelectedFiles([{ name: 'b.json', file }]) });
  await button(messages.dryRun).click();
  await page.getByRole('radio', { name: messages.choice.new(1) }).click();
  await button(messages.importRecords(1)).click();
  await expect.element(page.getByText('1 of 1 record stored.')).toBeVisible();
  expect(await (await send('GET', '/app/companions/Patient/p')).text()).toContain('Former');
});

test('says that all records can be stored, or that none can, and goes back to the files', async () => {
  await showImport({ 'a.json': plan('a'), 'b.json': plan('b') });
  await button(messages.dryRun).click();
  await expect.element(page.getByText(messages.choice.allGood(2))).toBeVisible();
  await button(messages.changeFiles).click();
  await expect.element(button(messages.dryRun)).toBeVisible();
  imports.dispatch({ type: 'cleared' });
  const file = new File(['no JSON'], 'c.json');
  imports.dispatch({ type: 'chosen', files: listSelectedFiles([{ name: 'c.json', file }]) });
  await button(messages.dryRun).click();
  await expect.element(page.getByText(messages.choice.noneGood)).toBeVisible();
  expect(page.getByRole('radio').elements()).toEqual([]);
  await expect.element(button(messages.changeFiles)).toBeVisible();
});

test('draws the visible rows of 2,000 files only', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `plan-${index}.json`);
  await showImport(Object.fromEntries(names.map((name) => [name, '{}'])));
  const files = page.getByRole('region', { name: messages.files });
  await expect.element(files.getByRole('grid')).toHaveAttribute('aria-rowcount', '2001');
  expect(files.getByRole('row').elements().length).toBeLessThan(60);
});
