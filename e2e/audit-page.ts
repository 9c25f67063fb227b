/** The Audit view as a steward sees it. */
import type { Locator, Page } from '@playwright/test';

export class AuditTrailPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: 'Audit', exact: true })
      .click();
  }

  get grid(): Locator {
    return this.page.getByRole('grid', { name: 'Audit trail' });
  }

  /** The entries, without the head. */
  rows(text?: string | RegExp): Locator {
    const rows = this.grid.getByRole('row').filter({ has: this.page.getByRole('gridcell') });
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  get details(): Locator {
    return this.page.getByRole('region', { name: 'Details of the entry' });
  }

  get filter(): Locator {
    return this.page.getByRole('search', { name: 'Filter audit trail' });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}
