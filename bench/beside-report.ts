/** Formats the figures of reads during other work as a table and a section. */
import { formatConditions } from '../scripts/document.ts';
import { formatVersions } from '../scripts/versions.ts';
import { importSize, works, type BesideFigure, type BesideOptions } from './beside-works.ts';
import { median } from './measure.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

/** Limit of a read in milliseconds. */
const maxWaitMs = 50;

const numberFormat = new Intl.NumberFormat('en');
const formatMs = (milliseconds: number) =>
  `${milliseconds < 10 ? milliseconds.toFixed(2) : milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`;

export function formatParallelTable(figures: readonly BesideFigure[]): string {
  const headers = [
    '',
    'Answers',
    'Median',
    'Longest',
    'Target',
    'Median read during it',
    'Longest',
    'Target',
    'Reached',
  ];
  return formatMarkdownTable(
    headers,
    figures.map((figure) => {
      const { title, durationsMs, median: readMedian, longest } = figure;
      const { target } = works[title] ?? {};
      return [
        title,
        numberFormat.format(durationsMs.length),
        formatMs(median(durationsMs)),
        formatMs(Math.max(...durationsMs)),
        target === undefined ? '' : `≤ ${target} ms`,
        formatMs(readMedian),
        formatMs(longest),
        `≤ ${maxWaitMs} ms`,
        formatReached(isReached(figure)),
      ];
    }),
  );
}

/** Compares the median of the responses with its target: other processes affect the longest response. */
export function isReached({ title, durationsMs, longest }: BesideFigure): boolean {
  return longest <= maxWaitMs && median(durationsMs) <= (works[title]?.target ?? Infinity);
}

/** Formats the section of the documentation. */
export function formatParallelSection(
  figures: readonly BesideFigure[],
  { records, seconds, seed, command }: BesideOptions & { readonly records: number; readonly command: string },
): string {
  return `Waiting time of a read of one record at ${numberFormat.format(records)} records while other requests process
all of them: ${seconds} seconds of each kind of work, repeated, and the reads of another process at the same time, one
every few milliseconds. Before each response a record is changed, so no cached result is returned. An export continues
to the end of the time; for an import of ${numberFormat.format(importSize)} records, the time of one is given. Made by \`npm run bench:beside\`.

${formatParallelTable(figures)}

${formatConditions()}
- Versions: ${formatVersions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
