/**
 * Formats a Markdown table, aligned as Prettier does: the first and the last column to the left, figures to
 * the right.
 */
export function formatMarkdownTable(header: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [header, ...body];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isLeftAligned = (column: number) => column === 0 || column === widths.length - 1;
  const [headerRow = '', ...bodyRows] = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return isLeftAligned(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${cells.join(' | ')} |`;
  });
  const rule = widths.map((width, column) =>
    isLeftAligned(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [headerRow, `| ${rule.join(' | ')} |`, ...bodyRows].join('\n');
}

/** Formats whether a target was reached. */
export function formatReached(isReached: boolean): string {
  return isReached ? 'yes' : '**no**';
}
