/** Formats the figures as the table of the page, and compares them with the targets. */
import { median, medianRatio } from '../measure.ts';
import { formatMarkdownTable, formatReached } from '../table.ts';
import { formatConditions } from '../../scripts/document.ts';
import type { HeapGrowth } from './memory.ts';
import type { PageFigure, ReloadFigure } from './opening.ts';
import { firstRecordCount, recordBytes, type PageOptions } from './options.ts';
import { percentile99, type TypingFigures, type TypedPage } from './typing.ts';

export interface PageLine {
  readonly title: string;
  readonly ours: string;
  readonly bare: string;
  readonly ratio: string;
  readonly target: string;
  readonly isReached: boolean;
}

/** Limit of a frame and of a key in milliseconds. */
const maxFrameMs = 50;
/** Limit of a reload, compared with the first load. */
const maxReloadRatio = 0.7;
/** Bytes of the document and of the responses of the API. Each asset comes from the browser's cache. */
const maxReloadBytes = 50_000;
const numberFormat = new Intl.NumberFormat('en');

/** Compares times with the times of the bare page. */
export function createTimesLine(title: string, rounds: readonly PageFigure[], maxRatio: number): PageLine {
  const ours = rounds.map((round) => round.ours);
  const bare = rounds.map((round) => round.bare ?? NaN);
  const ratio = medianRatio(ours, bare);
  return {
    title,
    ours: formatMs(median(ours)),
    bare: formatMs(median(bare)),
    ratio: ratio.toFixed(2),
    target: `≤ ${maxRatio.toFixed(1)}`,
    isReached: ratio <= maxRatio,
  };
}

/** Returns the lines of reloads: the time compared with that of the first load, and the bytes. */
export function createReloadLines(rounds: readonly ReloadFigure[]): PageLine[] {
  const reloadTimes = rounds.map(({ reloadMs }) => reloadMs);
  const ratio = medianRatio(
    reloadTimes,
    rounds.map(({ firstMs }) => firstMs),
  );
  const bytes = median(rounds.map(({ reloadBytes }) => reloadBytes));
  return [
    {
      title: 'the same of a reload, to the first load',
      ours: formatMs(median(reloadTimes)),
      bare: '',
      ratio: ratio.toFixed(2),
      target: `≤ ${maxReloadRatio.toFixed(1)}`,
      isReached: ratio <= maxReloadRatio,
    },
    {
      title: 'bytes of a reload',
      ours: formatKilobytes(bytes),
      bare: '',
      ratio: '',
      target: `≤ ${formatKilobytes(maxReloadBytes)}`,
      isReached: bytes <= maxReloadBytes,
    },
  ];
}

/** Returns the line of the longest frame of each round of scrolling. */
export function createScrollingLine(longestMs: readonly number[], results: number): PageLine {
  const title = `longest frame, ${numberFormat.format(results)} results scrolled`;
  return createLimitLine(title, median(longestMs));
}

/**
 * Returns the lines of a document: the time until its first section appears, and the longest task while
 * scrolling.
 */
export function createReadingLines(
  title: string,
  rounds: readonly { readonly openMs: number; readonly taskMs: number }[],
): PageLine[] {
  return [
    createLimitLine(
      `${title}, opened to be read`,
      median(rounds.map(({ openMs }) => openMs)),
      undefined,
      1000,
    ),
    createLimitLine(
      `${title}, longest task while scrolled`,
      median(rounds.map(({ taskMs }) => taskMs)),
      undefined,
      200,
    ),
  ];
}

/**
 * Returns the lines of typing: median, 99th percentile and slowest key by the clock, and the longest task of
 * the page.
 */
export function createTypingLines(rounds: readonly TypingFigures[]): PageLine[] {
  const figures: readonly (readonly [string, (figures: TypedPage) => number])[] = [
    ['key to frame, median', ({ keys }) => median(keys)],
    ['key to frame, 99th percentile', ({ keys }) => percentile99(keys)],
    ['key to frame, slowest', ({ keys }) => Math.max(...keys)],
    ['longest task while typing', ({ task }) => task],
  ];
  return figures.map(([title, figure]) =>
    createLimitLine(
      title,
      median(rounds.map(({ ours }) => figure(ours))),
      median(rounds.map(({ bare }) => figure(bare))),
    ),
  );
}

/** Returns the line of the memory growth from the first records to the last. */
export function createMemoryLine({ firstBytes, lastBytes }: HeapGrowth, records: number): PageLine {
  const maxRatio = 1.3;
  return {
    title: `memory after ${records} records, to that after ${firstRecordCount}`,
    ours: `${formatMegabytes(lastBytes)} to ${formatMegabytes(firstBytes)} MB`,
    bare: '',
    ratio: (lastBytes / firstBytes).toFixed(2),
    target: `≤ ${maxRatio}`,
    isReached: lastBytes / firstBytes <= maxRatio,
  };
}

function createLimitLine(title: string, ours: number, bare?: number, maxMs: number = maxFrameMs): PageLine {
  return {
    title,
    ours: formatMs(ours),
    bare: bare === undefined ? '' : formatMs(bare),
    ratio: '',
    target: `≤ ${maxMs} ms`,
    isReached: ours <= maxMs,
  };
}

function formatMs(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`;
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} KB`;
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Formats the lines as a Markdown table. */
export function formatPageTable(lines: readonly PageLine[]): string {
  return formatMarkdownTable(
    ['', 'Chartkeeper', 'Bare editor', 'Ratio', 'Target', 'Reached'],
    lines.map(({ title, ours, bare, ratio, target, isReached }) => [
      title,
      ours,
      bare,
      ratio,
      target,
      formatReached(isReached),
    ]),
  );
}

/** Formats the section of the documentation. */
export function formatPageSection(
  lines: readonly PageLine[],
  { rounds, keys }: PageOptions,
  browser: string,
  command: string,
): string {
  return `Times in Chromium of the built page, compared with a bare page that contains only a Monaco editor with the
same version, features, build configuration and server. Each round has a new profile; a ratio is the median of ${rounds}
rounds, in which the two take turns. The large record is a document of ${numberFormat.format(recordBytes)} stored bytes.
Made by \`npm run bench:page\`; the code is in \`bench/page/\`.

${formatPageTable(lines)}

${formatConditions()}
- Versions: Node ${process.versions.node}, Chromium ${browser}
- Command: \`${command}\`

The search field and the bare editor are timed from the navigation, without the browser's cache. A reload finds
the assets in it. The first record is opened immediately after the
search that found it, and may have to wait for Monaco; the bare page shows its text from its navigation. The next
record, with an editor present on both pages, is timed from the key press: request, formatting, frame. The longest frame
and the longest task are processor time of the page's main thread, from the browser's trace. In each round,
${numberFormat.format(keys)} keys are typed into the middle of the large record, 70 ms apart, with pauses for
validation, marks and the draft. A key's time is from the event to the end of its frame, and includes other processes on
the machine. The longest task does not, and is the longest wait of a key. Every round begins without open tabs and
drafts. Memory is the page's JavaScript heap after collection.
`;
}
