/** Formats figures as a table, and compares them with the targets. */
import packageJson from '../package.json' with { type: 'json' };
import { formatConditions } from '../scripts/document.ts';
import { readSqliteVersion } from '../scripts/versions.ts';
import { median, medianRatio, warmUpFactor, type Figures, type Pair, type Rates } from './measure.ts';
import { growthTarget, operationInfos, operations, type Operation } from './operations.ts';
import { connections, type BenchOptions } from './options.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

export interface ReportLine {
  readonly title: string;
  readonly records: string;
  readonly ours: string;
  readonly bare: string;
  readonly ratio: string;
  readonly target: string;
  readonly isReached: boolean;
}

const numberFormat = new Intl.NumberFormat('en');

type GetTarget = (operation: Operation) => number;

/** Returns one line per operation and store, then the growth of a search's time if there are two stores. */
export function createLines(figures: Figures, pairs: readonly Pair[], getTarget: GetTarget): ReportLine[] {
  const lines = pairs.flatMap(({ records }, index) =>
    operations.flatMap((operation) => {
      const rates = figures.get(operation)?.[index];
      return rates ? [createRatioLine(operation, records, rates, getTarget(operation))] : [];
    }),
  );
  const [smallRates, largeRates] = figures.get('search-5') ?? [];
  return smallRates && largeRates ? [...lines, createGrowthLine(smallRates, largeRates)] : lines;
}

function createRatioLine(
  operation: Operation,
  records: number,
  { ours, bare }: Rates,
  target: number,
): ReportLine {
  const { title } = operationInfos[operation];
  const ratio = medianRatio(ours, bare);
  return {
    title,
    records: numberFormat.format(records),
    ours: numberFormat.format(Math.round(median(ours))),
    bare: numberFormat.format(Math.round(median(bare))),
    ratio: ratio.toFixed(2),
    target: `≥ ${target}`,
    isReached: ratio >= target,
  };
}

/** Returns the line of the growth. Every connection always has a request, so times are inverse to rates. */
function createGrowthLine(small: Rates, large: Rates): ReportLine {
  const growth = medianRatio(small.ours, large.ours);
  return {
    title: 'search time, large to small',
    records: '',
    ours: growth.toFixed(2),
    bare: medianRatio(small.bare, large.bare).toFixed(2),
    ratio: '',
    target: `≤ ${growthTarget}`,
    isReached: growth <= growthTarget,
  };
}

/** Formats the lines as a Markdown table. */
export function formatTable(lines: readonly ReportLine[]): string {
  return formatMarkdownTable(
    ['', 'Records', 'Chartkeeper', 'Bare handler', 'Ratio', 'Target', 'Reached'],
    lines.map(({ title, records, ours, bare, ratio, target, isReached }) => [
      title,
      records,
      ours,
      bare,
      ratio,
      target,
      formatReached(isReached),
    ]),
  );
}

/** Formats the section of the documentation. */
export function formatSection(lines: readonly ReportLine[], options: BenchOptions, command: string): string {
  const { express, 'better-sqlite3': driver } = packageJson.dependencies;
  return `Requests per second of Chartkeeper, compared with a bare handler on the same Express and better-sqlite3
without tokens, validation, history or exact numbers. Both commit with synchronous FULL. Both answer the same requests
over the same records, on ${connections} connections from a third process. A ratio is the median of ${options.rounds}
rounds of ${options.seconds} s, in which the two take turns four times. The files are read into memory first, and each
server has a warm-up of ${warmUpFactor * options.seconds} s. Made by \`npm run bench:api\`; the code is in \`bench/\`.

${formatTable(lines)}

${formatConditions()}
- Versions: Node ${process.versions.node}, SQLite ${readSqliteVersion()}, better-sqlite3 ${driver}, Express ${express}
- Seed: ${options.seed}
- Command: \`${command}\`

Three processes share the cores, so rates can't be compared between machines; ratios can. Every response had the
expected status, and both servers' responses were of similar size. A search finds the same number of records at each
size of the store. Searches with two criteria use both orders.
`;
}
