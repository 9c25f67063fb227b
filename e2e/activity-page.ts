import type { Page } from '@playwright/test';
import { LogPage } from './log-page.ts';

/** The Activity view, as a user operates it. */
export class ActivityPage extends LogPage {
  constructor(page: Page) {
    super(page, { view: 'Activity', list: 'Activity', filter: 'Filter activity' });
  }

  async clear(): Promise<void> {
    await this.page.getByRole('button', { name: 'Clear activity' }).click();
    await this.page.getByRole('dialog').getByRole('button', { name: 'Clear all activity' }).click();
  }
}
