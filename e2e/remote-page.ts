/** Connections, as a user operates them: the switcher and the dialog of a connection. */
import { expect, type Locator, type Page } from '@playwright/test';

export interface ConnectionFields {
  readonly name: string;
  readonly baseUrl: string;
  /** Label of the option in the dialog. */
  readonly writes?: string;
  readonly authentication?: string;
  /** Selected options of other settings, by the label of the list. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Other text fields by label. */
  readonly fields?: Readonly<Record<string, string>>;
}

export class Connections {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Returns the button at the top left that shows the current server. */
  get switcher(): Locator {
    return this.page.getByRole('button', { name: /^Connection: .*\. Switch connection/ });
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: /^(Add connection|Connection )/ });
  }

  async openMenu(): Promise<Locator> {
    await this.switcher.click();
    return this.page.getByRole('menu');
  }

  /** Opens the dialog of a new connection and fills it. */
  async startAdding(connection: ConnectionFields): Promise<void> {
    await (await this.openMenu()).getByRole('menuitem', { name: 'Add connection' }).click();
    await this.fill(connection);
  }

  async fill({
    name,
    baseUrl,
    writes,
    authentication,
    choices,
    fields = {},
  }: ConnectionFields): Promise<void> {
    const { dialog } = this;
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Base URL').fill(baseUrl);
    if (writes !== undefined) await dialog.getByLabel('Writes').selectOption({ label: writes });
    if (authentication !== undefined) {
      await dialog.getByLabel('Authentication').selectOption({ label: authentication });
    }
    if (choices) await dialog.getByText('Advanced', { exact: true }).click();
    for (const [label, choice] of Object.entries(choices ?? {})) {
      await dialog.getByLabel(label, { exact: true }).selectOption({ label: choice });
    }
    for (const [label, value] of Object.entries(fields)) {
      await dialog.getByLabel(label, { exact: true }).fill(value);
    }
  }

  /** Saves the dialog. The page switches to a new connection. */
  async save(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Save connection' }).click();
    await expect(this.dialog).toBeHidden();
  }

  async add(connection: ConnectionFields): Promise<void> {
    await this.startAdding(connection);
    await this.save();
    await this.worksOn(connection.name);
  }

  async turnTo(name: string): Promise<void> {
    const item = (await this.openMenu()).getByRole('menuitem', { name: new RegExp(`^${name}`) });
    await item.click();
    await this.worksOn(name);
  }

  async worksOn(name: string): Promise<void> {
    await expect(this.switcher).toHaveAccessibleName(new RegExp(`^Connection: ${name}[.,] `));
    await expect(this.page.getByRole('tab', { name: 'Search' })).toBeVisible();
  }
}
