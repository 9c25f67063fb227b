/**
 * Takes the pictures of docs/gallery.md and docs/guide: `node e2e/gallery.ts [NAME]...`. Each has its own
 * page over one demo store.
 */
import { chromium, expect, type Browser, type Page, type Request } from '@playwright/test';
import { resolve } from 'node:path';
import { browserFlags, ensureBrowser } from '../scripts/browser.ts';
import { buildBundles, isStale } from '../scripts/build.ts';
import { emptySession } from '../core/app/session.ts';
import { PatchPage } from './patch-page.ts';
import { QualityPage } from './quality-page.ts';
import { RecordPage } from './record-page.ts';
import { makeDataDir, patchRecord, removeDataDir, startTestServer, type TestServer } from './server.ts';
import { Workbench } from './workbench.ts';

interface Picture {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  /** Opens the state of the picture. */
  readonly go: (workbench: Workbench, server: TestServer) => Promise<void>;
}

const handover = 'Nursing handover: Type 2 diabetes mellitus';

const pictures: readonly Picture[] = [
  {
    name: 'results',
    colorScheme: 'light',
    go: async (workbench) => {
      await workbench.search('Composition', {});
      await expect(workbench.rows().first()).toBeVisible();
    },
  },
  { name: 'record', colorScheme: 'dark', go: (workbench) => openSample(workbench, plan) },
  {
    name: 'document',
    colorScheme: 'light',
    go: async (workbench) => {
      await openSample(workbench, letter);
      await workbench.page.getByRole('tab', { name: 'Read', exact: true }).click();
      await expect(workbench.page.getByRole('region', { name: 'Reading view' })).toContainText('Allergies');
    },
  },
  {
    name: 'patch',
    colorScheme: 'dark',
    go: async (workbench) => {
      await openPlan(workbench);
      const patch = new PatchPage(workbench.page);
      await patch.open();
      await patch.path().fill('/status');
      await patch.value().selectOption('on-hold');
      await expect(patch.preview).toContainText('on-hold');
    },
  },
  {
    name: 'quality',
    colorScheme: 'light',
    go: async ({ page }) => {
      const quality = new QualityPage(page);
      await quality.open();
      await expect(quality.findings().first()).toBeVisible();
    },
  },
  {
    name: 'bulk',
    colorScheme: 'light',
    go: async (workbench) => {
      const { page } = workbench;
      await workbench.search('CarePlan', { patient: 'demo-patient-003' });
      await page.getByRole('button', { name: 'Bulk edit all results' }).click();
      const quality = new QualityPage(page);
      await quality.dryRun('/status', 'on-hold');
      await expect(quality.sheet.getByRole('button', { name: /^Change \d/ })).toBeVisible();
    },
  },
  {
    name: 'review',
    colorScheme: 'light',
    go: async (workbench) => {
      await editHandover(workbench);
      await new RecordPage(workbench.page).startReview();
    },
  },
  {
    name: 'conflict',
    colorScheme: 'dark',
    go: async (workbench, server) => {
      const id = await editHandover(workbench);
      const record = new RecordPage(workbench.page);
      await record.startReview();
      await patchRecord(server, `Composition/${id}`, '/title', `${handover} (second opinion)`);
      await record.save();
      await expect(record.conflict).toBeVisible();
    },
  },
];

/** A plan with an activity outside its period, and a document with an empty section. */
const subject = { reference: 'Patient/gallery', display: 'Noor Sample' };
const plan = {
  resourceType: 'CarePlan',
  title: 'Walking again after a knee replacement',
  status: 'active',
  intent: 'plan',
  subject,
  period: { start: '2026-02-02', end: '2026-05-29' },
  category: [{ text: 'Rehabilitation' }],
  author: { display: 'Dr. Imre Specimen' },
  activity: [
    {
      detail: {
        status: 'completed',
        description: 'Physiotherapy, twice a week',
        scheduledPeriod: { start: '2026-02-09', end: '2026-04-10' },
      },
    },
    {
      detail: {
        status: 'in-progress',
        description: 'Walking in the pool',
        scheduledPeriod: { start: '2026-03-16', end: '2026-05-22' },
      },
    },
    {
      detail: {
        status: 'scheduled',
        description: 'X-ray of the knee',
        scheduledPeriod: { start: '2026-06-22', end: '2026-06-26' },
      },
    },
    { detail: { status: 'not-started', description: 'Climbing stairs without a rail' } },
  ],
};
const narrative = (html: string) => ({
  status: 'generated',
  div: `<div xmlns="http://www.w3.org/1999/xhtml">${html}</div>`,
});
const letter = {
  resourceType: 'Composition',
  status: 'preliminary',
  type: { text: 'Discharge letter' },
  subject,
  date: '2026-02-01T10:30:00Z',
  author: [{ display: 'Dr. Imre Specimen' }],
  title: 'Discharge letter, orthopaedics',
  custodian: { display: 'Sample Hospital' },
  section: [
    {
      title: 'Course of the stay',
      text: narrative(
        '<p>The knee was replaced on the left side. Walking with two crutches from the second day on, without fever.</p>',
      ),
    },
    {
      title: 'Medication',
      text: narrative(
        '<table><thead><tr><th>Medicine</th><th>Dose</th><th>Until</th></tr></thead><tbody><tr><td>Paracetamol</td><td>1.00 g, three times a day</td><td>8 February</td></tr><tr><td>Enoxaparin</td><td>40 mg, in the evening</td><td>8 March</td></tr></tbody></table>',
      ),
    },
    { title: 'Allergies' },
    { title: 'What comes next', text: narrative('<p>Removal of the stitches on 14 February.</p>') },
  ],
};

/** Stores both as a user with a name, without validation. */
async function storeSamples(server: TestServer): Promise<void> {
  const { origin } = server;
  const code = (await server.link()).split('#code=').at(-1) ?? '';
  const post = async (path: string, body: object, token?: string, method = 'POST', otherHeaders = {}) => {
    const headers = { 'Content-Type': 'application/json', ...otherHeaders };
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const answer = await fetch(origin + path, {
      method,
      headers: { ...headers, ...authorization },
      body: JSON.stringify(body),
    });
    expect(answer.ok).toBe(true);
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, string>);
  };
  const { token } = await post('/app/sign-in', { code });
  const { id } = await post('/app/people', { name: 'Robin Steward' }, token);
  await post('/app/person', { id }, token, 'PUT');
  const lines = [plan, letter].map((record) => JSON.stringify(record)).join('\n');
  const answer = await fetch(`${origin}/app/import?level=off`, {
    method: 'POST',
    body: lines,
    headers: { Authorization: `Bearer ${token ?? ''}`, 'Content-Type': 'application/x-ndjson' },
  });
  expect(await answer.text()).toContain('"refused":0');
}

async function openSample(
  workbench: Workbench,
  record: { resourceType: string; title: string },
): Promise<void> {
  await workbench.search(record.resourceType, { patient: 'gallery' });
  await workbench.openRow(workbench.rows(record.title).first());
  await expect(workbench.page.getByRole('region', { name: 'Reading view' })).toContainText(record.title);
}

async function openPlan(workbench: Workbench): Promise<void> {
  await workbench.search('CarePlan', { patient: 'demo-patient-003' });
  await workbench.openRow(workbench.rows(/Smoking cessation/).first());
  await expect(workbench.page.getByRole('region', { name: 'Reading view' })).toContainText('Activities');
}

/** Edits a record. Returns its id. */
async function editHandover(workbench: Workbench): Promise<string> {
  await workbench.search('Composition', { patient: 'demo-patient-010' });
  await workbench.openRow(workbench.rows(/Nursing handover/).first());
  await workbench.replaceInEditor(handover, `${handover}, amended by the ward`);
  await workbench.replaceInEditor('"status": "final"', '"status": "amended"');
  const name =
    (await workbench.page
      .getByTitle(/^Composition\//)
      .first()
      .getAttribute('title')) ?? '';
  return name.replace('Composition/', '');
}

async function takePicture(
  { name, colorScheme, go }: Picture,
  browser: Browser,
  server: TestServer,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const workbench = new Workbench(page);
  const quiet = watchRequests(page);
  await workbench.open(await server.link());
  await go(workbench, server);
  await page.mouse.move(640, 799);
  await quiet();
  // A gray bar marks content that is still loading.
  await expect(page.locator('.mantine-Skeleton-root').filter({ visible: true })).toHaveCount(0);
  await page.screenshot({ path: resolve(import.meta.dirname, `../docs/images/${name}.png`), caret: 'hide' });
  await context.close();
  // Open and unsaved content belongs only to this picture.
  await resetServer(server);
}

/** Returns a function that waits until only the change stream is pending, which never ends. */
function watchRequests(page: Page): () => Promise<void> {
  const pendingRequests = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/app/changes')) pendingRequests.add(request);
  });
  const end = (request: Request) => void pendingRequests.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => expect.poll(() => pendingRequests.size).toBe(0);
}

async function resetServer({ origin, token }: TestServer): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const drafts = (await (await fetch(`${origin}/app/drafts`, { headers })).json()) as { id: string }[];
  for (const { id } of drafts) await fetch(`${origin}/app/drafts/${id}`, { method: 'DELETE', headers });
  await fetch(`${origin}/app/session`, { method: 'PUT', headers, body: JSON.stringify(emptySession) });
  await fetch(`${origin}/app/preferences`, { method: 'PUT', headers, body: '{"recordView":null}' });
}

if (isStale()) await buildBundles();
const dataDir = await makeDataDir();
const server = await startTestServer(dataDir, ['--demo']);
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: [...browserFlags] });
try {
  const headers = { Authorization: `Bearer ${server.token}` };
  const loaded = await fetch(`${server.origin}/app/training/migration`, { method: 'POST', headers });
  expect(loaded.status).toBe(200);
  await storeSamples(server);
  const requestedNames = process.argv.slice(2);
  for (const picture of pictures)
    if (requestedNames.length === 0 || requestedNames.includes(picture.name))
      await takePicture(picture, browser, server);
} finally {
  await browser.close();
  await server.stop();
  await removeDataDir(dataDir);
}
