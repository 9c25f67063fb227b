import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { openWindow } from './offline.ts';
import { fetchJobs, makeDataDir, readRecord, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

const plan = (id: string, extra = '') =>
  `{"resourceType":"CarePlan","id":"${id}","status":"active","intent":"plan","title":"Plan ${id}","subject":{"reference":"Patient/p"}${extra}}`;

/** Returns the records without server metadata, in a fixed order. */
const listValues = (text: string) =>
  text
    .trim()
    .replaceAll(/"(?:versionId|lastUpdated)":"[^"]*",?/g, '')
    .split('\n')
    .sort();

const total = async (server: Parameters<typeof readRecord>[0]): Promise<number> =>
  (await readRecord(server, 'CarePlan?subject=p')).total;

test('stores nothing in a dry run, then imports the announced records, with reasons by line @import', async ({
  workbench,
  page,
  server,
}) => {
  const data = new DataPage(page);
  await data.open('Import');
  const lines = [
    plan('a'),
    'no JSON',
    '',
    plan('b'),
    '{"resourceType":"OperationOutcome"}',
    plan('c').replace('active', 'x'),
  ];
  await data.choose(
    { name: 'records.ndjson', text: lines.join('\n') },
    { name: 'notes.pdf', text: 'x' },
    { name: 'nothing.json', text: '' },
  );
  await data.button('Start dry run').click();
  const dry = '2 of 5 records would be stored. 2 would be refused. 1 would be skipped.';
  await expect(workbench.status).toContainText(`${dry} Nothing was stored.`);
  await expect(page.getByText('Skipped 2 files: .json 1, .pdf 1.')).toBeVisible();
  expect(await total(server)).toBe(0);

  await data.button('Import 2 records').click();
  await expect(workbench.status).toContainText('2 of 5 records stored. 2 refused.');
  expect(await total(server)).toBe(2);
  const counts = { stored: 2, unchanged: 0, refused: 2, skipped: 3 };
  await expect.poll(() => fetchJobs(server, 'import')).toMatchObject([{ counts }]);
  await expect(data.outcomeRows(/\dStored/)).toHaveCount(2);
  await expect(data.outcomeRows(/records\.ndjson2Refused.*line 1, column 1/)).toHaveCount(1);
  await data.show(/^Refused, can be stored flagged/);
  await expect(data.outcomeRows(/\dStored/)).toHaveCount(0);
  await expect(data.outcomeRows(/6Refused.*CarePlan\.status/)).toHaveCount(1);
  const { text } = await data.download('Save results as CSV');
  expect(text.split('\r\n')).toHaveLength(3);
  expect(text).toContain('records.ndjson,6,refused,');

  // Invalid data is imported on request, and existing records are not stored twice.
  await page.getByRole('combobox', { name: 'Validation' }).selectOption('off');
  await data.button('Import without dry run').click();
  await expect(workbench.status).toContainText('1 of 5 records stored. 2 already present. 1 refused.');
  expect(await total(server)).toBe(3);
});

test('finds the records and issues of an import, and takes it back as a whole @import', async ({
  page,
  server,
  workbench,
}) => {
  const data = new DataPage(page);
  await data.open('Import');
  const patient = '{"resourceType":"Patient","id":"p"}';
  const lines = [plan('a'), plan('b').replace('active', 'x'), plan('c'), patient];
  await data.choose({ name: 'ward-7.ndjson', text: lines.join('\n') });
  await page.getByRole('combobox', { name: 'Validation' }).selectOption('off');
  await data.button('Import without dry run').click();
  await expect(workbench.status).toContainText('3 of 3 records stored.');

  await data.open('Batches');
  const row = page.getByRole('table', { name: 'Batches' }).getByRole('row').nth(1);
  await expect(row).toContainText('0 changed, 3 as imported');
  await data.button('Show lines of ward-7.ndjson').click();
  await data.button('Show CarePlan of ward-7.ndjson').click();
  await expect(workbench.rows()).toHaveCount(3);
  await data.open('Batches');
  await data.button('Open worklist of ward-7.ndjson').click();
  await expect(page.getByRole('button', { name: 'Batch: ward-7.ndjson' })).toBeVisible();

  await data.open('Batches');
  await data.button('Undo batch ward-7.ndjson').click();
  const panel = page.getByRole('region', { name: 'Undo batch' });
  await expect(panel).toContainText('3 records would be removed');
  await panel.getByRole('textbox', { name: 'Reason' }).fill('The wrong ward');
  await panel.getByRole('button', { name: 'Undo batch of 3' }).click();
  await expect(row).toContainText('Undone by');
  expect(await total(server)).toBe(0);
});

test('reports the exact number of stored records when stopped in the middle @import', async ({
  workbench,
  page,
  server,
}) => {
  const data = new DataPage(page);
  const lines = Array.from({ length: 3000 }, (_, index) => plan(`r-${index}`)).join('\n');
  let chunkCount = 0;
  let letGo: () => void = () => undefined;
  const stopPromise = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/app/import?*', async (route) => {
    chunkCount += 1;
    if (chunkCount > 1) await stopPromise;
    await route.continue();
  });
  await data.open('Import');
  await data.choose({ name: 'many.ndjson', text: lines });
  await data.button('Import without dry run').click();
  await expect(page.getByText(/^[1-9][0-9,]* records, /)).toBeVisible();
  await data.button('Stop').click();
  letGo();
  await expect(workbench.status).toContainText(
    /^Import stopped\. [0-9,]+ of [0-9,]+ records stored\. Records already stored stay/,
  );
  const countText =
    /Import stopped\. ([0-9,]+) of/.exec((await workbench.status.textContent()) ?? '')?.[1] ?? '';
  const storedCount = Number(countText.replace(',', ''));
  expect(storedCount).toBeGreaterThan(100);
  expect(storedCount).toBeLessThan(3000);
  expect(await total(server)).toBe(storedCount);
});

test('lists files dropped on the window for an import, including a Bundle @import', async ({
  workbench,
  page,
  server,
}) => {
  const bundle = `{"resourceType":"Bundle","type":"collection","entry":[{"resource":${plan('x')}},{"resource":${plan('y')}}]}`;
  // As text: the specs are compiled without the browser's types.
  const transfer = await page.evaluateHandle(`(() => {
    const made = new DataTransfer();
    made.items.add(new File([${JSON.stringify(bundle)}], 'bundle.json', { type: 'application/json' }));
    return made;
  })()`);
  const body = page.locator('body');
  await body.dispatchEvent('dragover', { dataTransfer: transfer });
  await expect(page.getByText('Drop records to import them')).toBeVisible();
  await body.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(workbench.status).toContainText('1 file ready to import');
  await expect(page.getByRole('region', { name: 'Files to import' })).toContainText('JSON or Bundle');
  await page.getByRole('button', { name: 'Import without dry run' }).click();
  await expect(workbench.status).toContainText('2 of 2 records stored.');
  expect(await total(server)).toBe(2);
});

test('imports files and folders dragged from the file manager @import @browser', async ({
  workbench,
  page,
}, info) => {
  // Uses the browser's protocol: a drop by the page itself has no file system entries.
  const folder = info.outputPath('ward');
  await mkdir(resolve(folder, 'more'), { recursive: true });
  const paths = ['a.json', 'more/b.json'].map((name) => resolve(folder, name));
  const loose = info.outputPath('c.ndjson');
  for (const path of [...paths, loose]) await writeFile(path, plan('x'));
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder, loose], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await expect(workbench.status).toContainText('3 files ready to import');
  const files = page.getByRole('region', { name: 'Files to import' });
  for (const name of ['ward/a.json', 'ward/more/b.json', 'c.ndjson']) await expect(files).toContainText(name);
});

test('imports an export elsewhere with every digit @import @browser', async ({
  workbench,
  page,
  context,
  server,
}) => {
  const data = new DataPage(page);
  const exact = plan(
    'exact',
    ',"activity":[{"detail":{"status":"scheduled","quantity":{"value":1.00},"dailyAmount":{"value":12345678901234567890.10}}}]',
  );
  const draftPlan = plan('other').replace('"active"', '"draft"');
  await data.open('Import');
  await data.choose({ name: 'two.ndjson', text: `${exact}\n${draftPlan}` });
  await data.button('Import without dry run').click();
  await expect(workbench.status).toContainText('2 of 2 records stored.');

  await data.open('Export');
  await page
    .getByRole('form', { name: 'Export records' })
    .getByRole('combobox', { name: 'Resource type' })
    .selectOption('CarePlan');
  await page.getByRole('textbox', { name: 'Search criteria' }).fill('subject=p&status=active');
  const filteredFile = await data.download('Export NDJSON');
  expect(filteredFile.name).toMatch(/^chartkeeper-CarePlan-[0-9-]{10}\.ndjson$/);
  expect(filteredFile.text.trim().split('\n')).toHaveLength(1);
  expect(filteredFile.text).toContain('"value":1.00}');
  expect(filteredFile.text).toContain('"value":12345678901234567890.10}');
  await page.getByRole('textbox', { name: 'Search criteria' }).fill('');
  const fullFile = await data.download('Export NDJSON');
  await expect(workbench.status).toContainText('2 records exported to ');
  await expect
    .poll(() => fetchJobs(server, 'export'))
    .toMatchObject([
      { note: `2 records exported to ${fullFile.name}`, counts: { records: 2 } },
      { counts: { records: 1 } },
    ]);

  await page.getByRole('textbox', { name: 'Search criteria' }).fill('nonsense=1');
  await data.button('Export NDJSON').click();
  await expect(page.getByRole('alert')).toContainText('The export failed.');

  const dataDir = await makeDataDir();
  const otherServer = await startTestServer(dataDir);
  const otherPage = await openWindow(context);
  const otherWorkbench = new Workbench(otherPage);
  const otherData = new DataPage(otherPage);
  await otherWorkbench.open(await otherServer.link());
  await otherData.open('Import');
  await otherData.choose({ name: fullFile.name, text: fullFile.text });
  await otherData.button('Import without dry run').click();
  await expect(otherWorkbench.status).toContainText('2 of 2 records stored.');
  await otherData.open('Export');
  const secondExport = await otherData.download('Export NDJSON');
  expect(listValues(secondExport.text)).toEqual(listValues(fullFile.text));
  await otherServer.stop();
  await removeDataDir(dataDir);
  expect(await total(server)).toBe(2);
});
