/** Turns figures into the table that is printed and written; also says which targets were missed. */
import packageJson from '../package.json' with { type: 'json' };
import { conditions } from '../scripts/document.ts';
import { sqliteVersion } from '../scripts/versions.ts';
import { median, medianRatio, warmUp, type Figures, type Pair, type Rates } from './measure.ts';
import { growthTarget, measured, operations, type Operation } from './operations.ts';
import { connections, type BenchOptions } from './options.ts';
import { markdownTable, sayReached } from './table.ts';

export interface Line {
  readonly what: string;
  readonly records: string;
  readonly ours: string;
  readonly bare: string;
  readonly ratio: string;
  readonly target: string;
  readonly reached: boolean;
}

const grouped = new Intl.NumberFormat('en');

type TargetOf = (operation: Operation) => number;

/** One line for each operation and store, then the growth of a search's time where there are two stores. */
export function linesOf(figures: Figures, pairs: readonly Pair[], targetOf: TargetOf): Line[] {
  const lines = pairs.flatMap(({ records }, index) =>
    operations.flatMap((operation) => {
      const rates = figures.get(operation)?.[index];
      return rates ? [ratioLine(operation, records, rates, targetOf(operation))] : [];
    }),
  );
  const [small, large] = figures.get('search-5') ?? [];
  return small && large ? [...lines, growthLine(small, large)] : lines;
}

function ratioLine(operation: Operation, records: number, { ours, bare }: Rates, target: number): Line {
  const { title } = measured[operation];
  const ratio = medianRatio(ours, bare);
  return {
    what: title,
    records: grouped.format(records),
    ours: grouped.format(Math.round(median(ours))),
    bare: grouped.format(Math.round(median(bare))),
    ratio: ratio.toFixed(2),
    target: `≥ ${target}`,
    reached: ratio >= target,
  };
}

/** With a request on every connection all the time, times are to each other as the rates the other way round. */
function growthLine(small: Rates, large: Rates): Line {
  const growth = medianRatio(small.ours, large.ours);
  return {
    what: 'search time, large to small',
    records: '',
    ours: growth.toFixed(2),
    bare: medianRatio(small.bare, large.bare).toFixed(2),
    ratio: '',
    target: `≤ ${growthTarget}`,
    reached: growth <= growthTarget,
  };
}

/** The lines as a Markdown table. */
export function tableOf(lines: readonly Line[]): string {
  return markdownTable(
    ['', 'Records', 'Chartkeeper', 'Bare handler', 'Ratio', 'Target', 'Reached'],
    lines.map(({ what, records, ours, bare, ratio, target, reached }) => [
      ...[what, records, ours, bare, ratio, target],
      sayReached(reached),
    ]),
  );
}

/** The section for the documentation. */
export function sectionOf(lines: readonly Line[], options: BenchOptions, command: string): string {
  const { express, 'better-sqlite3': driver } = packageJson.dependencies;
  return `Requests a second of Chartkeeper and of a bare handler beside it on the same Express and better-sqlite3, without
tokens, validation, history or exact numbers; both commit with synchronous FULL. Both answer the same requests over the
same records, on ${connections} connections from a third process. A ratio is the median of ${options.rounds} rounds of
${options.seconds} s, in which the two take turns four times; the files are read into memory first, and each
server runs for ${warmUp * options.seconds} s uncounted. Made by \`npm run bench:api\`; the code is in \`bench/\`.

${tableOf(lines)}

${conditions()}
- Versions: Node ${process.versions.node}, SQLite ${sqliteVersion()}, better-sqlite3 ${driver}, Express ${express}
- Seed: ${options.seed}
- Command: \`${command}\`

Three processes share the cores, so that rates of one machine say little about another; ratios do. Every answer had the
expected status, and the two servers' answers were of like size. A search finds as many records at
either size of the store; two terms stand in either order.
`;
}
