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

test('a computed change is shown for the first records, runs within its time, and is undone', async () => {
  // The last is so large that the expression takes longer than it may.
  await store([plan('a', 'en_GB'), plan('b', 'de_AT'), plan('c', 'Large', manyNotes)]);
  const before = await textOf('a');
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '3 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  const start = page.getByRole('button', { name: 'Start dry run' });
  await userEvent.selectOptions(field('Kind'), 'compute');
  await userEvent.fill(field('Path'), '/title');
  await expect.element(page.getByRole('group', { name: 'Values now, in all 3 records' })).toBeVisible();
  await userEvent.fill(field('FHIRPath'), "$this.replace('_'");
  await expect.element(page.getByText("')' is missing at line 1, column 18.")).toBeVisible();
  await expect.element(start).toBeDisabled();

  await userEvent.fill(field('FHIRPath'), `iif(${expensiveExpression}, $this.replace('_', '-'), $this)`);
  const first = page.getByRole('region', { name: 'The first 3 records' });
  await expect.element(first.getByText('"en-GB"')).toBeVisible();
  await expect.element(first.getByText('The expression took longer than 2 seconds.')).toBeVisible();

  await userEvent.click(start);
  await expect.element(page.getByText('Dry run over 3 records: 2 would change')).toBeVisible();
  await press('Replace in 2 records');
  await expect.element(page.getByText('Replaced in 2 records')).toBeVisible();
  expect(await textOf('a')).toContain('"title":"en-GB"');
  expect(await textOf('a')).toContain('{"value":1.00}');

  await press('Undo run');
  await press('Undo in 2 records');
  await expect.element(page.getByText('Put back 2 records')).toBeVisible();
  const bare = (text: string) => text.replace(/"meta":\{[^}]*\}/, '');
  expect(bare(await textOf('a'))).toBe(bare(before));
});

test('a value that stands there now is chosen as the one to replace', async () => {
  await store([plan('a', 'A'), plan('b', 'A'), plan('c', 'B')]);
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '3 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await userEvent.fill(field('Path'), '/title');
  await press('"A" 2');
  await expect.element(field('Only where now')).toHaveValue('"A"');
  await expect.element(page.getByRole('button', { name: '"A" 2', pressed: true })).toBeVisible();
  await press('"A" 2');
  await expect.element(field('Only where now')).toHaveValue('');

  await userEvent.fill(field('Replace with'), 'B');
  await expect.element(field('Path')).toHaveValue('/title');
  await press('Start dry run');
  await expect.element(page.getByText('Dry run over 3 records: 2 would change')).toBeVisible();
  const row = (id: string) =>
    page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: id, exact: true }) });
  await expect.element(row('a')).toMatchTextContent(/Would change.*\/title"A""B"1a$/);
  await press(/^Nothing to change/);
  await expect.element(row('a')).not.toBeInTheDocument();
  await expect.element(row('c')).toBeVisible();
});

test('the way that is chosen is taken at every finding, and not the first that each would offer; the reason stands in each history', async () => {
  const wrong = (id: string, status: string) => plan(id, id).replace('"draft"', `"${status}"`);
  await store([wrong('a', 'actve'), wrong('b', 'actve'), wrong('c', 'compleeted')]);
  const source = { kind: 'quality', filter: { rule: 'schema-code' }, label: 'Codes' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await userEvent.selectOptions(field('Kind'), 'fix');
  await userEvent.selectOptions(field('Way'), 'schema-code=active');
  await press('Start dry run');
  await expect.element(page.getByText('Quick fix: Set to active')).toBeVisible();
  await userEvent.fill(page.getByLabelText(/^Reason/), 'Codes were misspelt.');
  await press('Replace in 3 records');
  await expect.element(page.getByText('Replaced in 3 records')).toBeVisible();
  expect(await textOf('a')).toContain('"status":"active"');
  expect(await textOf('c')).toContain('"status":"active"');
  const history = await (await send('GET', '/app/history/CarePlan/c')).text();
  expect(history).toContain('"reason":"Codes were misspelt."');
});

test('where the server is away it is said what came to an end by it: the list, the dry run or the run', async () => {
  await store([plan('a', 'A'), plan('b', 'A')]);
  let away = '';
  intercept((request, pass) =>
    away !== '' && request.includes(away) ? Promise.reject(new TypeError('away')) : pass(),
  );
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '2 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await userEvent.fill(field('Path'), '/title');
  await userEvent.fill(field('Replace with'), 'B');
  const halted = page.getByText('The run was stopped.');

  away = `GET ${plans}`;
  await press('Start dry run');
  await expect.element(page.getByText('The records were not listed.')).toBeVisible();
  away = `GET ${plans}/a`;
  await press('Start dry run');
  await expect.element(halted).toBeVisible();
  away = '';
  await press('Go on with dry run');
  await expect.element(page.getByText('Dry run over 2 records: 2 would change')).toBeVisible();
  await expect.element(halted).not.toBeInTheDocument();
  away = `PATCH ${plans}/`;
  await press('Replace in 2 records');
  await expect.element(halted).toBeVisible();
});
