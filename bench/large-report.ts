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
    ['', 'Records', 'Time', 'Target', 'Median read beside', 'Longest', 'Target', 'Reached'],
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
  return `Chartkeeper by itself, at two sizes of the store: what takes how many times as long. Made by \`npm run bench:large\`; the
files are read into memory before each start.

${formatLargeTable(sizes, figures)}

- A start after an orderly close is the median of ${rounds}, from the program's start to its listening. A file of up to 1 GiB
  is read whole before it serves (SQLite's \`quick_check\`); a larger one is not: that it was closed in order is what is
  relied on, and each text is compared with its SHA-256 whenever it is read.
- After a kill the whole file is read before anything is served, however large it is. Nothing is checked in the
  background: what was not checked yet would be answered.
- "After a change" is the first request after some record was changed: all matches are counted anew, in one piece, and
  other requests wait that long. "Again" is the median of the same when nothing was written, or records were only added.
- The export ends after ${numberFormat.format(exportSize)} records at either size. The backup is the one of the workbench: other
  requests are answered between its slices, and the copy is read whole before it counts.

What the server does in the background while it answers, and the reads of another process meanwhile, one every few
milliseconds. All texts are compared with their checksums; a backup is made on request, and its texts are compared too.
What is derived of all records is made anew: a new parameter is one whose rows were taken out of the file before the
start; all rows were taken out likewise, and all records are judged with them. The times to be held are those of
1,000,000 records.

${formatBackgroundTable(background)}

${formatConditions()}
- Versions: ${formatVersions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
