import type { Locator, Page } from '@playwright/test';
import { LogPage } from './log-page.ts';

/** The Audit view, as a user operates it. */
export class AuditTrailPage extends LogPage {
  constructor(page: Page) {
    super(page, { view: 'Audit', list: 'Audit log', filter: 'Filter audit log' });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}
