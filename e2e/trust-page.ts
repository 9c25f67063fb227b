import type { Locator, Page } from '@playwright/test';

/** The room Trust as a steward sees it. */
export class TrustPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the room, at one of its parts or where it was left. */
  async open(part?: 'Audit' | 'Damage' | 'Backups' | 'Access'): Promise<void> {
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
