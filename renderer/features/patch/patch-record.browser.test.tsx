import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadMonaco } from '../../platform/monaco-loader.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { patchAsOtherClient, plan, storedPlan, storePlan } from '../record/testing/record-host.tsx';
import { PatchRecord } from './patch-record.tsx';

const messages = text.patch;

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

interface ReportedVersions {
  readonly version: number | undefined;
  readonly previousVersion: number | undefined;
}

/**
 * Opens the composer for a plan. Returns a list that receives the new and the previous version when the patch is
 * applied.
 */
async function showComposer(id: string): Promise<ReportedVersions[]> {
  const reportedVersions: ReportedVersions[] = [];
  await show(
    <PatchRecord
      type="CarePlan"
      id={id}
      onClose={() => undefined}
      onApplied={({ version }, previous) =>
        reportedVersions.push({ version, previousVersion: previous?.version })
      }
    />,
  );
  return reportedVersions;
}

const operations = page.getByRole('region', { name: messages.operations });
const path = operations.getByRole('combobox', { name: messages.path(0) });
const value = operations.getByRole('textbox', { name: messages.value(0) });
const apply = page.getByRole('button', { name: messages.apply, exact: true });

test('focuses the value of the selected element, and reports a concurrent change before sending again', async () => {
  const id = await storePlan('Alpha');
  const reportedVersions = await showComposer(id);
  await page.getByRole('treeitem', { name: /^title / }).click();
  await expect.element(path).toHaveValue('/title');
  await expect.element(value).toHaveFocus();
  await expect.element(apply).toBeDisabled();
  await value.fill('Mine');
  await expect.element(apply).toBeEnabled();

  // From here, the JSON text is the patch instead of the rows.
  await operations.getByText(messages.viewJson).click();
  const body = operations.getByRole('textbox', { name: messages.body });
  await expect.element(body).toHaveValue(expect.stringContaining('"/title"'));
  await body.fill('[{"op":"replace","path":"/description","value":"Mine"}]');
  await patchAsOtherClient(id, { description: 'Theirs' });
  await apply.click();
  const notice = page.getByRole('dialog').getByRole('alert');
  await expect.element(notice).toMatchTextContent(messages.conflictTitle(2));
  await expect.element(notice.getByRole('listitem')).toMatchTextContent('/description"Agreed""Theirs"');
  expect(reportedVersions).toEqual([]);

  await apply.click();
  await expect.poll(() => reportedVersions).toEqual([{ version: 3, previousVersion: 2 }]);
  expect(await storedPlan(id)).toMatch(/"title":"Alpha".*"description":"Mine"/);
  // Numbers keep their digits.
  expect(await storedPlan(id)).toContain('12345678901234567890.10');
});

test('suggests a JSON Pointer for a path in dot notation', async () => {
  await showComposer(await storePlan('Alpha'));
  await userEvent.fill(path, 'activity[0].detail.sta');
  const suggestionList = page.getByRole('listbox', { name: messages.suggestions });
  await expect.element(suggestionList.getByRole('option')).toMatchTextContent('/activity/0/detail/status');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(path).toHaveValue('/activity/0/detail/status');
  await expect.element(suggestionList).not.toBeInTheDocument();
});

test('enables the patch of an unreadable record after a confirmation to send without If-Match', async () => {
  await showComposer('gone');
  await expect.element(page.getByText(messages.unreadable)).toBeVisible();
  await expect.element(apply).not.toBeInTheDocument();
  await page.getByRole('button', { name: messages.composeWithoutLoading }).click();
  await expect.element(page.getByRole('treeitem')).not.toBeInTheDocument();
  await userEvent.fill(path, '/title');
  await userEvent.fill(value, 'Mine');
  await expect.element(apply).toBeDisabled();
  await page.getByRole('checkbox', { name: messages.sendWithoutIfMatch }).click();
  await expect.element(apply).toBeEnabled();
});

test('warns before a patch that it leaves a generated narrative out of date', async () => {
  const narrative = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Walk</div>' };
  const planWithNarrative = { ...(JSON.parse(plan('Alpha')) as object), text: narrative };
  const response = await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(planWithNarrative));
  await showComposer(((await response.json()) as { id: string }).id);
  await userEvent.fill(path, '/title');
  await userEvent.fill(value, 'Mine');
  const validationResult = page.getByRole('group', { name: text.verdict.name });
  await expect.element(validationResult).toMatchTextContent(text.verdict.stale);
  await expect.element(validationResult).not.toMatchTextContent(text.verdict.good);
});
