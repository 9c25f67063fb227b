import { AuditTrailPage } from './audit-page.ts';
import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import {
  makeDataDir,
  skipOnSharedStore,
  patchRecord,
  removeDataDir,
  startTestServer,
  tamper,
} from './server.ts';
import { openWindow } from './offline.ts';
import { TrustPage } from './trust-page.ts';
import { Workbench } from './workbench.ts';

test('opens Trust at the requested section, and otherwise at the previous one @trust', async ({
  workbench: _,
  page,
}) => {
  const [trust, frame, data] = [new TrustPage(page), new Frame(page), new DataPage(page)];
  await trust.open();
  await expect(trust.tab('Audit')).toHaveAttribute('aria-selected', 'true');
  await trust.open('Integrity');
  await expect(trust.tab('Integrity')).toHaveAttribute('aria-selected', 'true');
  await data.open('Import');
  await trust.open();
  await expect(trust.tab('Integrity')).toHaveAttribute('aria-selected', 'true');
  // The sections share one tab of the window.
  await expect(
    page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab', { name: 'Trust' }),
  ).toHaveCount(1);
  await frame.run('Verify audit log');
  await expect(trust.tab('Audit')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('note')).toContainText('No changes found.');
});

test('opens the backup section of Trust by command, and keeps it over a reload @trust', async ({
  workbench: _,
  page,
}) => {
  skipOnSharedStore(test, 'backups');
  const trust = new TrustPage(page);
  await new Frame(page).run('Back up now');
  await expect(trust.tab('Backups')).toHaveAttribute('aria-selected', 'true');
  await page.reload();
  await expect(trust.tab('Backups')).toHaveAttribute('aria-selected', 'true');
});

test(
  'opens the entries of a record, and shows only changes',
  { tag: '@trust' },
  async ({ workbench: _, page, server }) => {
    const id = await storePlan(server);
    await patchRecord(server, `CarePlan/${id}`, '/title', 'Renamed');
    const [audit, record] = [new AuditTrailPage(page), new RecordPage(page)];
    await record.open();
    await new Frame(page).run('Audit log of this record');
    await expect(audit.filter.getByLabel('Find')).toHaveValue(`CarePlan/${id}`);
    await expect(audit.rows(/Read/)).not.toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Changes only' }).check();
    await expect(audit.rows(/Read/)).toHaveCount(0);
    await expect(audit.rows(/Patch.*v1 → v2/)).toHaveCount(1);
    await page
      .getByRole('group', { name: 'Actions' })
      .getByRole('button', { name: 'Patch, 1 entry' })
      .click();
    await expect(audit.filter.getByLabel('Action')).toHaveValue('patch');
    await expectAccessible(page);
  },
);

test('is accessible in each section', { tag: '@trust' }, async ({ workbench: _, page }) => {
  const trust = new TrustPage(page);
  for (const part of ['Audit', 'Integrity', 'Backups', 'Access'] as const) {
    await trust.open(part);
    await expectAccessible(page);
  }
});

test(
  'names a damaged record, repairs it from a backup, and returns all others in the meantime',
  { tag: '@trust' },
  async ({ browser }) => {
    skipOnSharedStore(test, 'backups');
    test.slow();
    const dataDir = await makeDataDir();
    let server = await startTestServer(dataDir);
    const page = await openWindow(browser);
    const workbench = new Workbench(page);
    await workbench.open(await server.link());
    const [damagedId, intactId] = [await storePlan(server), await storePlan(server)];
    await new Frame(page).run('Back up now');
    await expect(workbench.status).toContainText('Backup records-');
    await server.stop();
    const damageSql = `UPDATE version SET body = replace(body, '"active"', '"actave"') WHERE id = '${damagedId}'`;
    expect(await tamper(dataDir, damageSql)).toBe(1);
    server = await startTestServer(dataDir);
    await page.goto('about:blank');
    await workbench.open(await server.link());

    const trust = new TrustPage(page);
    await trust.open('Integrity');
    await page.getByRole('button', { name: 'Check now' }).click();
    const row = page
      .getByRole('table', { name: 'Damaged records' })
      .getByRole('row', { name: new RegExp(damagedId) });
    await expect(row).toContainText('(current)');
    await expect(workbench.status).toContainText('2 versions checked, 1 damaged');
    await expect(
      page.getByRole('contentinfo').getByRole('button', { name: '1 damaged record' }),
    ).toBeVisible();
    await expectAccessible(page);
    await new Frame(page).openById(intactId);
    await expect(new RecordPage(page).editor).toContainText(intactId);

    await trust.open('Integrity');
    await row.getByRole('button', { name: `Repair CarePlan/${damagedId}` }).click();
    const sheet = page.getByRole('dialog', { name: `Repair CarePlan/${damagedId}` });
    await expect(sheet.getByRole('radio', { name: 'A backup' })).toBeChecked();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Repair record' }).click();
    await expect(page.getByText('No damaged records')).toBeVisible();
    await new Frame(page).openById(damagedId);
    await expect(new RecordPage(page).editor).toContainText('"versionId": "2"');
    await page.close();
    await server.stop();
    await removeDataDir(dataDir);
  },
);

test('sets a second location, and stores the next backup in both @trust', async ({ workbench, page }) => {
  skipOnSharedStore(test, 'backups');
  const trust = new TrustPage(page);
  await trust.open('Backups');
  const folder = await makeDataDir();
  await page.getByLabel('Folder on another disk').fill(folder);
  await page.getByRole('button', { name: 'Set second location' }).click();
  await expect(workbench.status).toContainText(`Backups are now also copied to ${folder}`);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(workbench.status).toContainText('Backup records-');
  await expect(page.getByRole('table', { name: 'Backups' })).toContainText('Both locations');
  await expectAccessible(page);
  await removeDataDir(folder);
});

test(
  'signs in another window by a link, and ends its session',
  { tag: ['@trust', '@browser'] },
  async ({ workbench: _, page, browser }) => {
    const trust = new TrustPage(page);
    await trust.open('Access');
    const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await expect(sessions.filter({ hasText: 'this window' })).toHaveCount(1);
    const before = await sessions.count();
    await page.getByRole('button', { name: 'New sign-in link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign-in link' });
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const otherPage = await openWindow(browser);
    await new Workbench(otherPage).open(link);
    await trust.open('Audit');
    await trust.open('Access');
    await expect(sessions).toHaveCount(before + 1);
    const theirs = sessions
      .filter({ has: page.getByRole('button') })
      .filter({ hasNotText: 'this window' })
      .first();
    await theirs.getByRole('button', { name: /^End session/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^End session/ })
      .click();
    await otherPage.reload();
    await expect(otherPage.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    // The open content stays behind the prompt, and ignores keys and clicks.
    await expect(otherPage.locator('[inert]').getByRole('navigation', { name: 'Views' })).toBeAttached();
    await otherPage.close();
  },
);
