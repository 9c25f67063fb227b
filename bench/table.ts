/** A Markdown table, aligned as Prettier does: the first and the last column to the left, figures to the right. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const left = (column: number) => column === 0 || column === widths.length - 1;
  const [first = '', ...others] = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return left(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${cells.join(' | ')} |`;
  });
  const rule = widths.map((width, column) =>
    left(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [first, `| ${rule.join(' | ')} |`, ...others].join('\n');
}

/** How a table says whether a target was reached. */
export function sayReached(reached: boolean): string {
  return reached ? 'yes' : '**no**';
}
