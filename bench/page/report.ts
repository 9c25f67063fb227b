/** Turns what was measured into the page's table; also says which targets were missed. */
import { median, medianRatio } from '../measure.ts';
import { markdownTable, sayReached } from '../table.ts';
import { conditions } from '../../scripts/document.ts';
import type { Memory } from './memory.ts';
import type { Measured } from './opening.ts';
import { firstRecords, recordBytes, type PageOptions } from './options.ts';
import { percentile99, type Typed, type TypedPage } from './typing.ts';

export interface PageLine {
  readonly what: string;
  readonly ours: string;
  readonly bare: string;
  readonly ratio: string;
  readonly target: string;
  readonly reached: boolean;
}

/** Milliseconds that no frame and no key may take. */
const longestFrame = 50;
const grouped = new Intl.NumberFormat('en');

/** Times beside those of the bare page. */
export function timesLine(what: string, rounds: readonly Measured[], most: number): PageLine {
  const ours = rounds.map((round) => round.ours);
  const bare = rounds.map((round) => round.bare ?? NaN);
  const ratio = medianRatio(ours, bare);
  return {
    what,
    ours: ms(median(ours)),
    bare: ms(median(bare)),
    ratio: ratio.toFixed(2),
    target: `≤ ${most.toFixed(1)}`,
    reached: ratio <= most,
  };
}

/** The longest frame of each round of scrolling. */
export function scrollingLine(longest: readonly number[], results: number): PageLine {
  const what = `longest frame, ${grouped.format(results)} results scrolled`;
  return limitLine(what, median(longest));
}

/** What a document for reading takes until its first section is seen, and how long a task is while it is scrolled. */
export function readingLines(
  what: string,
  rounds: readonly { readonly opened: number; readonly task: number }[],
): PageLine[] {
  return [
    limitLine(`${what}, opened to be read`, median(rounds.map(({ opened }) => opened)), undefined, 1000),
    limitLine(`${what}, longest task while scrolled`, median(rounds.map(({ task }) => task)), undefined, 200),
  ];
}

/** What a key takes: half of them, nearly the slowest and the slowest by the clock, and the page's own share. */
export function typingLines(rounds: readonly Typed[]): PageLine[] {
  const figures: readonly (readonly [string, (typed: TypedPage) => number])[] = [
    ['key to frame, median', ({ keys }) => median(keys)],
    ['key to frame, 99th percentile', ({ keys }) => percentile99(keys)],
    ['key to frame, slowest', ({ keys }) => Math.max(...keys)],
    ['longest task while typing', ({ task }) => task],
  ];
  return figures.map(([what, figure]) =>
    limitLine(
      what,
      median(rounds.map(({ ours }) => figure(ours))),
      median(rounds.map(({ bare }) => figure(bare))),
    ),
  );
}

/** How the memory grew from the first records to the last. */
export function memoryLine({ first, last }: Memory, records: number): PageLine {
  const most = 1.3;
  return {
    what: `memory after ${records} records, to that after ${firstRecords}`,
    ours: `${megabytes(last)} to ${megabytes(first)} MB`,
    bare: '',
    ratio: (last / first).toFixed(2),
    target: `≤ ${most}`,
    reached: last / first <= most,
  };
}

function limitLine(what: string, ours: number, bare?: number, most: number = longestFrame): PageLine {
  return {
    what,
    ours: ms(ours),
    bare: bare === undefined ? '' : ms(bare),
    ratio: '',
    target: `≤ ${most} ms`,
    reached: ours <= most,
  };
}

function ms(time: number): string {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** The lines as a Markdown table. */
export function pageTable(lines: readonly PageLine[]): string {
  return markdownTable(
    ['', 'Chartkeeper', 'Bare editor', 'Ratio', 'Target', 'Reached'],
    lines.map(({ what, ours, bare, ratio, target, reached }) => [
      ...[what, ours, bare, ratio, target],
      sayReached(reached),
    ]),
  );
}

/** The section for the documentation. */
export function pageSection(
  lines: readonly PageLine[],
  { rounds, keys }: PageOptions,
  browser: string,
  command: string,
): string {
  return `Times in Chromium of the built page, and of a page beside it that holds one Monaco editor and nothing else: the same
version and features, built by the same configuration, served by the same server. Each round has a new profile; a ratio
is the median of ${rounds} rounds, in which the two take turns. The large record is a document of ${grouped.format(recordBytes)} bytes as it
is stored. Made by \`npm run bench:page\`; the code is in \`bench/page/\`.

${pageTable(lines)}

${conditions()}
- Versions: Node ${process.versions.node}, Chromium ${browser}
- Command: \`${command}\`

The search field and the bare editor are timed from the navigation. The first record is opened at once after the search
that found it, which may have to wait for Monaco; the bare page shows its text from its navigation. The next record, on
both pages with an editor there, is timed from the press of a key: request, formatting, frame. The longest frame and the
longest task are processor time of the page's main thread, from the browser's trace. ${grouped.format(keys)} keys a round are typed into the middle of the
large record, 70 ms apart with rests in which validation, marks and the draft answer; a key's time is that from the
event to the end of its frame, and other processes of the machine are in it; the longest task is not, and is what a key
waits for at most. Every round begins with no tab open and no draft kept. Memory is the page's JavaScript heap after
collection.
`;
}
