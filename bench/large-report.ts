import { conditions } from '../scripts/document.ts';
import { versions } from '../scripts/versions.ts';
import { exported, type LargeFigures } from './large-measures.ts';
import type { BenchOptions } from './options.ts';
import { works, type BackgroundFigure } from './background.ts';
import { markdownTable, sayReached } from './table.ts';

const grouped = new Intl.NumberFormat('en');

/** Each measure with its time at each size, and how many times the first the last is. */
export function largeTable(sizes: readonly number[], figures: readonly LargeFigures[]): string {
  const [first, ...others] = figures;
  const last = others.at(-1);
  const rows = [...(first ?? new Map<string, number>())].map(([title, time]) => [
    title,
    ...figures.map((of) => shown(of.get(title))),
    last ? `${((last.get(title) ?? NaN) / time).toFixed(1)} ×` : '',
  ]);
  return markdownTable(['', ...sizes.map((size) => `${grouped.format(size)} records`), 'Times'], rows);
}

/** Each work of the background with its time and the reads beside it. */
export function backgroundTable(figures: readonly BackgroundFigure[]): string {
  return markdownTable(
    ['', 'Records', 'Time', 'Target', 'Median read beside', 'Longest', 'Target', 'Reached'],
    figures.map((figure) => {
      const { target, wait } = works[figure.what] ?? {};
      return [
        ...[figure.what, grouped.format(figure.records)],
        ...[`${figure.minutes.toFixed(2)} min`, target === undefined ? '' : `≤ ${target} min`],
        ...[shown(figure.median), shown(figure.longest), wait === undefined ? '' : `≤ ${wait} ms`],
        sayReached(isReached(figure)),
      ];
    }),
  );
}

export function isReached({ what, minutes, longest }: BackgroundFigure): boolean {
  const { target = Infinity, wait = Infinity } = works[what] ?? {};
  return minutes <= target && longest <= wait;
}

/** Three digits, in milliseconds or seconds. */
function shown(milliseconds = NaN): string {
  const [value, unit] = milliseconds < 1000 ? [milliseconds, 'ms'] : [milliseconds / 1000, 's'];
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

/** The section for the documentation. */
export function largeSection(
  sizes: readonly number[],
  figures: readonly LargeFigures[],
  background: readonly BackgroundFigure[],
  { rounds, seed }: BenchOptions,
  command: string,
): string {
  return `Chartkeeper by itself, at two sizes of the store: what takes how many times as long. Made by \`npm run bench:large\`; the
files are read into memory before each start.

${largeTable(sizes, figures)}

- A start after an orderly close is the median of ${rounds}, from the program's start to its listening. A file of up to 1 GiB
  is read whole before it serves (SQLite's \`quick_check\`); a larger one is not: that it was closed in order is what is
  relied on, and each text is compared with its SHA-256 whenever it is read.
- After a kill the whole file is read before anything is served, however large it is. Nothing is checked in the
  background: what was not checked yet would be answered.
- "After a change" is the first request after some record was changed: all matches are counted anew, in one piece, and
  other requests wait that long. "Again" is the median of the same when nothing was written, or records were only added.
- The export ends after ${grouped.format(exported)} records at either size. The backup is the one of the workbench: other
  requests are answered between its slices, and the copy is read whole before it counts.

What the server does in the background while it answers, and the reads of another process meanwhile, one every few
milliseconds. All texts are compared with their checksums; a backup is made on request, and its texts are compared too.
What is derived of all records is made anew: a new parameter is one whose rows were taken out of the file before the
start; all rows were taken out likewise, and all records are judged with them. The times to be held are those of
1,000,000 records.

${backgroundTable(background)}

${conditions()}
- Versions: ${versions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
