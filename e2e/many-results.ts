/**
 * Answers searches with more records than a test could store, page by page with next links, as the server
 * does.
 */
import type { Page } from '@playwright/test';

const statuses = ['final', 'amended', 'preliminary', 'entered-in-error'];

function record(index: number): object {
  const patient = index % 997;
  return {
    resourceType: 'Composition',
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    meta: {
      versionId: String((index % 9) + 1),
      lastUpdated: `2026-01-${padTwo((index % 28) + 1)}T08:${padTwo(index % 60)}:00.000Z`,
    },
    status: statuses[index % statuses.length],
    type: { text: 'Note' },
    subject: { reference: `Patient/${patient}`, display: `Patient Number ${patient}` },
    encounter: { reference: `Encounter/visit-${index % 4999}` },
    date: `20${padTwo(index % 26)}-0${(index % 9) + 1}-${padTwo((index % 28) + 1)}`,
    title: `Discharge summary ${index}`,
  };
}

function padTwo(number: number): string {
  return String(number).padStart(2, '0');
}

/** Makes every search for Compositions find `total` records. */
export async function answerWith(page: Page, total: number): Promise<void> {
  await page.route('**/fhir-r4/v1/Composition?*', async (route) => {
    const address = new URL(route.request().url());
    const from = Number(address.searchParams.get('_cursor') ?? 0);
    const count = Number(address.searchParams.get('_count'));
    const until = Math.min(total, from + count);
    const entry = Array.from({ length: until - from }, (_, offset) => ({ resource: record(from + offset) }));
    address.searchParams.set('_cursor', String(until));
    const link = until < total ? [{ relation: 'next', url: address.href }] : [];
    await route.fulfill({ json: { resourceType: 'Bundle', type: 'searchset', total, link, entry } });
  });
  await page.route('**/fhir-r4/v1/Composition/*', (route) => {
    const index = Number(new URL(route.request().url()).pathname.slice(-12));
    return route.fulfill({ json: record(index) });
  });
}
