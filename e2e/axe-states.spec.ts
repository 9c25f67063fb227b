/** WCAG 2.2 AA for every view while it loads, when it fails, and when it has nothing to show. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { storePlan } from './record-page.ts';
import type { TestServer } from './server.ts';
import type { Workbench } from './workbench.ts';

/** Views that ask the server when they open. */
const views = ['Overview', 'Quality', 'Activity', 'Data', 'Audit', 'Integrity', 'Backups', 'Access'] as const;

test(
  'finds no axe violations in views that wait for the server',
  { tag: '@accessibility' },
  async ({ workbench, page, server }) => {
    test.slow();
    await openResults(workbench, server);
    await page.route(isRequest, () => new Promise(() => undefined));
    await visitViews({ page, workbench });
  },
);

test(
  'finds no axe violations in views whose requests fail',
  { tag: '@accessibility' },
  async ({ workbench, page, server }) => {
    test.slow();
    await openResults(workbench, server);
    await page.route(isRequest, (route) => route.abort());
    await visitViews({ page, workbench });
  },
);

test(
  'finds no axe violations in the views of an empty store',
  { tag: '@accessibility' },
  async ({ page, workbench }) => {
    test.slow();
    await expect(page.getByRole('button', { name: 'Import files' })).toBeVisible();
    await visitViews({ page, workbench });
  },
);

test(
  'finds no axe violations at sign-in',
  { tag: ['@accessibility', '@browser'] },
  async ({ page, workbench: _ }) => {
    await new Frame(page).run('Sign out');
    await expect(page.getByRole('textbox', { name: 'Sign-in link or code' })).toBeVisible();
    await expectAccessible(page);
  },
);

async function openResults(workbench: Workbench, server: TestServer): Promise<void> {
  await storePlan(server);
  await workbench.search('CarePlan', {});
  await expect(workbench.rows().first()).toBeVisible();
}

function isRequest({ pathname }: URL): boolean {
  return /^\/(app|fhir-r4)\//.test(pathname);
}

/** Checks the start page, a search, the record of its first row if there is one, and each view. */
async function visitViews({ page, workbench }: { page: Page; workbench: Workbench }): Promise<void> {
  await expectAccessible(page);
  const frame = new Frame(page);
  if ((await workbench.rows().count()) > 0) {
    await frame.openRow(workbench.rows().first());
    await expectAccessible(page);
  }
  await workbench.search('Composition', { patient: 'nobody' });
  await expectAccessible(page);
  for (const view of views) {
    const name = new RegExp(`^${view}`);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click();
    await expect(page.getByRole('tab', { name: view, selected: true }).first()).toBeVisible();
    await expectAccessible(page);
  }
}
