import type { Request } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { importDirty } from './quality-page.ts';
import { openPlan, readPlan, RecordPage } from './record-page.ts';

test('lists the changes, and sends the shown request @save', async ({ workbench, page, server }) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
  await page.keyboard.press('Control+S');
  const changes = record.review.getByRole('region', { name: 'Changed paths' });
  await expect(changes).toContainText('1 change');
  await expect(changes).toContainText('CarePlan.activity[0].detail.quantity.value');
  await expect(changes).toContainText('1.00');
  await expect(changes).toContainText('2.50');
  await expect(record.review).toContainText('as version 2 to Local');

  for (const method of ['PATCH', 'PUT']) {
    await record.review.getByRole('radio', { name: method }).check();
    await expect(record.review).toContainText(`${method} sends`);
  }
  const visibleRequest = await record.shownRequest();
  const saveRequest = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/CarePlan/'),
  );
  await record.save();
  expect(visibleRequest).toEqual(formatRequest(await saveRequest));
  await expect(workbench.status).toContainText('Saved version 2');
});

test('fills the window with the review, its footer at the lower edge @save', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
  await page.keyboard.press('Control+S');
  await expect(record.review).toContainText('as version 2 to Local');
  const gaps = await record.review.evaluate((sheet) => {
    const { height, bottom, left: sheetLeft } = sheet.getBoundingClientRect();
    const footer = sheet.querySelector('footer')?.getBoundingClientRect();
    return [innerHeight - height, bottom - (footer?.bottom ?? 0), (footer?.left ?? 0) - sheetLeft];
  });
  // The border of the sheet is between.
  expect(gaps.map(Math.round)).toEqual([48, 1, 1]);
});

test('scrolls to a change in the difference', { tag: '@save' }, async ({ workbench, page, server }) => {
  const activity = Array.from({ length: 60 }, (_, index) => ({
    detail: { status: 'scheduled', description: `Walk ${index}` },
  }));
  const plan = { resourceType: 'CarePlan', id: 'long', status: 'active', intent: 'plan', activity };
  await importDirty(server, [{ ...plan, subject: { reference: 'Patient/exact' } }]);
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('"Walk', '"Swim');
  await record.startReview();
  const changeButton = record.review.getByRole('button', { name: /^CarePlan\.activity\[59\]/ });
  const changeLine = record.review
    .getByRole('region', { name: 'Changes', exact: true })
    .locator('.view-line')
    .filter({ hasText: 'Swim 59' });
  await expect(changeButton).toContainText('Swim 59');
  await expect(changeLine).toHaveCount(0);
  await changeButton.click();
  await expect(changeLine).toBeInViewport();
  await expect(changeButton).toBeFocused();
});

test('sends a patch as shown, and keeps all other digits @save', async ({ workbench, page, server }) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
  await record.startReview();
  await record.review.getByRole('radio', { name: 'PATCH' }).check();
  const visibleRequest = await record.shownRequest();
  expect(visibleRequest.body).toBe(
    '[{"op":"replace","path":"/activity/0/detail/quantity/value","value":2.50}]',
  );
  const patchRequest = page.waitForRequest((request) => request.method() === 'PATCH');
  await record.save();
  expect(visibleRequest).toEqual(formatRequest(await patchRequest));
  await expect(workbench.status).toContainText('Saved version 2');
  expect(await readPlan(server, id)).toMatch(/2\.50[^]*12345678901234567890\.10/);
});

test('explains why replace operations cannot express the edit, and offers PUT @save', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Exact", "language": "en", "note": []');
  await record.startReview();
  await expect(record.review.getByRole('radio', { name: 'PATCH' })).toBeDisabled();
  await expect(record.review).toContainText('replace operations can’t add elements (/note)');
});

test('lists errors that would reject the save before it is sent, with links to their elements @save', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"intent": "plan"', '"intent": "wish"');
  await record.startReview();
  const preview = record.review.getByRole('region', { name: 'Validation' });
  await expect(preview).toContainText('The server will refuse this save: 1 error');
  await expect(record.review.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await record.review.getByRole('button', { name: 'Go to CarePlan.intent' }).click();
  await expect(record.review).toBeHidden();
  await expect(record.editor.locator('.selected-text').first()).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(record.editor.locator('.view-lines')).not.toContainText('wish');
});

/** Formats a request as the review does, without the headers of every request of the page. */
function formatRequest(request: Request): { head: string[]; body: string } {
  const headers = request.headers();
  const path = new URL(request.url()).pathname;
  return {
    head: [
      `${request.method()} ${path}`,
      `Content-Type: ${headers['content-type'] ?? ''}`,
      `If-Match: ${headers['if-match'] ?? ''}`,
    ],
    body: request.postData() ?? '',
  };
}

test("still opens the editor's menu after a review was closed @save", async ({ workbench, page, server }) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
  await record.startReview();
  await expect(record.review.locator('.view-line').first()).toBeVisible();
  await record.review.getByRole('button', { name: 'Keep editing' }).click();
  await expect(record.review).toBeHidden();

  await workbench.editor.locator('.view-line').first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Copy' })).toBeVisible();
});

test('warns that a save does not update the generated narrative @save', async ({
  workbench,
  page,
  server,
}) => {
  const div = '<div xmlns="http://www.w3.org/1999/xhtml">Walk</div>';
  const plan = { resourceType: 'CarePlan', id: 'told', status: 'active', intent: 'plan', title: 'Walk' };
  const text = { status: 'generated', div };
  await importDirty(server, [{ ...plan, subject: { reference: 'Patient/exact' }, text }]);
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('"title": "Walk"', '"title": "Swim"');
  await page.keyboard.press('Control+S');
  await expect(record.review).toContainText('The narrative will be out of date after this save');
});
