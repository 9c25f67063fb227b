import { SingleBar } from 'cli-progress';
import { limits } from '../core/api/contract.ts';
import { ownerName } from '../core/app/tokens.ts';
import type { ValidationLevel } from '../core/fhir/validation/levels.ts';
import type { SealKey } from './store/audit-chain.ts';
import { openRecords } from './start.ts';
import { candidatesOfAll, findFiles, type SourceFile } from './import/files.ts';
import { importRecords, Tally } from './import/import-records.ts';

export interface RunImportOptions {
  readonly paths: readonly string[];
  readonly dataDir: string;
  readonly keepIds: boolean;
  readonly level: ValidationLevel;
  readonly auditKey?: SealKey | undefined;
}

/**
 * The `import` command: a progress bar on a terminal, a line for each refused record, a summary. Answers whether
 * nothing was refused.
 */
export async function runImport({
  paths,
  dataDir,
  keepIds,
  level,
  auditKey,
}: RunImportOptions): Promise<boolean> {
  const files = await findFiles(paths);
  const { store, service } = await openRecords(dataDir, { auditKey });
  const bar = startBar(files);
  const tally = new Tally();
  const options = { author: ownerName, keepIds, level, dryRun: false };
  try {
    // Files of one record each are stored together too.
    const candidates = candidatesOfAll(files, limits.body, bar.finished);
    for await (const record of importRecords(service, candidates, options)) {
      tally.add(record);
      const place = record.place === undefined ? '' : `:${record.place}`;
      if (record.result === 'refused')
        bar.say(`refused ${record.file ?? ''}${place}: ${record.reason ?? ''}`);
    }
  } finally {
    bar.stop();
    await store.close();
  }
  process.stdout.write(`${tally.summary()}\n`);
  return tally.counts.refused === 0;
}

/** A bar over the files' bytes on a terminal; elsewhere only the lines. */
function startBar(files: readonly SourceFile[]) {
  const bar = new SingleBar({
    format: '{bar} {percentage} %  {value} of {total} kB',
    noTTYOutput: false,
    clearOnComplete: true,
    hideCursor: true,
  });
  const shown = process.stderr.isTTY;
  const kilobytes = (bytes: number) => Math.round(bytes / 1000);
  if (shown) bar.start(kilobytes(files.reduce((sum, { bytes }) => sum + bytes, 0)), 0);
  return {
    finished: ({ bytes }: SourceFile) => {
      if (shown) bar.increment(kilobytes(bytes));
    },
    say: (line: string) => void process.stdout.write(`${shown ? '\r\u001b[K' : ''}${line}\n`),
    stop: () => {
      if (shown) bar.stop();
    },
  };
}
