/** Turns the figures of the shared store into tables and sections. */
import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { conditions } from '../scripts/document.ts';
import { postgresPrograms } from '../server/testing/postgres.ts';
import { warmUp } from './measure.ts';
import { measured } from './operations.ts';
import { connections, type BenchOptions } from './options.ts';
import { tableOf, type Line } from './report.ts';
import { ratesOf, spreadRatio, type Cost, type Spread } from './shared-cores.ts';
import { isWithin, type SharedFigure } from './shared-measures.ts';
import { markdownTable, sayReached } from './table.ts';

const grouped = new Intl.NumberFormat('en');

/** How many times the reads of one server two are to give, where the cores allow it. */
const spreadTarget = 1.5;

export interface Cores {
  readonly costs: readonly Cost[];
  readonly spreads: readonly Spread[];
}

export function coresTables({ costs, spreads }: Cores): string {
  return `${costTable(costs)}\n\n${spreadTable(spreads)}`;
}

function costTable(costs: readonly Cost[]): string {
  const ms = (time: number) => `${time.toFixed(3)} ms`;
  return markdownTable(
    ['', 'Server', 'Database', 'Driver', 'Together'],
    costs.map(({ operation, server, database, driver }) => [
      ...[measured[operation].title, ms(server), ms(database), ms(driver), ms(server + database + driver)],
    ]),
  );
}

function spreadTable(spreads: readonly Spread[]): string {
  return markdownTable(
    ['', 'One server', 'Two servers', 'Ratio', 'Target where cores allow'],
    spreads.map((spread) => [
      measured[spread.operation].title,
      ...ratesOf(spread).map((rate) => grouped.format(Math.round(rate))),
      ...[spreadRatio(spread).toFixed(2), `≥ ${spreadTarget}`],
    ]),
  );
}

/** What else the machine did: where it was much, times are long and rates low, and ratios of rounds in turn hold. */
function loadLine(): string {
  return `Load at the end: ${loadavg()[1]?.toFixed(1) ?? 'unknown'} processes for ${cpus().length} cores, in the mean of five minutes`;
}

/** What the figures were made with. */
export function sharedVersions(): string {
  const { express, pg } = packageJson.dependencies;
  const program = join(postgresPrograms() ?? '', 'postgres');
  const said = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout;
  const [, postgres = 'unknown'] = /([\d.]+)/.exec(said) ?? [];
  return `Chartkeeper ${packageJson.version}, Node ${process.versions.node}, PostgreSQL ${postgres}, pg ${pg}, Express ${express}`;
}

export function sharedSection(
  lines: readonly Line[],
  { costs, spreads }: Cores,
  options: BenchOptions,
  command: string,
): string {
  return `Requests a second of Chartkeeper over PostgreSQL and of a bare handler beside it on the same Express and pg: a pool of ten
connections, a prepared statement for each kind of request, and no tokens, validation, history, audit trail or exact numbers.
Both databases lie in one cluster and commit with synchronous_commit on. Both answer the same requests over the same records, on
${connections} connections from a further process. A ratio is the median of ${options.rounds} rounds of ${options.seconds} s, in which the two take turns four times; each
server runs for ${warmUp * options.seconds} s uncounted. Made by \`npm run bench:shared\`; the code is in \`bench/\`.

${tableOf(lines)}

${coresText({ costs, spreads })}

${conditions()}
- ${loadLine()}
- Versions: ${sharedVersions()}
- Seed: ${options.seed}
- Command: \`${command}\`
`;
}

function coresText({ costs, spreads }: Cores): string {
  const [first] = costs;
  const cores = cpus().length;
  const together = first ? first.server + first.database + first.driver : NaN;
  return `What a request of one server takes of a processor, with a request under way on every connection:

${costTable(costs)}

The server has one thread for requests, and PostgreSQL a process for each connection. Two servers over the one store, the
connections shared between them, beside one of them:

${spreadTable(spreads)}

All of it runs on ${cores} cores. Where a ${first ? measured[first.operation].title : 'request'} takes ${together.toFixed(3)} ms in all, ${cores} cores answer ${grouped.format(
    Math.floor((cores * 1000) / together),
  )} a second at most, however many servers there are; one server on
a core of its own answers ${grouped.format(Math.floor(1000 / (first?.server ?? NaN)))} at most. Two servers come to twice that where the database and whoever asks have cores
of their own.`;
}

const shown = (time: number) => `${time < 10 ? time.toFixed(2) : time.toFixed(time < 100 ? 1 : 0)} ms`;

export function largeSharedTable(figures: readonly SharedFigure[]): string {
  return markdownTable(
    ['', 'Behind a change', 'Target', 'Again', 'Target', 'Database’s processor time', 'Reached'],
    figures.map((figure) => {
      const { what, changed, again, most, used } = figure;
      const targets = most.map((time) => `≤ ${time} ms`);
      return [
        ...[what, shown(changed), targets[0] ?? '', shown(again), targets[1] ?? '', shown(used)],
        sayReached(isWithin(figure)),
      ];
    }),
  );
}

interface LargeSharedOptions {
  readonly records: number;
  readonly rounds: number;
  readonly seed: number;
  readonly command: string;
}

export function largeSharedSection(
  figures: readonly SharedFigure[],
  { records, rounds, seed, command }: LargeSharedOptions,
): string {
  return `What a request waits for over PostgreSQL with ${grouped.format(records)} records: the first page of a search with its exact total, facets, and the
field that finds by words. Each is asked ${rounds} times behind a change of some record, and again at once without one; the medians. The
last figure is the time of a processor that the database had for one behind a change, and for whatever it did in the background meanwhile.
Made by \`npm run bench:shared-large\`.

${largeSharedTable(figures)}

${conditions()}
- ${loadLine()}
- Versions: ${sharedVersions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
