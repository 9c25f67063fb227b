/**
 * Measures an import of a Bundle: `node bench/bundles.ts [--records 100000] [--seed 1] [--out FILE]`.
 * Compares the processor time of the server for the same records as NDJSON and as one Bundle, each into a
 * separate store, and the waits of reads by another process. Exit code 1 if a target is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { formatConditions, performancePage, writeSection } from '../scripts/document.ts';
import { formatVersions } from '../scripts/versions.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { requestChecked } from './ask.ts';
import { startOurs } from './processes.ts';
import { waitUntilIdle, readProcessorMs } from './processor-time.ts';
import type { Waits } from './reader.ts';
import { log, runBenchmark } from './run.ts';
import { fillStores, getStoresFolder, type CleanupSteps } from './stores.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

/** Highest processor time of a Bundle, as a factor of the time of NDJSON. */
const maxFactor = 1.3;

/** Limit of 99 of 100 reads in milliseconds. */
const maxWaitMs = 100;

/** Records that are read during the import. */
const readRecords = 1000;

const numberFormat = new Intl.NumberFormat('en');

interface ImportFormat {
  readonly title: string;
  readonly type: string;
  readonly body: (records: readonly string[]) => string;
}

const formats: readonly ImportFormat[] = [
  { title: 'NDJSON', type: 'application/x-ndjson', body: (records) => records.join('\n') },
  {
    title: 'one Bundle',
    type: 'application/json',
    body: (records) =>
      `{"resourceType":"Bundle","type":"collection","entry":[${records.map((record) => `{"resource":${record}}`).join()}]}`,
  },
];

interface Figure extends Waits {
  readonly title: string;
  /** Processor time in milliseconds. */
  readonly processorMs: number;
}

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});

/** Imports records in a format into a separate store, while a process reads from it. */
async function measure(
  { title, type, body }: ImportFormat,
  records: readonly string[],
  cleanupSteps: CleanupSteps,
): Promise<Figure> {
  const folder = await getStoresFolder(undefined, cleanupSteps);
  const { dataDir, sample } = await fillStores(folder, readRecords, Number(values.seed), log);
  const server = await startOurs(dataDir);
  cleanupSteps.push(() => server.stop());
  await waitUntilIdle(server);
  const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [String(server.port), server.token, sample]);
  // If an import fails, its IPC channel would keep this process from ending.
  cleanupSteps.push(() => Promise.resolve(void reader.kill()));
  await once(reader, 'message');
  const processorMsBefore = readProcessorMs(server.pid);
  const response = await requestChecked(server, 'POST', '/app/import?level=off', body(records), {
    'Content-Type': type,
  });
  const report = await response.text();
  const processorMs = readProcessorMs(server.pid) - processorMsBefore;
  if (!report.includes(`"stored":${records.length}`))
    throw new Error(`An import was not whole: ${report.slice(-200)}`);
  reader.send('end');
  const [waits] = (await once(reader, 'message')) as [Waits];
  log(`${title}: ${processorMs} ms of the processor; ${JSON.stringify(waits)}`);
  return { title, processorMs, ...waits };
}

function isReached({ processorMs, percentile99 }: Figure, [firstFigure]: readonly Figure[]): boolean {
  return processorMs <= maxFactor * (firstFigure?.processorMs ?? 0) && percentile99 <= maxWaitMs;
}

function formatTable(figures: readonly Figure[]): string {
  return formatMarkdownTable(
    ['', 'Processor', 'Times', 'Target', 'Reads', '99th percentile', 'Target', 'Longest', 'Reached'],
    figures.map((figure) => [
      figure.title,
      `${(figure.processorMs / 1000).toFixed(1)} s`,
      (figure.processorMs / (figures[0]?.processorMs ?? NaN)).toFixed(2),
      `≤ ${maxFactor}`,
      numberFormat.format(figure.reads),
      `${figure.percentile99.toFixed(1)} ms`,
      `≤ ${maxWaitMs} ms`,
      `${figure.longest.toFixed(0)} ms`,
      formatReached(isReached(figure, figures)),
    ]),
  );
}

function formatSection(table: string, records: number, command: string): string {
  return `What an import of ${numberFormat.format(records)} records over HTTP costs the server as NDJSON and as one Bundle, at level off, each
into a store of its own with ${numberFormat.format(readRecords)} records, of which another process reads one every few milliseconds. Made by
\`npm run bench:bundles\`.

${table}

${formatConditions()}
- Versions: ${formatVersions()}
- Seed: ${values.seed}
- Command: \`${command}\`
`;
}

async function run(cleanupSteps: CleanupSteps): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const count = Number(values.records);
  const records: string[] = [];
  for (const { text } of generateClinic({ seed: Number(values.seed) + 1, patients: count })) {
    records.push(text);
    if (records.length === count) break;
  }
  const figures: Figure[] = [];
  for (const importFormat of formats) figures.push(await measure(importFormat, records, cleanupSteps));
  const table = formatTable(figures);
  process.stdout.write(`${table}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/bundles.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(
      values.out,
      performancePage,
      'Imports of Bundles',
      formatSection(table, count, command),
    );
  }
  return figures.every((figure) => isReached(figure, figures));
}

await runBenchmark(run);
