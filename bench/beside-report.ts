/** Turns what was measured beside other work into its table and its section. */
import { conditions } from '../scripts/document.ts';
import { versions } from '../scripts/versions.ts';
import { imported, works, type BesideFigure, type BesideOptions } from './beside-works.ts';
import { median } from './measure.ts';
import { markdownTable, sayReached } from './table.ts';

/** Milliseconds that no read may wait. */
const longestWait = 50;

const grouped = new Intl.NumberFormat('en');
const ms = (time: number) => `${time < 10 ? time.toFixed(2) : time.toFixed(time < 100 ? 1 : 0)} ms`;

export function besideTable(figures: readonly BesideFigure[]): string {
  const head = [
    '',
    'Answers',
    'Median',
    'Longest',
    'Target',
    'Median read beside',
    'Longest',
    'Target',
    'Reached',
  ];
  return markdownTable(
    head,
    figures.map((figure) => {
      const { what, answers, median: read, longest } = figure;
      const { target } = works[what] ?? {};
      return [
        ...[what, grouped.format(answers.length), ms(median(answers)), ms(Math.max(...answers))],
        ...[target === undefined ? '' : `≤ ${target} ms`, ms(read), ms(longest), `≤ ${longestWait} ms`],
        sayReached(isReached(figure)),
      ];
    }),
  );
}

/** Of an answer's time the median counts: what the machine does beside is in the longest. */
export function isReached({ what, answers, longest }: BesideFigure): boolean {
  return longest <= longestWait && median(answers) <= (works[what]?.target ?? Infinity);
}

/** The section for the documentation. */
export function besideSection(
  figures: readonly BesideFigure[],
  { records, seconds, seed, command }: BesideOptions & { readonly records: number; readonly command: string },
): string {
  return `What a read of one record waits at ${grouped.format(records)} records while others go through all of them: ${seconds} seconds of each
work, asked over and over, and the reads of another process meanwhile, one every few milliseconds. Before each answer some
record is changed, so that nothing is answered as it was before. An export goes on to the end of the time; of an import of
${grouped.format(imported)} records the time of one is told. Made by \`npm run bench:beside\`.

${besideTable(figures)}

${conditions()}
- Versions: ${versions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
