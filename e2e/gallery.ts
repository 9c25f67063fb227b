/** Takes the pictures of docs/gallery.md anew: `node e2e/gallery.ts`. Each has a page of its own over one demo store. */
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
  /** Goes to where the picture is taken. */
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
  { name: 'record', colorScheme: 'dark', go: openPlan },
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

async function openPlan(workbench: Workbench): Promise<void> {
  await workbench.search('CarePlan', { patient: 'demo-patient-003' });
  await workbench.openRow(workbench.rows(/Smoking cessation/).first());
  await expect(workbench.page.getByRole('region', { name: 'Reading view' })).toContainText('Activities');
}

/** Answers the id of the record that was edited. */
async function editHandover(workbench: Workbench): Promise<string> {
  await workbench.search('Composition', { patient: 'demo-patient-010' });
  await workbench.openRow(workbench.rows(/Nursing handover/).first());
  await workbench.replaceInEditor(handover, `${handover}, amended by the ward`);
  await workbench.replaceInEditor('"status": "final"', '"status": "amended"');
  const name = await workbench.page.getByText(/^Composition\//).innerText();
  return name.replace('Composition/', '');
}

async function take({ name, colorScheme, go }: Picture, browser: Browser, server: TestServer): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const workbench = new Workbench(page);
  const quiet = requestsOf(page);
  await workbench.open(await server.link());
  await go(workbench, server);
  await page.mouse.move(640, 799);
  await quiet();
  await page.screenshot({ path: resolve(import.meta.dirname, `../docs/images/${name}.png`), caret: 'hide' });
  await context.close();
  // What was open and not saved belongs to this picture alone.
  await startAfresh(server);
}

/** Waits until no request is under way but the stream of changes, which never ends. */
function requestsOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/app/changes')) underWay.add(request);
  });
  const end = (request: Request) => void underWay.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => expect.poll(() => underWay.size).toBe(0);
}

async function startAfresh({ origin, token }: TestServer): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const drafts = (await (await fetch(`${origin}/app/drafts`, { headers })).json()) as { id: string }[];
  for (const { id } of drafts) await fetch(`${origin}/app/drafts/${id}`, { method: 'DELETE', headers });
  await fetch(`${origin}/app/session`, { method: 'PUT', headers, body: JSON.stringify(emptySession) });
}

if (isStale()) await buildBundles();
const dataDir = await makeDataDir();
const server = await startTestServer(dataDir, ['--demo']);
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: [...browserFlags] });
try {
  const headers = { Authorization: `Bearer ${server.token}` };
  const loaded = await fetch(`${server.origin}/app/training/migration`, { method: 'POST', headers });
  expect(loaded.status).toBe(200);
  for (const picture of pictures) await take(picture, browser, server);
} finally {
  await browser.close();
  await server.stop();
  await removeDataDir(dataDir);
}
