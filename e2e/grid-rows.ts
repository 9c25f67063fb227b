import type { Locator } from '@playwright/test';

/** Returns the rows of a grid without its header, or only the rows that contain a text. */
export function getDataRows(grid: Locator, text?: string | RegExp): Locator {
  const rows = grid.getByRole('row').filter({ has: grid.page().getByRole('gridcell') });
  return text === undefined ? rows : rows.filter({ hasText: text });
}
