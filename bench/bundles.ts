/**
 * What an import of a Bundle costs: `node bench/bundles.ts [--records 100000] [--seed 1] [--out FILE]`. The processor time
 * of the server for the same records as NDJSON and as one Bundle, each into a store of its own, and what reads of another
 * process wait meanwhile. Exit code 1 where a target is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { conditions, performancePage, writeSection } from '../scripts/document.ts';
import { versions } from '../scripts/versions.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { ask } from './ask.ts';
import { startOurs } from './processes.ts';
import { settled, usedBy } from './processor-time.ts';
import type { Waits } from './reader.ts';
import { log, runBenchmark } from './run.ts';
import { filledStores, storesFolder, type Cleanup } from './stores.ts';
import { markdownTable, sayReached } from './table.ts';

/** How many times the processor time of NDJSON a Bundle takes, at most. */
const most = 1.3;

/** Milliseconds that 99 of 100 reads wait at most meanwhile. */
const longestWait = 100;

/** Records that are read meanwhile. */
const readRecords = 1000;

const grouped = new Intl.NumberFormat('en');

interface Form {
  readonly what: string;
  readonly type: string;
  readonly body: (records: readonly string[]) => string;
}

const forms: readonly Form[] = [
  { what: 'NDJSON', type: 'application/x-ndjson', body: (records) => records.join('\n') },
  {
    what: 'one Bundle',
    type: 'application/json',
    body: (records) =>
      `{"resourceType":"Bundle","type":"collection","entry":[${records.map((one) => `{"resource":${one}}`).join()}]}`,
  },
];

interface Figure extends Waits {
  readonly what: string;
  /** Milliseconds of the processor. */
  readonly used: number;
}

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});

/** Imports records in a form into a store of its own, which a reader reads meanwhile. */
async function measure(
  { what, type, body }: Form,
  records: readonly string[],
  cleanup: Cleanup,
): Promise<Figure> {
  const folder = await storesFolder(undefined, cleanup);
  const { dataDir, sample } = await filledStores(folder, readRecords, Number(values.seed), log);
  const server = await startOurs(dataDir);
  cleanup.push(() => server.stop());
  await settled(server);
  const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [String(server.port), server.token, sample]);
  // Where an import fails, it would keep this process from ending.
  cleanup.push(() => Promise.resolve(void reader.kill()));
  await once(reader, 'message');
  const before = usedBy(server.pid);
  const answer = await ask(server, 'POST', '/app/import?level=off', body(records), {
    'Content-Type': type,
  });
  const report = await answer.text();
  const used = usedBy(server.pid) - before;
  if (!report.includes(`"stored":${records.length}`))
    throw new Error(`An import was not whole: ${report.slice(-200)}`);
  reader.send('end');
  const [waits] = (await once(reader, 'message')) as [Waits];
  log(`${what}: ${used} ms of the processor; ${JSON.stringify(waits)}`);
  return { what, used, ...waits };
}

function isReached({ used, percentile99 }: Figure, [lines]: readonly Figure[]): boolean {
  return used <= most * (lines?.used ?? 0) && percentile99 <= longestWait;
}

function tableOf(figures: readonly Figure[]): string {
  return markdownTable(
    ['', 'Processor', 'Times', 'Target', 'Reads', '99th percentile', 'Target', 'Longest', 'Reached'],
    figures.map((figure) => [
      figure.what,
      `${(figure.used / 1000).toFixed(1)} s`,
      (figure.used / (figures[0]?.used ?? NaN)).toFixed(2),
      `≤ ${most}`,
      grouped.format(figure.reads),
      `${figure.percentile99.toFixed(1)} ms`,
      `≤ ${longestWait} ms`,
      `${figure.longest.toFixed(0)} ms`,
      sayReached(isReached(figure, figures)),
    ]),
  );
}

function sectionOf(table: string, records: number, command: string): string {
  return `What an import of ${grouped.format(records)} records over HTTP costs the server as NDJSON and as one Bundle, at level off, each
into a store of its own with ${grouped.format(readRecords)} records, of which another process reads one every few milliseconds. Made by
\`npm run bench:bundles\`.

${table}

${conditions()}
- Versions: ${versions()}
- Seed: ${values.seed}
- Command: \`${command}\`
`;
}

async function run(cleanup: Cleanup): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const count = Number(values.records);
  const records: string[] = [];
  for (const { text } of generateClinic({ seed: Number(values.seed) + 1, patients: count })) {
    records.push(text);
    if (records.length === count) break;
  }
  const figures: Figure[] = [];
  for (const form of forms) figures.push(await measure(form, records, cleanup));
  const table = tableOf(figures);
  process.stdout.write(`${table}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/bundles.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(values.out, performancePage, 'Imports of Bundles', sectionOf(table, count, command));
  }
  return figures.every((figure) => isReached(figure, figures));
}

await runBenchmark(run);
