/** A user without a mouse. */
import { expect, type Locator, type Page } from '@playwright/test';
import { Frame } from './frame-page.ts';
import type { Workbench } from './workbench.ts';

export class Keys {
  readonly page: Page;
  readonly workbench: Workbench;
  readonly frame: Frame;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
    this.frame = new Frame(workbench.page);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Presses Tab until an element has the focus. */
  async reach(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    await this.frame.pressUntilFocused('Tab', target);
  }

  /** Focuses a button and presses it. */
  async run(button: Locator): Promise<void> {
    await expect(button).toBeEnabled();
    await this.reach(button);
    await this.press('Enter');
  }

  /** Goes to the list of views with F6, and opens one. */
  async openView(name: string | RegExp): Promise<void> {
    const views = this.page.getByRole('navigation', { name: 'Views' });
    await this.frame.pressUntilWithin('F6', views);
    // The list restores its previous focus.
    await this.frame.pressUntilFocused('Shift+Tab', views.getByRole('button').first());
    await this.run(views.getByRole('button', { name }));
    await expect(this.page.getByRole('tab', { name, selected: true })).toBeVisible();
    await this.frame.pressUntilWithin('F6', this.page.getByRole('main'));
  }

  /** Opens a record by its id, and waits until its text can be edited. */
  async openRecord(id: string): Promise<void> {
    await this.frame.openById(id);
    await expect(this.workbench.editor.locator('.monaco-editor.focused')).toBeVisible();
    await expect(this.workbench.editor.locator('.view-line').nth(1)).toBeVisible();
  }

  /** Replaces a part of the open record's text with the editor's find-and-replace. */
  async replace(find: string, replacement: string): Promise<void> {
    const { editor } = this.workbench;
    await this.press('Control+H');
    await expect(editor.getByRole('textbox', { name: 'Find' })).toBeFocused();
    await this.press('Control+A');
    await this.type(find);
    await this.press('Tab');
    await expect(editor.getByRole('textbox', { name: 'Replace' })).toBeFocused();
    await this.press('Control+A');
    await this.type(replacement);
    await this.press('Control+Alt+Enter', 'Escape');
  }

  /** Reviews and saves the changes. */
  async save(): Promise<void> {
    await this.press('Control+S');
    await this.confirmSave();
  }

  async confirmSave(): Promise<void> {
    const review = this.workbench.dialog('Review changes');
    await expect(review).toBeVisible();
    await this.run(review.getByRole('button', { name: 'Save', exact: true }));
  }
}
