import { expect, test } from './fixtures.ts';
import { openPlan, readPlan } from './record-page.ts';

for (const method of ['PUT', 'PATCH'] as const) {
  test(`finds a ${method} with a lost response as saved @save`, async ({ workbench, page, server }) => {
    const { record, id } = await openPlan(page, server);
    await workbench.replaceInEditor('"title": "Exact"', '"title": "Arrived"');
    await record.startReview();
    await record.review.getByRole('radio', { name: method, exact: true }).check();
    await page.route(
      (address) => address.pathname.includes('/CarePlan/'),
      async (route) => {
        if (route.request().method() !== method) return route.fallback();
        await route.fetch();
        return route.abort('connectionreset');
      },
    );
    await record.save();
    await expect(record.review).toContainText('Not confirmed: the connection was lost after sending.');
    await expect(record.review.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
    await record.review.getByRole('button', { name: 'Load again and compare' }).click();
    await expect(workbench.status).toContainText('Saved version 2');
    await expect(record.review).toBeHidden();
    expect(await readPlan(server, id)).toMatch(/"versionId":"2"[^]*"Arrived"/);
  });

  test(`sends a ${method} that never arrived again @save`, async ({ workbench, page, server }) => {
    const { record, id } = await openPlan(page, server);
    await workbench.replaceInEditor('"title": "Exact"', '"title": "Again"');
    await record.startReview();
    await record.review.getByRole('radio', { name: method, exact: true }).check();
    await page.route(
      (address) => address.pathname.includes('/CarePlan/'),
      (route) => (route.request().method() === method ? route.abort('connectionreset') : route.fallback()),
      { times: 1 },
    );
    await record.save();
    await record.review.getByRole('button', { name: 'Load again and compare' }).click();
    await expect(record.review).toContainText('The server still has version 1: your change did not arrive.');
    expect(await readPlan(server, id)).toContain('"Exact"');
    await record.save();
    await expect(workbench.status).toContainText('Saved version 2');
    expect(await readPlan(server, id)).toMatch(/"versionId":"2"[^]*"Again"/);
  });
}

test('keeps the draft after a rejected token, and offers the same save again @save', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Signed"');
  await record.draftSaved();
  await record.startReview();
  await page.route(
    (address) => address.pathname.includes('/CarePlan/'),
    (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"login"}]}',
      }),
    { times: 1 },
  );
  await record.save();
  await page.getByLabel('Sign-in link or code').fill(await server.link());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(record.review).toContainText('Sign in again, then save');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
});
