/** Turns the figures of bench/remote.ts into the table that is printed and written. */
import packageJson from '../package.json' with { type: 'json' };
import { conditions } from '../scripts/document.ts';
import { sqliteVersion } from '../scripts/versions.ts';
import { median } from './measure.ts';
import { markdownTable, sayReached } from './table.ts';

/** Milliseconds of each request, by what was asked for. */
export type Waits = ReadonlyMap<string, readonly number[]>;

export interface RemoteFigures {
  readonly records: number;
  readonly findings: number;
  readonly seconds: number;
  /** Bytes of the worklist's file. */
  readonly size: number;
  /** Bytes that the server held at most. */
  readonly memory: number;
  readonly wrong: string | undefined;
  readonly during: Waits;
  readonly behind: Waits;
  readonly again: Waits;
}

/** Milliseconds that the answering thread may be held, which requests tell that need little else. */
const most = 50;
const probe = 'another request: the overview';

const whens = {
  during: 'while it runs',
  behind: 'behind it',
  again: 'read anew',
} as const;

const grouped = new Intl.NumberFormat('en');
const ms = (value: number) => `${value < 100 ? value.toPrecision(3) : grouped.format(Math.round(value))} ms`;

export function remoteLines(figures: RemoteFigures) {
  return (['during', 'behind', 'again'] as const).flatMap((when) =>
    [...figures[when]].map(([what, times]) => {
      const longest = Math.max(...times);
      const held = what === probe;
      return { when: whens[when], what, times, longest, held, reached: !held || longest <= most };
    }),
  );
}

export function remoteTable(figures: RemoteFigures): string {
  const rows = remoteLines(figures).map(({ when, what, times, longest, held, reached }) => [
    ...[what, when, grouped.format(times.length), ms(median([...times])), ms(longest)],
    ...[held ? `≤ ${most} ms` : '', held ? sayReached(reached) : ''],
  ]);
  const table = markdownTable(['', 'When', 'Requests', 'Median', 'Longest', 'Target', 'Reached'], rows);
  const { records, findings, seconds, size, memory } = figures;
  return `${grouped.format(records)} records with ${grouped.format(findings)} findings were judged in ${(seconds / 60).toFixed(1)} min. The worklist's file has
${Math.round(size / 1e6)} MB; the server held ${Math.round(memory / 1e6)} MB at most.

${table}`;
}

/** The section for the documentation. */
export function remoteSection(figures: RemoteFigures, seed: number, command: string): string {
  return `Another server on loopback makes records of a seed while they are asked for, and lists them by \`_lastUpdated\` in
pages with next links. This one judges them as a job without a page. It is killed (SIGKILL) after two fifths, and the other
one answers 503 once after seven tenths; the counts are compared with those of each text judged by itself. Made by
\`npm run bench:remote\`; the code is in \`bench/\`.

${remoteTable(figures)}

"Behind it" is after another start. What a request that needs little waits for at most is how long the thread that answers
was held, and what other processes of the machine took: the other server and the one that asks share its cores.

${conditions()}
- Versions: Chartkeeper ${packageJson.version}, Node ${process.versions.node}, SQLite ${sqliteVersion()}, better-sqlite3 ${packageJson.dependencies['better-sqlite3']}
- Seed: ${seed}
- Command: \`${command}\`
`;
}
