import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { holdRequests, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { BulkSheet } from './bulk-sheet.tsx';
import { Course } from './bulk-work.ts';

beforeEach(startServer);

const plan = (title: string) =>
  `{"resourceType":"CarePlan","status":"draft","intent":"plan","subject":{"reference":"Patient/a"},"title":"${title}"}`;

test('a run that is begun by two presses is kept once, and so is its undo', async () => {
  for (const title of ['A', 'B']) await send('POST', '/fhir-r4/v1/CarePlan', plan(title));
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '2 CarePlans' } as const;
  await show(<BulkSheet bulk={{ source }} onClose={() => undefined} />);
  await page.getByLabelText('Path', { exact: true }).fill('/title');
  await page.getByLabelText('Replace with', { exact: true }).fill('C');
  await page.getByRole('button', { name: text.bulk.dryRun }).click();
  const kept = async () => ((await (await send('GET', '/app/bulk')).json()) as readonly unknown[]).length;
  for (const [name, ended, runs] of [
    ['Replace in 2 records', 'Replaced in 2 records', 1],
    ['Undo in 2 records', 'Put back 2 records', 2],
  ] as const) {
    if (runs === 2) await page.getByRole('button', { name: text.bulk.undo.start }).click();
    const button = page.getByRole('button', { name });
    await expect.element(button).toBeVisible();
    const release = await holdRequests();
    const element = button.element() as HTMLElement;
    element.click();
    element.click();
    await release();
    await expect.element(page.getByText(ended)).toBeVisible();
    await expect.poll(kept).toBe(runs);
  }
});

test('stopping stops what waits behind what is under way, and so does a fault', async () => {
  const course = new Course(() => undefined);
  const begun: string[] = [];
  const { promise: halted, resolve: halt } = Promise.withResolvers<undefined>();
  const task = (name: string) =>
    course.begin(async (signal) => {
      begun.push(name);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
  task('first');
  task('second');
  await expect.poll(() => begun).toEqual(['first']);
  course.abort();
  course.begin(async () => {
    await halted;
    throw new Error('The server is away.');
  });
  task('behind the fault');
  halt(undefined);
  await expect.poll(() => course.state.failure).toBeDefined();
  task('last');
  await expect.poll(() => begun).toEqual(['first', 'last']);
});
