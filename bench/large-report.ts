import { formatConditions } from '../scripts/document.ts';
import { formatVersions } from '../scripts/versions.ts';
import { exportSize, type LargeFigures } from './large-measures.ts';
import type { BenchOptions } from './options.ts';
import { works, type BackgroundFigure } from './background.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

const numberFormat = new Intl.NumberFormat('en');

/** Formats each measure with its time at each size, and the ratio of the last to the first. */
export function formatLargeTable(sizes: readonly number[], figures: readonly LargeFigures[]): string {
  const [firstFigures, ...otherFigures] = figures;
  const lastFigures = otherFigures.at(-1);
  const rows = [...(firstFigures ?? new Map<string, number>())].map(([title, milliseconds]) => [
    title,
    ...figures.map((sizeFigures) => formatDuration(sizeFigures.get(title))),
    lastFigures ? `${((lastFigures.get(title) ?? NaN) / milliseconds).toFixed(1)} ×` : '',
  ]);
  return formatMarkdownTable(
    ['', ...sizes.map((size) => `${numberFormat.format(size)} records`), 'Times'],
    rows,
  );
}

/** Formats each background work with its time and the reads during it. */
export function formatBackgroundTable(figures: readonly BackgroundFigure[]): string {
  return formatMarkdownTable(
    ['', 'Records', 'Time', 'Target', 'Median read during it', 'Longest', 'Target', 'Reached'],
    figures.map((figure) => {
      const { target, wait } = works[figure.title] ?? {};
      return [
        figure.title,
        numberFormat.format(figure.records),
        `${figure.minutes.toFixed(2)} min`,
        target === undefined ? '' : `≤ ${target} min`,
        formatDuration(figure.median),
        formatDuration(figure.longest),
        wait === undefined ? '' : `≤ ${wait} ms`,
        formatReached(isReached(figure)),
      ];
    }),
  );
}

export function isReached({ title, minutes, longest }: BackgroundFigure): boolean {
  const { target = Infinity, wait = Infinity } = works[title] ?? {};
  return minutes <= target && longest <= wait;
}

/** Formats a duration with three digits, in milliseconds or seconds. */
function formatDuration(milliseconds = NaN): string {
  const [value, unit] = milliseconds < 1000 ? [milliseconds, 'ms'] : [milliseconds / 1000, 's'];
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

/** Formats the section of the documentation. */
export function formatLargeSection(
  sizes: readonly number[],
  figures: readonly LargeFigures[],
  background: readonly BackgroundFigure[],
  { rounds, seed }: BenchOptions,
  command: string,
): string {
  return `Chartkeeper alone, at two sizes of the store, with the ratio of the times. Made by \`npm run bench:large\`;
the files are read into memory before each start.

${formatLargeTable(sizes, figures)}

- A start after a clean shutdown is the median of ${rounds}, from the program's start until it listens. A file of up to
  1 GiB is read completely before it is served (SQLite's \`quick_check\`); a larger one is not, because it was closed
  cleanly, and each text is compared with its SHA-256 on every read.
- After a kill the complete file is read before anything is served, whatever its size. A check in the background would
  serve unchecked records.
- "After a change" is the first request after a record was changed: all matches are counted again in one step, and other
  requests wait for it. "Again" is the median of the same request when nothing was written, or records were only added.
- The export ends after ${numberFormat.format(exportSize)} records at either size. The backup is that of the workbench: other
  requests are answered between its slices, and the copy is read completely before the backup counts.

Background work of the server, and the reads of another process at the same time, one every few milliseconds. All texts
are compared with their checksums. A backup is made on request, and its texts are compared too. Derived data of all
records is rebuilt: for a new parameter, its rows were deleted from the file before the start; for all rows, every row
was deleted, and all records are checked with them. The targets apply to 1,000,000 records.

${formatBackgroundTable(background)}

${formatConditions()}
- Versions: ${formatVersions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
