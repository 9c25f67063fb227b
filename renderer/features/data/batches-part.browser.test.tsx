import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { useWorkbenchActions, WorkbenchActionsContext } from '../../platform/workbench-actions.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { BatchesSection } from './batches-part.tsx';

const messages = text.batches;
const noImport = () => undefined;

beforeEach(startServer);

const button = (name: string) => page.getByRole('button', { name, exact: true });
const table = page.getByRole('table', { name: messages.table });
const plan = (id: string, members = '"status":"active"') =>
  `{"resourceType":"CarePlan","id":"${id}",${members},"intent":"plan","subject":{"reference":"Patient/p-${id}"}}`;
const patient = (id: string) => `{"resourceType":"Patient","id":"p-${id}"}`;
const importBatch = (name: string, ...resources: readonly string[]) =>
  send(
    'POST',
    `/app/import?keepIds=true&level=off&name=${name}`,
    `{"resourceType":"Bundle","type":"collection","entry":[${resources.map((resource) => `{"resource":${resource}}`).join(',')}]}`,
  );

/** Passes the actions of the workbench to a list. */
function Recorded({ calls }: { readonly calls: unknown[] }) {
  const actions = {
    ...useWorkbenchActions(),
    worklistOf: (selection: unknown) => calls.push(selection),
    search: (...query: unknown[]) => calls.push(query),
  };
  return (
    <WorkbenchActionsContext value={actions}>
      <BatchesSection onImport={noImport} />
    </WorkbenchActionsContext>
  );
}

test('offers the import if there is no batch', async () => {
  const calls: string[] = [];
  await show(<BatchesSection onImport={() => calls.push('import')} />);
  await expect.element(page.getByText(messages.empty)).toBeVisible();
  await button(messages.startImport).click();
  expect(calls).toEqual(['import']);
});

test('lists a batch with its state, its lines and its issues', async () => {
  await importBatch('ward-7.json', plan('a'), plan('b', '"status":"odd"'), patient('a'));
  await send('PUT', '/fhir-r4/v1/CarePlan/a', plan('a', '"status":"completed"'));
  const calls: unknown[] = [];
  await show(<Recorded calls={calls} />);
  const row = table.getByRole('row').nth(1);
  await expect.element(row).toMatchTextContent(/ward-7\.json/);
  await expect.element(row).toMatchTextContent(messages.since(1, 1));

  await button(messages.openWorklistOf('ward-7.json')).click();
  await button(messages.showLines('ward-7.json')).click();
  await button(messages.showRecordsOf('CarePlan', 'ward-7.json')).click();
  const [worklist, search] = calls as [{ batch: string }, unknown];
  expect(worklist).toMatchObject({ batchName: 'ward-7.json' });
  expect(search).toEqual([[['import-batch', worklist.batch]], 'CarePlan']);

  const lines = page.getByRole('table', { name: messages.lines.table });
  await expect.element(lines.getByRole('row')).toHaveLength(4);
  await page.getByText(`${text.data.import.results.kept} 1`).click();
  await expect.element(lines.getByRole('row')).toHaveLength(2);
  await expect.element(lines.getByText('Patient/p-a')).toBeVisible();
});

test('undoes a batch after its dry run, with a reason, and names what stays', async () => {
  await importBatch('ward-7.json', plan('a'), plan('b'), patient('a'), patient('b'));
  await send('PUT', '/fhir-r4/v1/CarePlan/a', plan('a', '"status":"completed"'));
  await show(<BatchesSection onImport={noImport} />);
  await button(messages.undo.startOf('ward-7.json')).click();
  const panel = page.getByRole('region', { name: messages.undo.name });
  await expect.element(panel.getByText(messages.undo.removed(1))).toBeVisible();
  await expect.element(panel.getByText(messages.undo.changed(1))).toBeVisible();
  await expect.element(panel.getByText('CarePlan/a')).toBeVisible();
  await expect.element(panel.getByText(messages.undo.resourcesRemoved(1))).toBeVisible();
  await expect.element(panel.getByText(messages.undo.resourcesKept(1))).toBeVisible();
  expect((await send('GET', '/fhir-r4/v1/CarePlan/b')).status).toBe(200);

  await panel.getByRole('textbox', { name: text.why.reason }).fill('The wrong ward.');
  await panel.getByRole('button', { name: messages.undo.confirm(1) }).click();
  await expect.element(page.getByText(messages.undo.done('ward-7.json', 1)).first()).toBeVisible();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(table.getByRole('row').nth(1)).toMatchTextContent(/Undone by/);
  await expect.element(button(messages.undo.startOf('ward-7.json'))).not.toBeInTheDocument();
  await expect(send('GET', '/fhir-r4/v1/CarePlan/b')).rejects.toThrow(/410/);
  const { batches } = await (await send('GET', '/app/batches')).json();
  expect(batches[0]).toMatchObject({ state: 'undone', undone: { reason: 'The wrong ward.' } });
});

test('compares a batch with the one of the same name before it', async () => {
  await importBatch('ward-7.json', plan('a'), plan('b'));
  await importBatch('ward-7.json', plan('a'), plan('c'));
  await show(<BatchesSection onImport={noImport} />);
  await button(messages.showLines('ward-7.json')).first().click();
  await button(messages.compare.startOf('ward-7.json')).click();
  const panel = page.getByRole('region', { name: messages.compare.name });
  await expect
    .element(panel.getByText(messages.compare.counts({ new: 1, gone: 1, different: 0, same: 1 })))
    .toBeVisible();
  const differences = panel.getByRole('table', { name: messages.compare.table });
  await expect
    .element(differences.getByRole('row').nth(1))
    .toMatchTextContent(/CarePlan\/b.*No longer included/);
  await expect.element(differences.getByRole('row').nth(2)).toMatchTextContent(/CarePlan\/c.*New/);
  await userEvent.click(panel.getByRole('button', { name: messages.compare.close }));
  await expect.element(panel).not.toBeInTheDocument();
});
