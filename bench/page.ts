/**
 * The page's benchmark: `node bench/page.ts [--rounds 5] [--keys 200] [--records 200] [--results 100000]
 * [--packages DIR] [--only start|first|next|reading|scrolling|typing|memory] [--out FILE]`. Starts the built server, and a page with a bare
 * editor beside it, drives both in Chromium and prints how they compare. Exit code 1 where a target is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { startBrowser } from './page/browser.ts';
import { loadPackages } from './page/packages.ts';
import { measureMemory } from './page/memory.ts';
import { measureFirst, measureNext, measureReading, measureStart, type Pages } from './page/opening.ts';
import { readPageOptions, type PageOptions } from './page/options.ts';
import { readDocuments, storeDocuments, storeRecords } from './page/records.ts';
import {
  memoryLine,
  pageSection,
  pageTable,
  readingLines,
  scrollingLine,
  timesLine,
  typingLines,
  type PageLine,
} from './page/report.ts';
import { measureScrolling } from './page/scrolling.ts';
import { startBarePage, startWorkbench } from './page/servers.ts';
import { log, runBenchmark } from './run.ts';
import type { Cleanup } from './stores.ts';
import { measureTyping } from './page/typing.ts';

/** Patients of the clinic; they have more plans than are opened. */
const patients = 200;

async function startAll({ packages }: PageOptions, cleanup: Cleanup): Promise<Pages> {
  if (isStale()) await buildBundles();
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bench-'));
  cleanup.push(() => rm(folder, { recursive: true, force: true }));
  const ours = await startWorkbench(folder);
  cleanup.push(() => ours.stop());
  if (packages !== undefined) await loadPackages(ours, packages);
  const bare = await startBarePage(folder);
  cleanup.push(() => bare.stop());
  const largeOurs = await storeRecords(ours, patients);
  const largeBare = await storeRecords(bare, patients);
  await storeDocuments(ours);
  const browser = await startBrowser();
  cleanup.push(() => browser.close());
  return { browser, ours, bare, largeOurs, largeBare };
}

/** What is measured, by its name: each gives its lines of the table. */
function measurements(pages: Pages, options: PageOptions): Record<string, () => Promise<PageLine[]>> {
  const { rounds, keys, records, results } = options;
  const inRounds = async <Figure>(measure: () => Promise<Figure>) => {
    const figures: Figure[] = [];
    for (let round = 0; round < rounds; round += 1) figures.push(await measure());
    return figures;
  };
  const times = async (what: string, measure: typeof measureStart, most: number) => {
    const figures = await inRounds(() => measure(pages));
    log(figures.map(({ ours, bare = NaN }) => `${Math.round(ours)} against ${Math.round(bare)}`).join(', '));
    return [timesLine(what, figures, most)];
  };
  return {
    start: () => times('first usable search field', measureStart, 1),
    first: () => times('first record opened, 173 KB', measureFirst, 1.5),
    next: () => times('next record opened, 173 KB', measureNext, 1.5),
    reading: async () => {
      const lines: PageLine[] = [];
      for (const [patient, { what }] of Object.entries(readDocuments)) {
        lines.push(...readingLines(what, await inRounds(() => measureReading(pages, patient))));
      }
      return lines;
    },
    scrolling: async () => [scrollingLine(await measureScrolling(pages, results, rounds), results)],
    typing: async () => typingLines(await inRounds(() => measureTyping(pages, keys))),
    memory: async () => [memoryLine(await measureMemory(pages, records), records)],
  };
}

async function run(options: PageOptions, cleanup: Cleanup): Promise<boolean> {
  const pages = await startAll(options, cleanup);
  const lines: PageLine[] = [];
  for (const [name, measure] of Object.entries(measurements(pages, options))) {
    if (options.only !== undefined && options.only !== name) continue;
    log(`Measuring: ${name}…`);
    lines.push(...(await measure()));
  }
  process.stdout.write(`${pageTable(lines)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/page.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(
      options.out,
      performancePage,
      'The page',
      pageSection(lines, options, pages.browser.version(), command),
    );
  }
  return lines.every(({ reached }) => reached);
}

// An interrupt closes the browser; what waits for it then fails, and the servers are stopped below.
process.once('SIGINT', () => {
  process.exitCode = 130;
});
await runBenchmark((cleanup) => run(readPageOptions(process.argv.slice(2)), cleanup));
