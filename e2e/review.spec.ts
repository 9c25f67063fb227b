import type { Request } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { importDirty } from './quality-page.ts';
import { openPlan, readPlan, RecordPage } from './record-page.ts';

test('the review lists the changes, and sends the request that it shows @long', async ({
  workbench,
  page,
  server,
}) => {
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
  const shown = await record.shownRequest();
  const sending = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/CarePlan/'),
  );
  await record.save();
  expect(shown).toEqual(asShown(await sending));
  await expect(workbench.status).toContainText('Saved version 2');
});

test('the review fills the window, its foot at the lower edge @long', async ({ workbench, page, server }) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
  await page.keyboard.press('Control+S');
  await expect(record.review).toContainText('as version 2 to Local');
  const gaps = await record.review.evaluate((sheet) => {
    const { height, bottom, left } = sheet.getBoundingClientRect();
    const foot = sheet.querySelector('footer')?.getBoundingClientRect();
    return [innerHeight - height, bottom - (foot?.bottom ?? 0), (foot?.left ?? 0) - left];
  });
  // The border of the sheet lies between.
  expect(gaps.map(Math.round)).toEqual([48, 1, 1]);
});

test(
  'a change leads to its place in the difference',
  { tag: '@long' },
  async ({ workbench, page, server }) => {
    const activity = Array.from({ length: 60 }, (_, at) => ({
      detail: { status: 'scheduled', description: `Walk ${at}` },
    }));
    const plan = { resourceType: 'CarePlan', id: 'long', status: 'active', intent: 'plan', activity };
    await importDirty(server, [{ ...plan, subject: { reference: 'Patient/exact' } }]);
    const record = new RecordPage(page);
    await record.open();
    await workbench.replaceInEditor('"Walk', '"Swim');
    await record.startReview();
    const changed = record.review.getByRole('button', { name: /^CarePlan\.activity\[59\]/ });
    const place = record.review
      .getByRole('region', { name: 'Difference' })
      .locator('.view-line')
      .filter({ hasText: 'Swim 59' });
    await expect(changed).toContainText('Swim 59');
    await expect(place).toHaveCount(0);
    await changed.click();
    await expect(place).toBeInViewport();
    await expect(changed).toBeFocused();
  },
);

test('a patch is sent as it is shown, and leaves every other digit alone', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
  await record.startReview();
  await record.review.getByRole('radio', { name: 'PATCH' }).check();
  const shown = await record.shownRequest();
  expect(shown.body).toBe('[{"op":"replace","path":"/activity/0/detail/quantity/value","value":2.50}]');
  const sending = page.waitForRequest((request) => request.method() === 'PATCH');
  await record.save();
  expect(shown).toEqual(asShown(await sending));
  await expect(workbench.status).toContainText('Saved version 2');
  expect(await readPlan(server, id)).toMatch(/2\.50[^]*12345678901234567890\.10/);
});

test('where replace operations cannot say the edit, the reason stands there and PUT is left @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Exact", "language": "en", "note": []');
  await record.startReview();
  await expect(record.review.getByRole('radio', { name: 'PATCH' })).toBeDisabled();
  await expect(record.review).toContainText('replace operations cannot add an element to the record (/note)');
});

test('errors that the save would be refused for are said before it is sent, and lead to their elements @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"intent": "plan"', '"intent": "wish"');
  await record.startReview();
  const verdict = record.review.getByRole('region', { name: 'Validation' });
  await expect(verdict).toContainText('The save will be refused for 1 error');
  await expect(record.review.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await record.review.getByRole('button', { name: 'Go to CarePlan.intent' }).click();
  await expect(record.review).toBeHidden();
  await expect(record.editor.locator('.selected-text').first()).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(record.editor.locator('.view-lines')).not.toContainText('wish');
});

/** A request as the review writes it, without what any request of the page carries. */
function asShown(request: Request): { head: string[]; body: string } {
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

test("the editor's menu still opens once a review was closed @long", async ({ workbench, page, server }) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
  await record.startReview();
  await expect(record.review.locator('.view-line').first()).toBeVisible();
  await record.review.getByRole('button', { name: 'Keep editing' }).click();
  await expect(record.review).toBeHidden();

  await workbench.editor.locator('.view-line').first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Copy' })).toBeVisible();
});

test('the review says that a save leaves the generated narrative behind', async ({
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
