/** A document Bundle through the page: what it brings beside its Composition is counted, shown, exported and removed. */
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

test('companions come with an import, open from the reading view, and leave with Data @long', async ({
  workbench,
  page,
}) => {
  const data = new DataPage(page);
  await data.open('Companions');
  await expect(page.getByText('No companions yet.')).toBeVisible();
  await data.open('Import');
  await data.choose({ name: 'letter.json', text: bundle });
  await data.button('Import without dry run').click();
  await expect(workbench.status).toContainText('2 companions kept');
  await expect(page.getByText('Kept as companions: Encounter 1, Patient 1.')).toBeVisible();

  await new Frame(page).openById('letter');
  await page.getByRole('tab', { name: 'Read', exact: true }).click();
  const reading = page.getByRole('region', { name: 'Reading view' });
  const card = page.getByRole('dialog');
  await reading.getByTitle('Show Encounter/stay').click();
  await expect(card).toContainText('2026-01-02 – 2026-01-14');
  await page.keyboard.press('Escape');
  await reading.getByTitle('Show Practitioner/nobody').click();
  await expect(card).toContainText('Not at hand: no import brought it.');
  await page.keyboard.press('Escape');

  await data.open('Companions');
  await expectAccessible(page);
  const { name, text } = await data.download('Export Patient');
  expect(name).toMatch(/^chartkeeper-Patient-.*\.ndjson$/);
  expect(text).toContain('"x":[1.10,1e3]}');
  await data.button('Remove all').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No companions yet.')).toBeVisible();
});
