/** The Data view, as a user operates it. */
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';

export interface UploadedFile {
  readonly name: string;
  readonly text: string;
}

export class DataPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the view at one of its sections. */
  async open(
    part:
      | 'Import'
      | 'Batches'
      | 'Export'
      | 'Related resources'
      | 'Packages'
      | 'Backups'
      | 'Training data'
      | 'Settings files',
  ): Promise<void> {
    await this.page.getByRole('navigation').getByRole('button', { name: 'Data', exact: true }).click();
    await this.page.getByRole('tab', { name: part, exact: true }).click();
  }

  async choose(...files: readonly UploadedFile[]): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.button('Choose files').click();
    await (
      await chooser
    ).setFiles(files.map(({ name, text }) => ({ name, mimeType: '', buffer: Buffer.from(text) })));
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  get outcome(): Locator {
    return this.page.getByRole('grid', { name: 'Result by line' });
  }

  /** Returns the rows of the result that contain this text. */
  outcomeRows(text: string | RegExp): Locator {
    return this.outcome
      .getByRole('row')
      .filter({ has: this.page.getByRole('gridcell') })
      .filter({ hasText: text });
  }

  async show(filter: RegExp): Promise<void> {
    const reasons = this.page.getByRole('treegrid', { name: 'Result by reason' });
    await reasons.getByRole('row', { name: filter }).first().click();
  }

  /** Returns the name and text of the file that a button downloads. */
  async download(button: string): Promise<{ name: string; text: string }> {
    const download = this.page.waitForEvent('download');
    await this.button(button).click();
    const done = await download;
    return { name: done.suggestedFilename(), text: await readFile(await done.path(), 'utf8') };
  }

  /** Returns a row of the table of training sets. */
  set(name: string): Locator {
    return this.page.getByRole('row', { name: new RegExp(`^${name}`) });
  }

  async load(name: string): Promise<void> {
    await this.button(`Load ${name.toLowerCase()}`).click();
    await expect(this.set(name)).toContainText(/([0-9,]+) of \1/, { timeout: 60_000 });
  }
}
