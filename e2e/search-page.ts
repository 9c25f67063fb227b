/** What a steward does in the Search view, by accessible names alone. */
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

  /** The controls of a further parameter. */
  parameter(position: number): Locator {
    return this.form.getByRole('group', { name: `Parameter ${position}` });
  }

  /** Adds a further parameter and fills its controls, leaving what is not named as it is. */
  async narrow(name: string, { comparison, value }: { comparison?: string; value?: string }): Promise<void> {
    await this.form.getByRole('button', { name: 'Parameter', exact: true }).click();
    const row = this.form.getByRole('group').last();
    await row.getByRole('combobox', { name: 'Name' }).selectOption(name);
    if (comparison !== undefined) await row.getByLabel('Comparison').selectOption({ label: comparison });
    if (value === undefined) return;
    const choice = row.getByRole('combobox', { name: 'Content' });
    if (await choice.isVisible()) await choice.selectOption({ label: value });
    else await row.getByRole('textbox', { name: 'Content' }).fill(value);
  }

  /** A column's head. */
  head(name: string): Locator {
    return this.page.getByRole('columnheader', { name, exact: true });
  }

  /** What the cells of a column say, from the first row on. */
  async column(name: string): Promise<string[]> {
    const heads = await this.page
      .getByRole('grid', { name: 'Results' })
      .getByRole('columnheader')
      .allInnerTexts();
    const at = heads.findIndex((head) => head.trim() === name);
    const rows = this.page.getByRole('row').filter({ has: this.page.getByRole('gridcell') });
    return rows.evaluateAll(
      (all, index) =>
        all
          .map((row) => ({
            place: Number(row.getAttribute('aria-rowindex')),
            cell: row.querySelectorAll('[role=gridcell]')[index]?.textContent ?? '',
          }))
          .sort((left, right) => left.place - right.place)
          .map(({ cell }) => cell),
      at,
    );
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}

/** Lets the page's clipboard be read, which a browser asks for. */
export async function allowClipboard(page: Page, { origin }: TestServer): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
}
