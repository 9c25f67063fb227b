/**
 * The benchmark of the page: `node bench/page.ts [--rounds 5] [--keys 200] [--records 200] [--results 100000]
 * [--packages DIR] [--only start reload first next reading scrolling typing memory] [--out FILE]`. Starts the built server and
 * a page with a bare editor, drives both in Chromium and prints a comparison. Exit code 1 if a target is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { startBrowser } from './page/browser.ts';
import { loadPackages } from './page/packages.ts';
import { measureMemory } from './page/memory.ts';
import {
  measureFirst,
  measureNext,
  measureReading,
  measureReload,
  measureStart,
  type Pages,
} from './page/opening.ts';
import { readPageOptions, type PageOptions } from './page/options.ts';
import { readDocuments, storeDocuments, storeRecords } from './page/records.ts';
import {
  createMemoryLine,
  formatPageSection,
  formatPageTable,
  createReadingLines,
  createReloadLines,
  createScrollingLine,
  createTimesLine,
  createTypingLines,
  type PageLine,
} from './page/report.ts';
import { measureScrolling } from './page/scrolling.ts';
import { startBarePage, startWorkbench } from './page/servers.ts';
import { log, runBenchmark } from './run.ts';
import type { CleanupSteps } from './stores.ts';
import { measureTyping } from './page/typing.ts';

/** Patients of the clinic. They have more plans than the benchmark opens. */
const patients = 200;

async function startAll({ packages }: PageOptions, cleanupSteps: CleanupSteps): Promise<Pages> {
  if (isStale()) await buildBundles();
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bench-'));
  cleanupSteps.push(() => rm(folder, { recursive: true, force: true }));
  const workbench = await startWorkbench(folder);
  cleanupSteps.push(() => workbench.stop());
  if (packages !== undefined) await loadPackages(workbench, packages);
  const bare = await startBarePage(folder);
  cleanupSteps.push(() => bare.stop());
  const largeOurs = await storeRecords(workbench, patients);
  const largeBare = await storeRecords(bare, patients);
  await storeDocuments(workbench);
  const browser = await startBrowser();
  cleanupSteps.push(() => browser.close());
  return { browser, workbench, bare, largeOurs, largeBare };
}

/** Returns the measurements by name. Each returns lines of the table. */
function createMeasurements(pages: Pages, options: PageOptions): Record<string, () => Promise<PageLine[]>> {
  const { rounds, keys, records, results } = options;
  const measureRounds = async <Figure>(measure: () => Promise<Figure>) => {
    const figures: Figure[] = [];
    for (let round = 0; round < rounds; round += 1) figures.push(await measure());
    return figures;
  };
  const measureTimes = async (title: string, measure: typeof measureStart, maxRatio: number) => {
    const figures = await measureRounds(() => measure(pages));
    log(figures.map(({ ours, bare = NaN }) => `${Math.round(ours)} against ${Math.round(bare)}`).join(', '));
    return [createTimesLine(title, figures, maxRatio)];
  };
  return {
    start: () => measureTimes('first usable search field', measureStart, 1),
    reload: async () => createReloadLines(await measureRounds(() => measureReload(pages))),
    first: () => measureTimes('first record opened, 173 KB', measureFirst, 1.5),
    next: () => measureTimes('next record opened, 173 KB', measureNext, 1.5),
    reading: async () => {
      const lines: PageLine[] = [];
      for (const [patient, { title }] of Object.entries(readDocuments)) {
        lines.push(...createReadingLines(title, await measureRounds(() => measureReading(pages, patient))));
      }
      return lines;
    },
    scrolling: async () => [createScrollingLine(await measureScrolling(pages, results, rounds), results)],
    typing: async () => createTypingLines(await measureRounds(() => measureTyping(pages, keys))),
    memory: async () => [createMemoryLine(await measureMemory(pages, records), records)],
  };
}

async function run(options: PageOptions, cleanupSteps: CleanupSteps): Promise<boolean> {
  const pages = await startAll(options, cleanupSteps);
  const lines: PageLine[] = [];
  for (const [name, measure] of Object.entries(createMeasurements(pages, options))) {
    if (options.measurement !== undefined && options.measurement !== name) continue;
    log(`Measuring: ${name}…`);
    lines.push(...(await measure()));
  }
  process.stdout.write(`${formatPageTable(lines)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/page.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(
      options.out,
      performancePage,
      'The page',
      formatPageSection(lines, options, pages.browser.version(), command),
    );
  }
  return lines.every(({ isReached }) => isReached);
}

// An interrupt closes the browser. The calls that wait for it fail, and the servers are stopped below.
process.once('SIGINT', () => {
  process.exitCode = 130;
});
await runBenchmark((cleanupSteps) => run(readPageOptions(process.argv.slice(2)), cleanupSteps));
