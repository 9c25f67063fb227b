/** Answers searches with more records than a test could store, as the server would: page by page, with next links. */
import type { Page } from '@playwright/test';

const statuses = ['final', 'amended', 'preliminary', 'entered-in-error'];

function record(at: number): object {
  const patient = at % 997;
  return {
    resourceType: 'Composition',
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    meta: {
      versionId: String((at % 9) + 1),
      lastUpdated: `2026-01-${two((at % 28) + 1)}T08:${two(at % 60)}:00.000Z`,
    },
    status: statuses[at % statuses.length],
    type: { text: 'Note' },
    subject: { reference: `Patient/${patient}`, display: `Patient Number ${patient}` },
    encounter: { reference: `Encounter/visit-${at % 4999}` },
    date: `20${two(at % 26)}-0${(at % 9) + 1}-${two((at % 28) + 1)}`,
    title: `Discharge summary ${at}`,
  };
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** From now on every search for Compositions finds `total` records. */
export async function answerWith(page: Page, total: number): Promise<void> {
  await page.route('**/fhir-r4/v1/Composition?*', async (route) => {
    const address = new URL(route.request().url());
    const from = Number(address.searchParams.get('_cursor') ?? 0);
    const count = Number(address.searchParams.get('_count'));
    const until = Math.min(total, from + count);
    const entry = Array.from({ length: until - from }, (_, at) => ({ resource: record(from + at) }));
    address.searchParams.set('_cursor', String(until));
    const link = until < total ? [{ relation: 'next', url: address.href }] : [];
    await route.fulfill({ json: { resourceType: 'Bundle', type: 'searchset', total, link, entry } });
  });
  await page.route('**/fhir-r4/v1/Composition/*', (route) => {
    const at = Number(new URL(route.request().url()).pathname.slice(-12));
    return route.fulfill({ json: record(at) });
  });
}
