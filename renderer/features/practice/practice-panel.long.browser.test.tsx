import { useQueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { requiredValues, type PracticeState } from '../../../core/app/practice.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { PracticePanel } from './practice-panel.tsx';

const messages = text.practice;
const find = messages.tasks.find.name;

beforeEach(startServer);

const exercise = (name: string) => page.getByRole('region', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** The panel, with a button that simulates a change elsewhere. */
function PanelWithTrigger() {
  const queries = useQueryClient();
  return (
    <>
      <button type="button" onClick={() => void queries.invalidateQueries({ queryKey: ['practice'] })}>
        Heard
      </button>
      <PracticePanel />
    </>
  );
}

test('starts an exercise, lists the remaining steps, shows a hint and detects completion', async () => {
  await show(<PanelWithTrigger />);
  await expect.element(page.getByText(messages.progress(0, 5))).toBeVisible();
  // The first exercise is open; opening another closes it.
  await button(`${messages.tasks.mend.name} ${messages.states.new}`).click();
  await expect.element(button(messages.beginOf(messages.tasks.mend.name))).toBeVisible();
  await expect.element(button(messages.beginOf(find))).not.toBeInTheDocument();
  await button(`${find} ${messages.states.new}`).click();

  await button(messages.beginOf(find)).click();
  await expect.element(exercise(find).getByText('The plan is not on-hold yet.')).toBeVisible();
  await button(messages.hint).click();
  await expect.element(exercise(find).getByText(messages.tasks.find.hint)).toBeVisible();

  const states = (await (await send('GET', '/app/practice')).json()) as PracticeState;
  const [record] = states.find((state) => state.exercise === 'find')?.records ?? [];
  const patch = JSON.stringify([{ op: 'replace', path: '/status', value: requiredValues.held }]);
  await send('PATCH', `/fhir-r4/v1/${record?.type}/${record?.id}`, patch);
  await button('Heard').click();
  await expect.element(page.getByText(messages.progress(1, 5))).toBeVisible();
  await button(`${find} ${messages.states.done}`).click();
  await expect.element(exercise(find).getByText(messages.done)).toBeVisible();

  await button(messages.againOf(find)).click();
  await expect.element(exercise(find).getByText('The plan is not on-hold yet.')).toBeVisible();
});

test('reports and retries a failed request, and reports a failed start', async () => {
  let answer: number | undefined = 500;
  answerWith({ 'GET /app/practice': () => answer, 'POST /app/practice/find': () => 507 });
  await show(<PracticePanel />);
  await expect.element(page.getByText(messages.failed)).toBeVisible();
  answer = undefined;
  await button(text.failure.retry).click();
  await button(messages.beginOf(find)).click();
  await expect.element(page.getByText(messages.notBegun)).toBeVisible();
});
