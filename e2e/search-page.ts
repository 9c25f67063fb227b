/** The Search view, by accessible names only. */
import type { Locator, Page } from '@playwright/test';
import type { TestServer } from './server.ts';

export class SearchPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get form(): Locator {
    return this.page.getByRole('search', { name: 'Records' });
  }

  get views(): Locator {
    return this.page.getByRole('navigation', { name: 'Views' });
  }

  get submit(): Locator {
    return this.form.getByRole('button', { name: 'Search', exact: true });
  }

  /** Returns the controls of a further parameter. */
  parameter(position: number): Locator {
    return this.form.getByRole('group', { name: `Parameter ${position}` });
  }

  /** Adds a further parameter and fills the given controls. */
  async narrow(name: string, { comparison, value }: { comparison?: string; value?: string }): Promise<void> {
    await this.form.getByRole('button', { name: 'Add parameter', exact: true }).click();
    const row = this.form.getByRole('group').last();
    await row.getByRole('combobox', { name: 'Name' }).selectOption(name);
    if (comparison !== undefined) await row.getByLabel('Operator').selectOption({ label: comparison });
    if (value === undefined) return;
    const choice = row.getByRole('combobox', { name: 'Value' });
    if (await choice.isVisible()) await choice.selectOption({ label: value });
    else await row.getByRole('textbox', { name: 'Value' }).fill(value);
  }

  /** Returns the header of a column. */
  head(name: string): Locator {
    return this.page.getByRole('columnheader', { name, exact: true });
  }

  /** Returns the texts of a column's cells, from the first row on. */
  async column(name: string): Promise<string[]> {
    const heads = await this.page
      .getByRole('grid', { name: 'Results' })
      .getByRole('columnheader')
      .allInnerTexts();
    const columnIndex = heads.findIndex((head) => head.trim() === name);
    const rows = this.page.getByRole('row').filter({ has: this.page.getByRole('gridcell') });
    return rows.evaluateAll(
      (cells, index) =>
        cells
          .map((row) => ({
            place: Number(row.getAttribute('aria-rowindex')),
            cell: row.querySelectorAll('[role=gridcell]')[index]?.textContent ?? '',
          }))
          .sort((left, right) => left.place - right.place)
          .map(({ cell }) => cell),
      columnIndex,
    );
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}

/** Allows reading the clipboard of the page, for which a browser would ask. */
export async function allowClipboard(page: Page, { origin }: TestServer): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
}
