/*
 * The built desktop app: main and preload bundle, server process and page, with a double instead of Electron
 * (electron-double/double.ts describes its limits).
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { ask, test, readToken, type DoubleApp } from './electron-app.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { Workbench } from './workbench.ts';

const plan = {
  resourceType: 'CarePlan',
  title: 'Canary plan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/canary-patient' },
};

/** Stores the plan through the API. Returns its id. */
async function store(app: DoubleApp, change: object = {}): Promise<string> {
  const { id } = await ask(app, 'POST', '/fhir-r4/v1/CarePlan', { ...plan, ...change });
  return String(id);
}

async function openPlan(workbench: Workbench): Promise<void> {
  await workbench.search('CarePlan', { patient: 'canary-patient' });
  await workbench.openRow(workbench.rows(/Canary plan/));
}

test('supports a day of work: start, search, edit, save by the menu, lock, link, files, diagnostics @desktop', async ({
  start,
}, info) => {
  const app = await start();
  const { page, double } = app;
  const workbench = new Workbench(page);
  const record = new RecordPage(page);
  const id = await store(app);
  await openPlan(workbench);
  await workbench.replaceInEditor('"title": "', '"title": "Revised: ');
  double.choose('record.review');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
  expect(await ask(app, 'GET', `/fhir-r4/v1/CarePlan/${id}`)).toMatchObject({
    title: 'Revised: Canary plan',
  });

  // The page works with a token that it cannot read.
  const token = readToken(app);
  const visibleState = await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      Object.values(localStorage),
      Object.values(sessionStorage),
      performance.getEntries(),
      Object.entries(Reflect.get(window, 'chartkeeper') ?? {}),
    ]),
  );
  expect(visibleState).toContain('Canary plan');
  expect(visibleState).not.toContain(token);

  // While locked, nothing is rendered, focused or executed. Unlocking restores everything.
  const tab = page.getByRole('tab', { name: /Canary plan/ });
  double.choose('lock');
  await expect(page.getByRole('dialog', { name: 'Chartkeeper is locked' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(1);
  await expectAccessible(page);
  await expect(tab).toBeHidden();
  double.choose('tab.close');
  await page.keyboard.press('Alt+W');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(tab).toBeVisible();
  await expect(workbench.editor).toContainText('Revised: Canary plan');

  double.choose('tab.close');
  await expect(tab).toBeHidden();
  double.app.emit('second-instance', {}, ['app', `chartkeeper://open/Local/${id}`], '/');
  await expect(tab).toBeVisible();
  double.app.emit('second-instance', {}, ['app', `chartkeeper://open/https%3A%2F%2Fx.example/${id}`], '/');
  await expect(workbench.status).toContainText('There is no connection named https://x.example.');

  const file = info.outputPath('canary-file.ndjson');
  await writeFile(file, `${JSON.stringify({ ...plan, title: 'From a file' })}\n`);
  double.dialog.openPaths = [file];
  double.choose('openFiles');
  await expect(page.getByRole('region', { name: 'Files to import' })).toContainText('canary-file.ndjson');
  await page.getByRole('button', { name: 'Import without dry run' }).click();
  await expect(workbench.status).toContainText('1 of 1 record stored');

  // A failing request with texts of the record in address and body, then the diagnostics.
  await ask(app, 'POST', '/fhir-r4/v1/CarePlan?canary-query=1', { ...plan, status: 'canary-status' });
  double.dialog.savePath = info.outputPath('diagnostics.json');
  double.choose('diagnostics');
  await expect.poll(() => readFile(double.dialog.savePath, 'utf8').catch(() => '')).toContain('"versions"');
  const diagnostics = await readFile(double.dialog.savePath, 'utf8');
  expect(diagnostics).toContain('server ready on port');
  for (const canary of ['anary', 'From a file', id, token, app.userData]) {
    expect(diagnostics).not.toContain(canary);
  }
  expect(app.foreign).toEqual([]);
});

test('cannot leave the page, and opens only https links, outside @desktop', async ({ start }) => {
  const { page, double } = await start();
  const originalUrl = page.url();
  await page.evaluate(() => (location.href = 'https://evil.example/'));
  await page.evaluate(() => (location.href = 'http://127.0.0.1:9/'));
  await page.evaluate(() => {
    for (const address of ['https://docs.example/x', 'http://docs.example/', 'file:///etc/passwd'])
      window.open(address);
  });
  await expect.poll(() => double.openedOutside).toEqual(['https://docs.example/x']);
  await expect.poll(() => page.context().pages().length).toBe(1);
  expect(page.url()).toBe(originalUrl);
  const [session] = double.windows.map(({ session: windowSession }) => windowSession);
  expect([...(session?.handlers ?? [])].sort()).toEqual(['check', 'device', 'no spell checker', 'request']);
  expect(double.app.sandboxed).toBe(true);
});

test('restarts a crashed server with the text kept, and does not repeat a pending write @desktop', async ({
  start,
}) => {
  const app = await start();
  const { page, double } = app;
  const workbench = new Workbench(page);
  const record = new RecordPage(page);
  const id = await store(app);
  await openPlan(workbench);
  await workbench.replaceInEditor('"title": "', '"title": "First: ');
  await record.draftSaved();

  app.server().signal('SIGKILL');
  await expect.poll(() => app.ready()).toBe(2);
  await expect(workbench.editor).toContainText('First: Canary plan');
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');

  // The server receives the request and stops responding. It ends during the write.
  await workbench.replaceInEditor('"title": "First', '"title": "Second');
  await record.startReview();
  app.server().signal('SIGSTOP');
  const saveRequest = page.waitForRequest((request) => request.method() === 'PUT');
  await record.save();
  await saveRequest;
  app.server().signal('SIGKILL');
  await expect.poll(() => app.ready()).toBe(3);
  await expect(page.getByText(/not confirmed/i).first()).toBeVisible();
  expect(await ask(app, 'GET', `/fhir-r4/v1/CarePlan/${id}`)).toMatchObject({
    title: 'First: Canary plan',
    meta: { versionId: '2' },
  });
  expect(double.dialog.prompts).toEqual([]);
});

test('asks when quitting with a draft, drains the server, and offers the draft at the next start @desktop', async ({
  start,
}) => {
  const app = await start();
  const workbench = new Workbench(app.page);
  await store(app);
  const linkedId = await store(app, { title: 'Linked plan', subject: { reference: 'Patient/other' } });
  await openPlan(workbench);
  await workbench.replaceInEditor('"title": "', '"title": "Drafted: ');
  await new RecordPage(app.page).draftSaved();
  app.double.dialog.button = 'Cancel';
  app.double.app.quit();
  await expect
    .poll(() => app.double.dialog.prompts.map(({ message }) => message))
    .toEqual(['1 tab has unsaved changes.']);
  expect(app.server().isRunning).toBe(true);
  app.double.choose('zoomIn');
  app.double.dialog.button = 'Quit';
  app.double.app.quit();
  expect(await app.double.app.exited).toBe(0);
  expect(app.server().isRunning).toBe(false);

  const restarted = await start([`chartkeeper://open/Local/CarePlan/${linkedId}`]);
  await expect(restarted.page.getByRole('tab', { name: /Linked plan/ })).toBeVisible();
  await restarted.page.getByRole('tab', { name: /Canary plan/ }).click();
  const record = new RecordPage(restarted.page);
  await expect(record.drafts.getByRole('button', { name: 'Restore draft' })).toBeVisible();
  expect(restarted.double.windows[0]?.webContents.getZoomLevel()).toBe(1);
});

test('opens a record of another server by a link, with a secret from the keychain, also after a restart @desktop', async ({
  start,
  userData,
  ward,
}) => {
  const record = await storePlan(ward);
  const connection = {
    name: 'Ward',
    baseUrl: `${ward.origin}/fhir-r4/v1`,
    colour: 'teal',
    mode: 'read-only',
    authentication: { kind: 'bearer' },
    timeoutSeconds: 10,
    encounterParameter: 'encounter',
    patchType: 'application/json-patch+json',
  };
  const app = await start();
  const { id } = await ask(app, 'POST', '/app/connections', connection);
  await ask(app, 'PUT', `/app/connections/${String(id)}/secret`, { secret: ward.token });
  app.double.app.emit('second-instance', {}, ['app', `chartkeeper://open/Ward/${record}`], '/');
  await expect(app.page.getByRole('tab', { name: /Exact/ })).toBeVisible();
  await expect(app.page.getByRole('button', { name: /^Connection: Ward/ })).toBeVisible();
  await expect(() => app.double.choose('Local')).toPass();
  await expect(app.page.getByRole('button', { name: /^Connection: Local/ })).toBeVisible();
  const expectedSettings = { secrets: 'system', connections: [{ secretSet: true }] };
  expect(await ask(app, 'GET', '/app/connections')).toMatchObject(expectedSettings);
  for (const file of ['secrets.json', 'data/workspace.db', 'data/workspace.db-wal', 'logs/chartkeeper.log']) {
    expect(await readFile(join(userData, file), 'latin1')).not.toContain(ward.token);
  }
  app.double.app.quit();
  await app.double.app.exited;
  const restarted = await start();
  expect(await ask(restarted, 'GET', '/app/connections')).toMatchObject(expectedSettings);
});

test('names a data folder that cannot be opened, and the log @desktop', async ({ start, userData }) => {
  await mkdir(join(userData, 'data'), { recursive: true });
  await writeFile(join(userData, 'data', 'records.db'), 'no database at all');
  const { page } = await start([], { failing: true });
  await expect(page.getByRole('heading', { name: 'The server is not running' })).toBeVisible();
  await expect(page.getByText(join(userData, 'data'), { exact: true })).toBeVisible();
  await expect(page.getByText(join(userData, 'logs', 'chartkeeper.log'))).toBeVisible();
});

test('creates a backup, verifies the audit log and opens the connections from the native menu @desktop', async ({
  start,
}) => {
  const app = await start();
  const { page, double } = app;
  const { status } = new Workbench(page);
  await store(app);
  double.choose('backup.now');
  await expect(status).toContainText('Backup records-');
  await expect(page.getByRole('table', { name: 'Backups' })).toContainText('Manual');
  double.choose('audit.verify');
  await expect(page.getByRole('note')).toContainText('No changes found.');
  double.choose('connection.switch');
  await expect(page.getByRole('menu')).toContainText('Add connection');
  await page.keyboard.press('Escape');
  double.choose('connection.add');
  await expect(page.getByRole('dialog', { name: 'Add connection' })).toBeVisible();
});

test('checks itself in a separate folder with --self-check, and exits with 1 without real Electron @desktop', async ({
  start,
  userData,
}) => {
  const lines: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text: string, ...otherParameters: never[]) => {
    lines.push(...text.split('\n'));
    return write(text, ...otherParameters);
  };
  try {
    const { double } = await start(['--self-check'], { failing: true });
    expect(await double.app.exited).toBe(1);
  } finally {
    process.stdout.write = write;
  }
  const results = Object.fromEntries(lines.map((line) => line.split(/ +/).slice(0, 2).reverse()));
  // The double has no sandbox, and its program has no fuses.
  expect(results).toMatchObject({ window: 'ok', sandbox: 'failed', fuses: 'failed', store: 'ok' });
  expect(lines.join()).toMatch(/every digit: SQLite 3\./);
  expect(await readdir(userData)).toEqual([]);
});
