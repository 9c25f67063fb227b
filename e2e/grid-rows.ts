import type { Locator } from '@playwright/test';

/** The rows of a grid without its head, or those that hold a text. */
export function rowsOf(grid: Locator, text?: string | RegExp): Locator {
  const rows = grid.getByRole('row').filter({ has: grid.page().getByRole('gridcell') });
  return text === undefined ? rows : rows.filter({ hasText: text });
}
