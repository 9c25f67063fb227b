/** Two clients that change one record at once. */
import { expect, type Page } from '@playwright/test';
import { RecordPage, storePlan } from './record-page.ts';
import type { TestServer } from './server.ts';
import type { Workbench } from './workbench.ts';

/** Opens a tab whose save conflicts with a version that changed the same title and the status. */
export async function overlap(workbench: Workbench, page: Page, server: TestServer) {
  const id = await storePlan(server);
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await change(server, id, { title: 'Theirs', status: 'on-hold' });
  await record.startReview();
  await record.save();
  await expect(record.conflict).toBeVisible();
  return { record, id };
}

/** Selects the own title in the conflict of {@link overlap}. */
export async function chooseMine({ conflict }: RecordPage): Promise<void> {
  await conflict
    .getByRole('radiogroup', { name: 'Choice for /title' })
    .getByRole('radio', { name: 'Mine' })
    .check();
}

/** Replaces elements through the API in one version, as another client would. */
export async function change(
  { origin, token }: TestServer,
  id: string,
  values: Record<string, string>,
): Promise<void> {
  const operations = Object.entries(values).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  const answer = await fetch(`${origin}/fhir-r4/v1/CarePlan/${id}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(operations),
  });
  expect(answer.status).toBe(200);
}
