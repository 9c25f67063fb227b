/** The Quality view and the bulk sheet, by accessible names. */
import { expect, type Locator, type Page } from '@playwright/test';
import { getDataRows } from './grid-rows.ts';
import type { TestServer } from './server.ts';

/** Stores records unchanged, including their errors. */
export async function importDirty({ origin, token }: TestServer, records: readonly unknown[]): Promise<void> {
  const answer = await fetch(`${origin}/app/import?level=off&keepIds=true`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: records.map((record) => JSON.stringify(record)).join('\n'),
  });
  expect(await answer.text()).toContain(`"stored":${records.length}`);
}

export class QualityPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Quality/ })
      .click();
  }

  /** Returns the row of a broken rule, by its id or the end of its id. */
  rule(id: string): Locator {
    return this.page.getByRole('listbox', { name: 'Rules' }).locator(`[role=option][title$="${id}"]`);
  }

  findings(name?: string | RegExp): Locator {
    return getDataRows(this.page.getByRole('grid', { name: 'Issues' }), name);
  }

  get sheet(): Locator {
    return this.page.getByRole('dialog', { name: 'Bulk edit', exact: true });
  }

  /** Returns the records in the bulk sheet. */
  targets(name?: string | RegExp): Locator {
    return getDataRows(this.sheet.getByRole('grid', { name: 'Records' }), name);
  }

  async dryRun(path: string, value: string, now = ''): Promise<void> {
    await this.sheet.getByLabel('Path', { exact: true }).fill(path);
    await this.sheet.getByLabel('Only if the value is', { exact: true }).fill(now);
    await this.sheet.getByLabel('Replace with', { exact: true }).fill(value);
    await this.sheet.getByRole('button', { name: 'Start dry run' }).click();
    await expect(this.sheet.getByText(/^Dry run complete/)).toBeVisible();
  }
}
