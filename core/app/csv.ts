/**
 * Position before a formula: at the start of a cell, or after a character that another reader may take for a
 * cell start. East Asian locales also read full-width signs. Excel splits by the list separator of the
 * locale, often a semicolon, and then ignores quotes inside a cell.
 */
const formulaStart = /(^|[;|\t\r\n])(["'\s]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** Byte order mark. Excel needs it to read CSV as UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Returns a row of CSV (RFC 4180) with its line end. Text that a spreadsheet could read as a formula gets a
 * leading apostrophe (OWASP, CSV injection). Numbers stay unchanged.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

function formatCell(value: string | number): string {
  const text = typeof value === 'string' ? disarm(value) : String(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function disarm(text: string): string {
  const disarmed = text.replace(formulaStart, "$1$2'");
  return /^[\t\r]/.test(disarmed) ? `'${disarmed}` : disarmed;
}
