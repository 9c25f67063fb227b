import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadMonaco } from '../../platform/monaco-loader.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { changeStored, plan, storedPlan, storePlan } from '../record/testing/record-host.tsx';
import { PatchRecord } from './patch-record.tsx';

const messages = text.patch;

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

/**
 * Opens the composer for a plan. Returns the versions reported when the patch is applied: the new and the previous
 * one.
 */
async function showComposer(id: string): Promise<(number | undefined)[]> {
  const reportedVersions: (number | undefined)[] = [];
  await show(
    <PatchRecord
      type="CarePlan"
      id={id}
      onClose={() => undefined}
      onApplied={(answer, before) => reportedVersions.push(answer.version, before?.version)}
    />,
  );
  return reportedVersions;
}

const operations = page.getByRole('region', { name: messages.operations });
const path = operations.getByRole('combobox', { name: messages.path(0) });
const value = operations.getByRole('textbox', { name: messages.value(0) });
const apply = page.getByRole('button', { name: messages.apply, exact: true });

test('focuses the value of a picked element and reports changes of others before resending', async () => {
  const id = await storePlan('Alpha');
  const reportedVersions = await showComposer(id);
  await page.getByRole('treeitem', { name: 'title' }).click();
  await expect.element(path).toHaveValue('/title');
  await expect.element(value).toHaveFocus();
  await expect.element(apply).toBeDisabled();
  await value.fill('Mine');
  await expect.element(apply).toBeEnabled();

  // The JSON array replaces the rows and determines the changed paths from here.
  await operations.getByText(messages.viewJson).click();
  const body = operations.getByRole('textbox', { name: messages.body });
  await expect.element(body).toHaveValue(expect.stringContaining('"/title"'));
  await body.fill('[{"op":"replace","path":"/description","value":"Mine"}]');
  await changeStored(id, { description: 'Theirs' });
  await apply.click();
  const notice = page.getByRole('dialog').getByRole('alert');
  await expect.element(notice).toMatchTextContent(messages.conflictTitle(2));
  await expect.element(notice.getByRole('listitem')).toMatchTextContent('/description"Agreed""Theirs"');
  expect(reportedVersions).toEqual([]);

  await apply.click();
  await expect.poll(() => reportedVersions).toEqual([3, 2]);
  expect(await storedPlan(id)).toMatch(/"title":"Alpha".*"description":"Mine"/);
  expect(await storedPlan(id)).toContain('12345678901234567890.10');
});

test('suggests paths while typing in both notations', async () => {
  await showComposer(await storePlan('Alpha'));
  await userEvent.fill(path, 'activity[0].detail.sta');
  const suggestionList = page.getByRole('listbox', { name: messages.suggestions });
  await expect.element(suggestionList.getByRole('option')).toMatchTextContent('/activity/0/detail/status');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(path).toHaveValue('/activity/0/detail/status');
  await expect.element(suggestionList).not.toBeInTheDocument();
});

test('patches an unreadable record by typed paths after a confirmation to send without If-Match', async () => {
  await showComposer('gone');
  await expect.element(page.getByText(messages.unreadable)).toBeVisible();
  await expect.element(apply).not.toBeInTheDocument();
  await page.getByRole('button', { name: messages.withoutRecord }).click();
  await expect.element(page.getByRole('treeitem')).not.toBeInTheDocument();
  await userEvent.fill(path, '/title');
  await userEvent.fill(value, 'Mine');
  await expect.element(apply).toBeDisabled();
  await page.getByRole('checkbox', { name: messages.blind }).click();
  await expect.element(apply).toBeEnabled();
});

test('warns before a patch that it leaves a generated narrative out of date', async () => {
  const narrative = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Walk</div>' };
  const narrated = { ...(JSON.parse(plan('Alpha')) as object), text: narrative };
  const response = await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(narrated));
  await showComposer(((await response.json()) as { id: string }).id);
  await userEvent.fill(path, '/title');
  await userEvent.fill(value, 'Mine');
  const verdict = page.getByRole('group', { name: text.verdict.name });
  await expect.element(verdict).toMatchTextContent(text.verdict.stale);
  await expect.element(verdict).not.toMatchTextContent(text.verdict.good);
});
