import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { loadMonaco, modelAt } from '../../../platform/monaco-loader.ts';
import { replaceModelText } from '../../../platform/monaco-text.ts';
import { show, startServer } from '../../../testing/show.tsx';
import { text } from '../../../ui/text.ts';
import { modelPathOf, record, RecordHost, storePlan } from '../testing/record-host.tsx';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

interface Plan {
  readonly activity: readonly object[];
}

/** Opens the issues of a plan whose activities have an unknown element. */
async function openIssues(...names: readonly string[]): Promise<{ path: string; plan: Plan }> {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await expect.element(record.editor).toMatchTextContent('"Alpha"');
  const path = modelPathOf(id);
  const activity = names.map((description) => ({ detail: { status: 'scheduled', description, odd: 1 } }));
  const plan = { ...(JSON.parse(modelAt(path)?.getValue() ?? '') as object), activity };
  replaceModelText(path, JSON.stringify(plan, null, 2));
  await page.getByRole('tab', { name: text.inspector.tabs.issues, exact: false }).click();
  return { path, plan };
}

const odd = (index: number) => `CarePlan.activity[${index}].detail.odd`;
const issueAt = (index: number) =>
  page
    .getByRole('listitem')
    .filter({ hasText: odd(index) })
    .getByRole('button')
    .first();
const wandAt = (index: number) => page.getByRole('button', { name: text.fixes.of(odd(index)), exact: true });

test('keeps the focus on its issue when another one is fixed', async () => {
  const { path, plan } = await openIssues('Walk', 'Swim', 'Rest');
  await expect.element(issueAt(2)).toBeVisible();
  const focused = issueAt(1).element() as HTMLElement;
  focused.focus();
  replaceModelText(path, JSON.stringify({ ...plan, activity: plan.activity.slice(1) }, null, 2));
  await expect.element(issueAt(2)).not.toBeInTheDocument();
  expect(document.activeElement).toBe(focused);
  await expect.element(issueAt(0)).toHaveFocus();
});

test('moves the focus to the issue after the fixed one', async () => {
  await openIssues('Walk', 'Swim');
  await wandAt(0).click();
  await page.getByRole('menuitem').first().click();
  await expect.element(wandAt(0)).not.toBeInTheDocument();
  await expect.element(wandAt(1)).toHaveFocus();
});
