import { AuditTrailPage } from './audit-page.ts';
import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, ofFolderAlone, patchRecord, removeDataDir, startTestServer, tamper } from './server.ts';
import { openWindow } from './offline.ts';
import { TrustPage } from './trust-page.ts';
import { Workbench } from './workbench.ts';

test('Trust opens at the part that is asked for, and goes on where it was left @long', async ({
  workbench: _,
  page,
}) => {
  const [trust, frame, data] = [new TrustPage(page), new Frame(page), new DataPage(page)];
  await trust.open();
  await expect(trust.tab('Audit')).toHaveAttribute('aria-selected', 'true');
  await trust.open('Damage');
  await expect(trust.tab('Damage')).toHaveAttribute('aria-selected', 'true');
  await data.open('Import');
  await trust.open();
  await expect(trust.tab('Damage')).toHaveAttribute('aria-selected', 'true');
  // The parts share one tab of the window.
  await expect(
    page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab', { name: 'Trust' }),
  ).toHaveCount(1);
  await frame.run('Check the audit trail');
  await expect(trust.tab('Audit')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('note')).toContainText('The trail is whole');
});

test('the command for a backup opens its part of Trust, which stays over a reload @long', async ({
  workbench: _,
  page,
}) => {
  ofFolderAlone(test, 'backups');
  const trust = new TrustPage(page);
  await new Frame(page).run('Back up now');
  await expect(trust.tab('Backups')).toHaveAttribute('aria-selected', 'true');
  await page.reload();
  await expect(trust.tab('Backups')).toHaveAttribute('aria-selected', 'true');
});

test(
  'a record leads to its entries, and changes alone are shown',
  { tag: '@long' },
  async ({ workbench: _, page, server }) => {
    const id = await storePlan(server);
    await patchRecord(server, `CarePlan/${id}`, '/title', 'Renamed');
    const [audit, record] = [new AuditTrailPage(page), new RecordPage(page)];
    await record.open();
    await new Frame(page).run('Audit trail of the record');
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

test('each part is accessible', { tag: '@long' }, async ({ workbench: _, page }) => {
  const trust = new TrustPage(page);
  for (const part of ['Audit', 'Damage', 'Backups', 'Access'] as const) {
    await trust.open(part);
    await expectAccessible(page);
  }
});

test(
  'a damaged record is named, mended from a backup, and everything else answers meanwhile',
  { tag: '@long' },
  async ({ browser }) => {
    ofFolderAlone(test, 'backups');
    test.slow();
    const dataDir = await makeDataDir();
    let server = await startTestServer(dataDir);
    const page = await openWindow(browser);
    const workbench = new Workbench(page);
    await workbench.open(await server.link());
    const [damaged, whole] = [await storePlan(server), await storePlan(server)];
    await new Frame(page).run('Back up now');
    await expect(workbench.status).toContainText('Backed up the records: ');
    await server.stop();
    const flip = `UPDATE version SET body = replace(body, '"active"', '"actave"') WHERE id = '${damaged}'`;
    expect(await tamper(dataDir, flip)).toBe(1);
    server = await startTestServer(dataDir);
    await page.goto('about:blank');
    await workbench.open(await server.link());

    const trust = new TrustPage(page);
    await trust.open('Damage');
    await page.getByRole('button', { name: 'Check now' }).click();
    const row = page
      .getByRole('table', { name: 'Damaged records' })
      .getByRole('row', { name: new RegExp(damaged) });
    await expect(row).toContainText('the newest');
    await expect(workbench.status).toContainText('2 texts read, 1 damaged');
    await expect(
      page.getByRole('contentinfo').getByRole('button', { name: '1 damaged record' }),
    ).toBeVisible();
    await expectAccessible(page);
    await new Frame(page).openById(whole);
    await expect(new RecordPage(page).editor).toContainText(whole);

    await trust.open('Damage');
    await row.getByRole('button', { name: `Mend CarePlan/${damaged}` }).click();
    const sheet = page.getByRole('dialog', { name: `Mend CarePlan/${damaged}` });
    await expect(sheet.getByRole('radio', { name: 'A backup' })).toBeChecked();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Mend record' }).click();
    await expect(page.getByText('No damaged record')).toBeVisible();
    await new Frame(page).openById(damaged);
    await expect(new RecordPage(page).editor).toContainText('"versionId": "2"');
    await page.close();
    await server.stop();
    await removeDataDir(dataDir);
  },
);

test('a second place is set, and the next backup lies in both @long', async ({ workbench, page }) => {
  ofFolderAlone(test, 'backups');
  const trust = new TrustPage(page);
  await trust.open('Backups');
  const folder = await makeDataDir();
  await page.getByLabel('Folder on another disk').fill(folder);
  await page.getByRole('button', { name: 'Set second place' }).click();
  await expect(workbench.status).toContainText(`Backups are copied to ${folder} too.`);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(workbench.status).toContainText('Backed up the records: ');
  await expect(page.getByRole('table', { name: 'Backups' })).toContainText('Both places');
  await expectAccessible(page);
  await removeDataDir(folder);
});

test(
  'a link signs in another window, whose session is then ended',
  { tag: '@browser' },
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
    const other = await openWindow(browser);
    await new Workbench(other).open(link);
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
    await other.reload();
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    // What is open stays behind the question, and takes no key and no click.
    await expect(other.locator('[inert]').getByRole('navigation', { name: 'Views' })).toBeAttached();
    await other.close();
  },
);
