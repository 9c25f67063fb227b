import type { Locator, Page } from '@playwright/test';
import { LogPage } from './log-page.ts';

/** The Audit view as a steward sees it. */
export class AuditTrailPage extends LogPage {
  constructor(page: Page) {
    super(page, { view: 'Audit', list: 'Audit trail', filter: 'Filter audit trail' });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}
