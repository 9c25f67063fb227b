/** A document Bundle through the page: its supporting resources are counted, shown, exported and removed. */
import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';

const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-0000000000dd';
const entries = [
  [
    'urn:uuid:0d1e2f3a-0000-4000-8000-0000000000de',
    `{"resourceType":"Composition","id":"letter","status":"final","type":{"text":"Discharge summary"},"subject":{"reference":"${urn}"},"encounter":{"reference":"Encounter/stay"},"date":"2026-01-14","author":[{"reference":"Practitioner/nobody","display":"Dr Specimen"}],"title":"Discharge summary","section":[{"title":"Course","text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><p>Recovered.</p></div>"}}]}`,
  ],
  [
    urn,
    '{"resourceType":"Patient","id":"p1","identifier":[{"system":"https://clinic.example/mrn","value":"0042"}],"name":[{"given":["Ada"],"family":"Example"}],"gender":"female","birthDate":"1950-02-01","x":[1.10,1e3]}',
  ],
  [
    'https://clinic.example/fhir/Encounter/stay',
    '{"resourceType":"Encounter","id":"stay","status":"finished","class":{"code":"IMP","display":"inpatient encounter"},"period":{"start":"2026-01-02","end":"2026-01-14"}}',
  ],
].map(([fullUrl, resource]) => `{"fullUrl":"${fullUrl}","resource":${resource}}`);
const bundle = `{"resourceType":"Bundle","type":"document","entry":[\n${entries.join(',\n')}\n]}`;

test('imports related resources, opens them from the reading view, and deletes them in Data @companions', async ({
  workbench,
  page,
}) => {
  const data = new DataPage(page);
  await data.open('Related resources');
  await expect(page.getByText('No related resources yet.')).toBeVisible();
  await data.open('Import');
  await data.choose({ name: 'letter.json', text: bundle });
  await data.button('Import without dry run').click();
  await expect(workbench.status).toContainText('2 related resources stored.');
  await expect(page.getByText('Stored as related resources: Encounter 1, Patient 1.')).toBeVisible();

  await new Frame(page).openById('letter');
  await page.getByRole('tab', { name: 'Read', exact: true }).click();
  const reading = page.getByRole('region', { name: 'Reading view' });
  const card = page.getByRole('dialog');
  await reading.getByTitle('Show Encounter/stay').click();
  await expect(card).toContainText('2026-01-02 – 2026-01-14');
  await page.keyboard.press('Escape');
  await reading.getByTitle('Show Practitioner/nobody').click();
  await expect(card).toContainText('Not available here. It didn’t come with an import.');
  await page.keyboard.press('Escape');

  await data.open('Related resources');
  await expectAccessible(page);
  const { name, text } = await data.download('Export Patient');
  expect(name).toMatch(/^chartkeeper-Patient-.*\.ndjson$/);
  expect(text).toContain('"x":[1.10,1e3]}');
  await data.button('Delete all').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No related resources yet.')).toBeVisible();
});
