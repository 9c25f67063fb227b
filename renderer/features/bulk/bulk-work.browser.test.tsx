import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { holdRequests, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { BulkSheet } from './bulk-sheet.tsx';
import { RunContext } from './bulk-work.ts';

beforeEach(startServer);

const plan = (title: string) =>
  `{"resourceType":"CarePlan","status":"draft","intent":"plan","subject":{"reference":"Patient/a"},"title":"${title}"}`;

test('starts one run and one undo on a double click', async () => {
  for (const title of ['A', 'B']) await send('POST', '/fhir-r4/v1/CarePlan', plan(title));
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '2 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await page.getByLabelText('Path', { exact: true }).fill('/title');
  await page.getByLabelText('Replace with', { exact: true }).fill('C');
  await page.getByRole('button', { name: text.bulk.dryRun }).click();
  const countRuns = async () =>
    ((await (await send('GET', '/app/bulk')).json()) as readonly unknown[]).length;
  for (const [name, finishedText, runs] of [
    ['Change 2 records', '2 records changed', 1],
    ['Undo 2 records', '2 records restored', 2],
  ] as const) {
    if (runs === 2) await page.getByRole('button', { name: text.bulk.undo.start }).click();
    const button = page.getByRole('button', { name });
    await expect.element(button).toBeVisible();
    const release = await holdRequests();
    const element = button.element() as HTMLElement;
    element.click();
    element.click();
    await release();
    await expect.element(page.getByText(finishedText)).toBeVisible();
    await expect.poll(countRuns).toBe(runs);
  }
});

test('cancels queued tasks on stop and after an error', async () => {
  const context = new RunContext(() => undefined);
  const startedTasks: string[] = [];
  const { promise: haltSignal, resolve: halt } = Promise.withResolvers<undefined>();
  const task = (name: string) =>
    context.enqueueTask(async (signal) => {
      startedTasks.push(name);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
  task('first');
  task('second');
  await expect.poll(() => startedTasks).toEqual(['first']);
  context.abort();
  context.enqueueTask(async () => {
    await haltSignal;
    throw new Error('The server is away.');
  });
  task('behind the fault');
  halt(undefined);
  await expect.poll(() => context.state.failure).toBeDefined();
  task('last');
  await expect.poll(() => startedTasks).toEqual(['first', 'last']);
});
