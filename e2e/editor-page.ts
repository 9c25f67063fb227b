/** The editor and its inspector, by accessible names. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { TestServer } from './server.ts';
import type { Workbench } from './workbench.ts';

export class EditorPage {
  readonly page: Page;
  readonly workbench: Workbench;

  constructor(page: Page, workbench: Workbench) {
    this.page = page;
    this.workbench = workbench;
  }

  get inspector(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' });
  }

  get summary(): Locator {
    return this.inspector.getByRole('region', { name: 'Summary of the record' });
  }

  /** Opens the Summary tab. Below the reading view, the inspector is folded until a tab is pressed. */
  async openSummary(): Promise<Locator> {
    const tab = this.inspector.getByRole('tab', { name: 'Summary' });
    await expect(tab).toBeVisible();
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    return this.summary;
  }

  get crumbs(): Locator {
    return this.page.getByRole('navigation', { name: 'Element at the cursor' });
  }

  issuesTab(count: number): Locator {
    return this.inspector.getByRole('tab', { name: `Issues ${count}`, exact: true });
  }

  get suggestions(): Locator {
    return this.page.getByRole('listbox', { name: 'Suggest' });
  }

  get text(): Locator {
    return this.workbench.editor.getByRole('textbox', { name: 'JSON of the record' });
  }

  /** Stores a record through the API and opens it. */
  async openStored(server: TestServer, type: string, record: string, title: string): Promise<string> {
    const created = await fetch(`${server.origin}/fhir-r4/v1/${type}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body: record,
    });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    await this.workbench.search(type, { patient: 'ada' });
    await this.workbench.openRow(this.workbench.rows(title));
    return id;
  }

  /** Puts the cursor after the first occurrence of a text, with the editor's find. */
  async cursorBehind(find: string): Promise<void> {
    const { page } = this;
    await this.text.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+F');
    const widget = this.workbench.editor.getByRole('dialog', { name: /find/i });
    await widget.getByRole('textbox', { name: 'Find' }).fill(find);
    await expect(widget).toContainText(/1 of/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
  }
}
