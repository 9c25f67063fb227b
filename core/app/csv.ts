/**
 * The place before a formula at the start of a cell, or behind a character that another reader takes for the start of
 * one. Spreadsheets of East Asian locales read the full-width signs alike. Excel separates by the list separator of the system's locale, often a semicolon, and then ignores quotes that
 * stand inside of a cell.
 */
const formulaPlace = /(^|[;|\t\r\n])(["'\s]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** The byte order mark, by which Excel reads a CSV file as UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Returns a row of CSV (RFC 4180) with its line end. Text that a spreadsheet could read as a formula gets an apostrophe
 * before it (OWASP, CSV injection). Numbers stay as they are.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

function formatCell(value: string | number): string {
  const text = typeof value === 'string' ? disarm(value) : String(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function disarm(text: string): string {
  const disarmed = text.replace(formulaPlace, "$1$2'");
  return /^[\t\r]/.test(disarmed) ? `'${disarmed}` : disarmed;
}
