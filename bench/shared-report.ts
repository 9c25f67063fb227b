/** Formats the results of the PostgreSQL benchmarks as Markdown. */
import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { formatConditions } from '../scripts/document.ts';
import { postgresPrograms } from '../server/testing/postgres.ts';
import { warmUpFactor } from './measure.ts';
import { operationInfos } from './operations.ts';
import { connections, type BenchOptions } from './options.ts';
import { formatTable, type ReportLine } from './report.ts';
import { computeMedianRates, computeScalingRatio, type Cost, type ScalingRates } from './shared-cores.ts';
import { isWithinLimits, type SharedFigure } from './shared-measures.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

const numberFormat = new Intl.NumberFormat('en');

/** Target ratio of the read rate of two servers to the rate of one. It applies only if there are enough cores. */
const scalingTarget = 1.5;

export interface ProcessorFigures {
  readonly costs: readonly Cost[];
  readonly scalingRates: readonly ScalingRates[];
}

export function formatProcessorTables({ costs, scalingRates }: ProcessorFigures): string {
  return `${formatCostTable(costs)}\n\n${formatScalingTable(scalingRates)}`;
}

function formatCostTable(costs: readonly Cost[]): string {
  const formatMs = (milliseconds: number) => `${milliseconds.toFixed(3)} ms`;
  return formatMarkdownTable(
    ['', 'Server', 'Database', 'Driver', 'Total'],
    costs.map(({ operation, server, database, driver }) => [
      operationInfos[operation].title,
      formatMs(server),
      formatMs(database),
      formatMs(driver),
      formatMs(server + database + driver),
    ]),
  );
}

function formatScalingTable(scalingRates: readonly ScalingRates[]): string {
  return formatMarkdownTable(
    ['', 'One server', 'Two servers', 'Ratio', 'Target with enough cores'],
    scalingRates.map((rates) => [
      operationInfos[rates.operation].title,
      ...computeMedianRates(rates).map((rate) => numberFormat.format(Math.round(rate))),
      computeScalingRatio(rates).toFixed(2),
      `≥ ${scalingTarget}`,
    ]),
  );
}

/**
 * Formats the load of the machine. A high load lengthens times and lowers rates. The ratios stay valid, because the
 * rounds alternate.
 */
function formatLoad(): string {
  return `Load at the end: ${loadavg()[1]?.toFixed(1) ?? 'unknown'} processes over five minutes, on ${cpus().length} cores`;
}

/** Formats the versions of the programs behind the figures. */
export function formatSharedVersions(): string {
  const { express, pg } = packageJson.dependencies;
  const program = join(postgresPrograms() ?? '', 'postgres');
  const versionText = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout;
  const [, postgres = 'unknown'] = /([\d.]+)/.exec(versionText) ?? [];
  return `Chartkeeper ${packageJson.version}, Node ${process.versions.node}, PostgreSQL ${postgres}, pg ${pg}, Express ${express}`;
}

export function formatSharedSection(
  lines: readonly ReportLine[],
  { costs, scalingRates }: ProcessorFigures,
  options: BenchOptions,
  command: string,
): string {
  return `Requests per second of Chartkeeper over PostgreSQL, compared with a bare handler on the same Express and pg: a
pool of ten connections, a prepared statement for each kind of request, and no tokens, validation, history, audit log or
exact numbers. Both databases are in one cluster and commit with synchronous_commit on. Both answer the same requests
over the same records, on ${connections} connections from another process. A ratio is the median of ${options.rounds}
rounds of ${options.seconds} s, in which the two take turns four times. Each server has a warm-up of
${warmUpFactor * options.seconds} s. Made by \`npm run bench:shared\`; the code is in \`bench/\`.

${formatTable(lines)}

${formatProcessorSection({ costs, scalingRates })}

${formatConditions()}
- ${formatLoad()}
- Versions: ${formatSharedVersions()}
- Seed: ${options.seed}
- Command: \`${command}\`
`;
}

function formatProcessorSection({ costs, scalingRates }: ProcessorFigures): string {
  // The first operation is the example for the estimate.
  const [firstCost] = costs;
  const cores = cpus().length;
  const totalMs = firstCost ? firstCost.server + firstCost.database + firstCost.driver : NaN;
  return `Processor time per request of one server, with all connections busy:

${formatCostTable(costs)}

The server has one thread for requests, and PostgreSQL a process for each connection. Two servers that
share one store and the connections, compared with a single server:

${formatScalingTable(scalingRates)}

Everything runs on ${cores} cores. If a ${firstCost ? operationInfos[firstCost.operation].title : 'request'} takes ${totalMs.toFixed(3)} ms in total, ${cores} cores answer at most ${numberFormat.format(
    Math.floor((cores * 1000) / totalMs),
  )} per second, regardless of the number of servers. One server
on its own core answers at most ${numberFormat.format(Math.floor(1000 / (firstCost?.server ?? NaN)))}. Two servers reach twice that if the database and the clients have
their own cores.`;
}

const formatDuration = (milliseconds: number) =>
  `${milliseconds < 10 ? milliseconds.toFixed(2) : milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`;

export function formatLargeStoreTable(figures: readonly SharedFigure[]): string {
  return formatMarkdownTable(
    ['', 'After a change', 'Target', 'Repeated', 'Target', 'Database’s processor time', 'Reached'],
    figures.map((figure) => {
      const { title, changedMs, repeatedMs, limitsMs, processorMs } = figure;
      return [
        title,
        formatDuration(changedMs),
        `≤ ${limitsMs.changed} ms`,
        formatDuration(repeatedMs),
        `≤ ${limitsMs.repeated} ms`,
        formatDuration(processorMs),
        formatReached(isWithinLimits(figure)),
      ];
    }),
  );
}

interface LargeStoreOptions {
  readonly records: number;
  readonly rounds: number;
  readonly seed: number;
  readonly command: string;
}

export function formatLargeStoreSection(
  figures: readonly SharedFigure[],
  { records, rounds, seed, command }: LargeStoreOptions,
): string {
  return `Response times over PostgreSQL with ${numberFormat.format(records)} records: the first page of a search with
its exact total, facets, and the search field. Each request is sent ${rounds} times after a change of a record, and
again immediately without one; the figures are medians. The last figure is the database's processor time for one request
after a change, including its background work in that time. Made by \`npm run bench:shared-large\`.

${formatLargeStoreTable(figures)}

${formatConditions()}
- ${formatLoad()}
- Versions: ${formatSharedVersions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
