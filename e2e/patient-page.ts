/** The page of all records of a patient, by accessible names only. */
import type { Locator, Page } from '@playwright/test';

export class PatientPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get region(): Locator {
    return this.page.getByRole('region', { name: 'Patient', exact: true });
  }

  get timeline(): Locator {
    return this.region.getByRole('figure', { name: 'Timeline' });
  }

  /** Returns the tab of a patient. */
  tab(name: string): Locator {
    return this.page.getByRole('tab', { name: `Patient: ${name}` });
  }

  /** Returns the button that opens a record in the list. */
  record(title: string | RegExp): Locator {
    return this.region.getByRole('table', { name: 'Records' }).getByRole('button', { name: title });
  }

  bar(name: string | RegExp): Locator {
    return this.timeline.getByRole('button', { name });
  }
}
