import type { Locator, Page } from '@playwright/test';

/** The Trust view, as a user operates it. */
export class TrustPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the view, at a section or at the previous one. */
  async open(part?: 'Audit' | 'Integrity' | 'Backups' | 'Access'): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: 'Trust', exact: true })
      .click();
    if (part !== undefined) await this.tab(part).click();
  }

  tab(part: string): Locator {
    return this.page
      .getByRole('tablist', { name: 'Trust', exact: true })
      .getByRole('tab', { name: part, exact: true });
  }
}
