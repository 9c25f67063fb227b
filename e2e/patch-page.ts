/** The patch composer, as a user operates it. */
import { expect, type Locator, type Page } from '@playwright/test';

export class PatchPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Compose patch' });
  }

  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Patch', exact: true }).click();
    await expect(this.dialog).toBeVisible();
  }

  path(number = 1): Locator {
    return this.dialog.getByLabel(number === 1 ? 'Path' : `Path ${number}`, { exact: true });
  }

  value(number = 1): Locator {
    return this.dialog.getByLabel(number === 1 ? 'Value' : `Value ${number}`, { exact: true });
  }

  row(number: number): Locator {
    return this.dialog.getByRole('group', { name: `Operation ${number}` });
  }

  get tree(): Locator {
    return this.dialog.getByRole('tree', { name: 'Elements of the record' });
  }

  get preview(): Locator {
    return this.dialog.getByRole('region', { name: 'Result' });
  }

  get body(): Locator {
    return this.dialog.getByLabel('Request body');
  }

  async show(tabName: 'Rows' | 'JSON'): Promise<void> {
    await this.dialog.getByText(tabName, { exact: true }).click();
  }

  async add(path: string, number: number): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Add operation' }).click();
    await this.path(number).fill(path);
  }

  get apply(): Locator {
    return this.dialog.getByRole('button', { name: 'Apply patch' });
  }
}
