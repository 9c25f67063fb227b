/** The page as a user operates it, by accessible names only. */
import { expect, type Locator, type Page } from '@playwright/test';
import { getDataRows } from './grid-rows.ts';

export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the page and waits for its ready marker. */
  async open(address: string): Promise<void> {
    await this.page.goto(address);
    await expect(this.page.locator('html[data-ready="true"]')).toBeAttached();
  }

  get results(): Locator {
    return this.page.getByRole('grid', { name: 'Results' });
  }

  get status(): Locator {
    return this.page.getByRole('status');
  }

  get editor(): Locator {
    return this.page.getByRole('region', { name: 'Record JSON' });
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  async loadDemo(): Promise<void> {
    await this.page.getByRole('button', { name: 'Load demo records' }).click();
    await expect(this.page.getByRole('button', { name: 'Load demo records' })).toBeHidden();
  }

  async search(type: string, { patient = '', encounter = '' }): Promise<void> {
    const { page } = this;
    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Resource type' }).selectOption(type);
    await page.getByRole('textbox', { name: 'Patient' }).fill(patient);
    await page.getByRole('textbox', { name: 'Encounter' }).fill(encounter);
    await page.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click();
  }

  /** Returns the data rows of the grid without its header. */
  rows(name?: string | RegExp): Locator {
    return getDataRows(this.results, name);
  }

  async openRow(row: Locator): Promise<void> {
    await row.dblclick();
    await expect(this.editor.locator('.view-line').first()).toBeVisible();
  }

  /** Replaces a part of the open record's text with the editor's find-and-replace, as a person would. */
  async replaceInEditor(find: string, replacement: string): Promise<void> {
    const { page } = this;
    const widget = this.editor.getByRole('dialog', { name: /find \/ replace/i });
    const replace = widget.getByRole('textbox', { name: 'Replace' });
    // A new editor may not listen yet.
    await expect(async () => {
      await this.editor.locator('.view-line').first().click();
      await page.keyboard.press('Control+H');
      await expect(replace).toBeVisible({ timeout: 2000 });
    }).toPass();
    await widget.getByRole('textbox', { name: 'Find' }).fill(find);
    await replace.fill(replacement);
    await page.keyboard.press('Control+Alt+Enter');
    await page.keyboard.press('Escape');
  }

  async reviewAndSave(): Promise<void> {
    await this.page.getByRole('button', { name: 'Review changes' }).click();
    await this.dialog('Review changes').getByRole('button', { name: 'Save' }).click();
  }

  /** Patches the record. Pass `host` if the connection asks before each write: the button then names it. */
  async patch(path: string, value: string, host?: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Patch', exact: true }).click();
    const dialog = this.dialog('Compose patch');
    await dialog.getByLabel('Path', { exact: true }).fill(path);
    await dialog.getByLabel('Value', { exact: true }).fill(value);
    await dialog
      .getByRole('button', {
        name: host === undefined ? 'Apply patch' : `Apply patch to ${host}`,
        exact: true,
      })
      .click();
  }
}
