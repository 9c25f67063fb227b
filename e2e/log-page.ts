/** A view with the entries of a log, as a user operates it. */
import type { Locator, Page } from '@playwright/test';
import { getDataRows } from './grid-rows.ts';

interface LogNames {
  readonly view: string;
  readonly list: string;
  readonly filter: string;
}

export class LogPage {
  readonly page: Page;
  private readonly names: LogNames;

  constructor(page: Page, names: LogNames) {
    this.page = page;
    this.names = names;
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: this.names.view, exact: true })
      .click();
  }

  get grid(): Locator {
    return this.page.getByRole('grid', { name: this.names.list });
  }

  rows(text?: string | RegExp): Locator {
    return getDataRows(this.grid, text);
  }

  get details(): Locator {
    return this.page.getByRole('region', { name: 'Entry details' });
  }

  get filter(): Locator {
    return this.page.getByRole('search', { name: this.names.filter });
  }
}
