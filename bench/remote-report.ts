/** Formats the figures of bench/remote.ts as a table. */
import packageJson from '../package.json' with { type: 'json' };
import { formatConditions } from '../scripts/document.ts';
import { readSqliteVersion } from '../scripts/versions.ts';
import { median } from './measure.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

/** Milliseconds of each request, by title. */
export type Waits = ReadonlyMap<string, readonly number[]>;

export interface RemoteFigures {
  readonly records: number;
  readonly findings: number;
  readonly seconds: number;
  /** Bytes of the worklist's file. */
  readonly size: number;
  /** Highest memory of the server in bytes. */
  readonly memory: number;
  readonly countProblem: string | undefined;
  readonly duringWaits: Waits;
  readonly restartedWaits: Waits;
  readonly rereadWaits: Waits;
}

/** Limit of a probe request in milliseconds. Such requests need little else than the main thread. */
const maxMs = 50;
const probeTitle = 'another request: the overview';

const phaseNames = {
  duringWaits: 'while it runs',
  restartedWaits: 'after it',
  rereadWaits: 'read again',
} as const;

const numberFormat = new Intl.NumberFormat('en');
const formatMs = (value: number) =>
  `${value < 100 ? value.toPrecision(3) : numberFormat.format(Math.round(value))} ms`;

export function createRemoteLines(figures: RemoteFigures) {
  return (['duringWaits', 'restartedWaits', 'rereadWaits'] as const).flatMap((phase) =>
    [...figures[phase]].map(([title, times]) => {
      const longest = Math.max(...times);
      const isProbe = title === probeTitle;
      return {
        when: phaseNames[phase],
        what: title,
        times,
        longest,
        held: isProbe,
        reached: !isProbe || longest <= maxMs,
      };
    }),
  );
}

export function formatRemoteTable(figures: RemoteFigures): string {
  const rows = createRemoteLines(figures).map(
    ({ when, what: title, times, longest, held: isProbe, reached: isReached }) => [
      title,
      when,
      numberFormat.format(times.length),
      formatMs(median([...times])),
      formatMs(longest),
      isProbe ? `≤ ${maxMs} ms` : '',
      isProbe ? formatReached(isReached) : '',
    ],
  );
  const table = formatMarkdownTable(['', 'When', 'Requests', 'Median', 'Longest', 'Target', 'Reached'], rows);
  const { records, findings, seconds, size, memory } = figures;
  return `${numberFormat.format(records)} records with
${numberFormat.format(findings)} issues were checked in ${(seconds / 60).toFixed(1)} min. The worklist's file has
${Math.round(size / 1e6)} MB; the server used at most ${Math.round(memory / 1e6)} MB.

${table}`;
}

/** Formats the section of the documentation. */
export function formatRemoteSection(figures: RemoteFigures, seed: number, command: string): string {
  return `Another server on loopback generates records from a seed on request, and lists them by \`_lastUpdated\` in
pages with next links. This server checks them in a job without a page. It is killed (SIGKILL) after two fifths, and the
other server returns 503 once after seven tenths. The counts are compared with those of each text checked separately.
Made by
\`npm run bench:remote\`; the code is in \`bench/\`.

${formatRemoteTable(figures)}

"After it" is after another start. The longest wait of a small request includes the longest block of the main thread,
and the time of other processes on the machine: the other server and the client share its cores.

${formatConditions()}
- Versions: Chartkeeper ${packageJson.version}, Node ${process.versions.node}, SQLite ${readSqliteVersion()}, better-sqlite3 ${packageJson.dependencies['better-sqlite3']}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
