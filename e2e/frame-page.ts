/** The frame of the page, as a user operates it: palette, quick open, tabs, regions. */
import { expect, type Locator, type Page } from '@playwright/test';

export class Frame {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  tab(name: string | RegExp): Locator {
    return this.page.getByRole('tab', { name });
  }

  get tabs(): Locator {
    return this.page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
  }

  /** Opens the record of a row in a tab, without waiting for the editor. */
  async openRow(row: Locator): Promise<void> {
    const open = await this.tabs.count();
    await row.dblclick();
    await expect(this.tabs).toHaveCount(open + 1);
  }

  /** Presses a key until an element has the focus. Fails if it never does. */
  async pressUntilFocused(key: string, target: Locator): Promise<void> {
    const focused = target.and(this.page.locator(':focus'));
    for (let presses = 0; presses < 40 && (await focused.count()) === 0; presses += 1) {
      await this.page.keyboard.press(key);
    }
    await expect(target).toBeFocused();
  }

  /** Presses a key until the focus is within an element. Fails if it never is. */
  async pressUntilWithin(key: string, part: Locator): Promise<void> {
    const focused = part.locator(':focus');
    for (let presses = 0; presses < 10 && (await focused.count()) === 0; presses += 1) {
      await this.page.keyboard.press(key);
    }
    await expect(focused).toBeAttached();
  }

  get palette(): Locator {
    return this.page.getByRole('dialog', { name: 'Find or run a command' });
  }

  get quickOpen(): Locator {
    return this.page.getByRole('dialog', { name: 'Go to record' });
  }

  /** Opens the palette with its keys, types the full name of a command, and runs it. */
  async run(words: string): Promise<void> {
    await this.page.keyboard.press('Control+K');
    await this.page.keyboard.type(words);
    await expect(this.palette.getByRole('option', { name: words, selected: true })).toBeVisible();
    await this.page.keyboard.press('Enter');
    await expect(this.palette).toBeHidden();
  }

  /** Opens quick open with its keys, types an id and opens the record. */
  async openById(id: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    await this.page.keyboard.type(id);
    await expect(this.quickOpen.getByRole('combobox')).toHaveValue(id);
    await this.page.keyboard.press('Enter');
  }
}
