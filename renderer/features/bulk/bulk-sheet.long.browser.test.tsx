import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expensiveExpression, manyNotes } from '../../../core/fhirpath/testing/expensive.ts';
import { intercept } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { BulkSheet } from './bulk-sheet.tsx';

beforeEach(startServer);

const plans = '/fhir-r4/v1/CarePlan';
const plan = (id: string, title: string, note?: unknown) =>
  `{"resourceType":"CarePlan","id":"${id}","status":"draft","intent":"plan","subject":{"reference":"Patient/a"},"title":"${title}",${note === undefined ? '' : `"note":${JSON.stringify(note)},`}"activity":[{"detail":{"status":"scheduled","quantity":{"value":1.00}}}]}`;

async function store(records: readonly string[]): Promise<void> {
  const entries = records.map((resource) => `{"resource":${resource}}`).join();
  const bundle = `{"resourceType":"Bundle","type":"collection","entry":[${entries}]}`;
  await send('POST', '/app/import?level=off&keepIds=true', bundle);
}

const textOf = async (id: string) => (await send('GET', `${plans}/${id}`)).text();
const field = (name: string) => page.getByLabelText(name, { exact: true });
const press = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name }));

test('previews a computed change, runs it within the time limit and undoes it', async () => {
  // The last record is so large that the expression exceeds its time limit.
  await store([plan('a', 'en_GB'), plan('b', 'de_AT'), plan('c', 'Large', manyNotes)]);
  const before = await textOf('a');
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '3 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  const start = page.getByRole('button', { name: 'Start dry run' });
  await userEvent.selectOptions(field('Change'), 'compute');
  await userEvent.fill(field('Path'), '/title');
  await expect.element(page.getByRole('group', { name: 'Current values in all 3 records' })).toBeVisible();
  await userEvent.fill(field('FHIRPath'), "$this.replace('_'");
  await expect.element(page.getByText("')' is missing (line 1, column 18).")).toBeVisible();
  await expect.element(start).toBeDisabled();

  await userEvent.fill(field('FHIRPath'), `iif(${expensiveExpression}, $this.replace('_', '-'), $this)`);
  const preview = page.getByRole('region', { name: 'First 3 records' });
  await expect.element(preview.getByText('"en-GB"')).toBeVisible();
  await expect.element(preview.getByText('The expression took longer than 2 seconds.')).toBeVisible();

  await userEvent.click(start);
  await expect.element(page.getByText('Dry run complete: 2 of 3 records would change')).toBeVisible();
  await press('Change 2 records');
  await expect.element(page.getByText('2 records changed')).toBeVisible();
  expect(await textOf('a')).toContain('"title":"en-GB"');
  expect(await textOf('a')).toContain('{"value":1.00}');

  await press('Undo');
  await press('Undo 2 records');
  await expect.element(page.getByText('2 records restored')).toBeVisible();
  const bare = (text: string) => text.replace(/"meta":\{[^}]*\}/, '');
  expect(bare(await textOf('a'))).toBe(bare(before));
});

test('selects a current value as the value to replace', async () => {
  await store([plan('a', 'A'), plan('b', 'A'), plan('c', 'B')]);
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '3 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await userEvent.fill(field('Path'), '/title');
  await press('"A" 2');
  await expect.element(field('Only if the value is')).toHaveValue('"A"');
  await expect.element(page.getByRole('button', { name: '"A" 2', pressed: true })).toBeVisible();
  await press('"A" 2');
  await expect.element(field('Only if the value is')).toHaveValue('');

  await userEvent.fill(field('Replace with'), 'B');
  await expect.element(field('Path')).toHaveValue('/title');
  await press('Start dry run');
  await expect.element(page.getByText('Dry run complete: 2 of 3 records would change')).toBeVisible();
  const row = (id: string) =>
    page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: id, exact: true }) });
  await expect.element(row('a')).toMatchTextContent(/Would change.*\/title"A""B"1a$/);
  await press(/^No change needed/);
  await expect.element(row('a')).not.toBeInTheDocument();
  await expect.element(row('c')).toBeVisible();
});

test('applies the selected fix option to every finding and stores the reason', async () => {
  const invalidPlan = (id: string, status: string) => plan(id, id).replace('"draft"', `"${status}"`);
  await store([invalidPlan('a', 'actve'), invalidPlan('b', 'actve'), invalidPlan('c', 'compleeted')]);
  const source = { kind: 'quality', filter: { rule: 'schema-code' }, label: 'Codes' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await userEvent.selectOptions(field('Change'), 'fix');
  await userEvent.selectOptions(field('Method'), 'schema-code=active');
  await press('Start dry run');
  await expect.element(page.getByText('Quick fix: Set to active')).toBeVisible();
  await userEvent.fill(page.getByLabelText(/^Reason/), 'Codes were misspelt.');
  await press('Change 3 records');
  await expect.element(page.getByText('3 records changed')).toBeVisible();
  expect(await textOf('a')).toContain('"status":"active"');
  expect(await textOf('c')).toContain('"status":"active"');
  const history = await (await send('GET', '/app/history/CarePlan/c')).text();
  expect(history).toContain('"reason":"Codes were misspelt."');
});

test('reports whether the list, the dry run or the run failed when the server is unreachable', async () => {
  await store([plan('a', 'A'), plan('b', 'A')]);
  let failingRequest = '';
  intercept((request, forward) =>
    failingRequest !== '' && request.includes(failingRequest)
      ? Promise.reject(new TypeError('away'))
      : forward(),
  );
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '2 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await userEvent.fill(field('Path'), '/title');
  await userEvent.fill(field('Replace with'), 'B');
  const haltMessage = page.getByText('The run stopped.');

  failingRequest = `GET ${plans}`;
  await press('Start dry run');
  await expect.element(page.getByText('Couldn’t list the records.')).toBeVisible();
  failingRequest = `GET ${plans}/a`;
  await press('Start dry run');
  await expect.element(haltMessage).toBeVisible();
  failingRequest = '';
  await press('Resume dry run');
  await expect.element(page.getByText('Dry run complete: 2 of 2 records would change')).toBeVisible();
  await expect.element(haltMessage).not.toBeInTheDocument();
  failingRequest = `PATCH ${plans}/`;
  await press('Change 2 records');
  await expect.element(haltMessage).toBeVisible();
});
