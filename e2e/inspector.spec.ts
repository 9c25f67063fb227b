import { EditorPage } from './editor-page.ts';
import { expect, test } from './fixtures.ts';
import { PatientPage } from './patient-page.ts';

const plan = (title: string, otherMembers = '') =>
  `{"resourceType":"CarePlan","title":"${title}","status":"active","intent":"plan","subject":{"reference":"Patient/ada","display":"Ada Example"}${otherMembers}}`;

test('summarizes a plan @read', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  const otherMembers =
    ',"period":{"start":"2020-01-01","end":"2020-01-31"},"goal":[{"display":"Walk again"}],"activity":[{"detail":{"code":{"text":"Exercise"},"status":"in-progress","scheduledPeriod":{"end":"2020-01-20"}}}]';
  await editor.openStored(server, 'CarePlan', plan('Summed', otherMembers), 'Summed');
  const summary = await editor.openSummary();
  await expect(summary).toContainText('Ada Example');
  await expect(summary).toContainText('31 days');
  await expect(summary).toContainText(/years overdue/);
  await expect(summary).toContainText('Walk again');
  await expect(summary).toContainText('due 2020-01-20');
  await summary.getByRole('button', { name: 'Exercise' }).click();
  await expect(editor.crumbs).toContainText('activity[0]');

  await workbench.replaceInEditor('"Walk again"', '"Run"');
  await expect(summary).toContainText('Run');
});

test('opens the page of the patient from the subject in the summary @read', async ({
  page,
  workbench,
  server,
}) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Linked'), 'Linked');
  const summary = await editor.openSummary();
  await summary.getByRole('button', { name: 'Ada Example' }).click();
  const patient = new PatientPage(page);
  await expect(patient.tab('Ada Example')).toHaveAttribute('aria-selected', 'true');
  await expect(patient.record('Linked')).toBeVisible();
});

test('lists the sections of a document @read', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  const record =
    '{"resourceType":"Composition","status":"preliminary","type":{"text":"Discharge summary"},"subject":{"reference":"Patient/ada"},"date":"2024-05-01","author":[{"display":"Dr Lee"}],"title":"Discharge","section":[{"title":"Medication","text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">None</div>"},"section":[{"title":"At home","entry":[{"reference":"MedicationStatement/1"}]}]}]}';
  await editor.openStored(server, 'Composition', record, 'Discharge');
  await editor.openSummary();
  await expect(editor.summary).toContainText('Discharge summary');
  await expect(editor.summary).toContainText('Dr Lee');
  await expect(editor.summary.getByRole('listitem').filter({ hasText: 'At home' }).last()).toContainText(
    '1 entry',
  );
  await editor.summary.getByRole('button', { name: 'At home' }).click();
  await expect(editor.crumbs.getByRole('button')).toHaveText(['Composition', 'section[0]', 'section[0]']);
});

test('shows a narrative without its scripts, images and links @read', async ({ page, workbench, server }) => {
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Hostile'), 'Hostile');
  const div = [
    '<div xmlns=http://www.w3.org/1999/xhtml>Stay well',
    '<script>parent.document.title = 1; fetch(`/planted-script`)</script>',
    '<img src=/planted-own-image>',
    '<img src=http://planted.example/image onerror=fetch(`/planted-onerror`)>',
    '<p style=background:url(http://planted.example/style)>kept</p>',
    '<a href=http://planted.example/>away</a>',
    '<iframe src=/planted-frame></iframe><svg onload=fetch(`/planted-svg`)></svg>',
    '<base href=http://planted.example/base>',
    '<meta http-equiv=refresh content=0;url=http://planted.example/refresh>',
    '<link rel=stylesheet href=http://planted.example/sheet></div>',
  ].join('');
  await workbench.replaceInEditor(
    '"intent": "plan",',
    `"intent": "plan", "text": {"status": "generated", "div": "${div}"},`,
  );
  await editor.openSummary();
  const frame = editor.summary.locator('iframe[title="Narrative"]');
  await expect(frame).toHaveAttribute('sandbox', '');
  // Read from outside: a script within the sandboxed frame would be rejected and reported.
  const frameSource = (await frame.getAttribute('srcdoc')) ?? '';
  // An element that FHIR does not allow becomes a div without attributes, which keeps its text apart.
  expect(frameSource).toMatch(/>Stay well<p>kept<\/p><a>away<\/a>(?:<div><\/div>)*<\/div>$/);
  expect(frameSource).toContain("default-src 'none'");
  expect(frameSource).not.toContain('planted');
  expect(requestedUrls.filter((address) => address.includes('planted'))).toEqual([]);
  await expect(page).not.toHaveTitle('1');
});

test('resizes, hides and remembers the inspector @read', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Sized'), 'Sized');
  await page.getByRole('tab', { name: 'JSON', exact: true }).click();
  const edge = page.getByRole('separator', { name: 'Inspector width' });
  await expect(edge).toHaveAttribute('aria-valuenow', '320');
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(edge).toHaveAttribute('aria-valuenow', '336');
  const saveResponse = page.waitForResponse(
    (response) => response.url().endsWith('/app/preferences') && response.ok(),
  );
  await page.getByRole('button', { name: 'Inspector' }).click();
  await expect(editor.inspector).toBeHidden();
  await saveResponse;
  await page.reload();
  await expect(page.getByRole('button', { name: 'Inspector' })).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Inspector' }).click();
  await expect(edge).toHaveAttribute('aria-valuenow', '336');
});
