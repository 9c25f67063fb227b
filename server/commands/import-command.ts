import { limits } from '../../core/api/contract.ts';
import { ownerName } from '../../core/app/tokens.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { openRecords } from '../start.ts';
import { entriesOf, findFiles } from '../import/files.ts';
import { importRecords, ImportCounts } from '../import/import-records.ts';
import { startProgress } from './progress-line.ts';

export interface RunImportOptions {
  readonly paths: readonly string[];
  readonly dataDir: string;
  readonly keepIds: boolean;
  readonly level: ValidationLevel;
  readonly auditKey?: SealKey | undefined;
}

/**
 * Runs `chartkeeper import`. Shows progress on a terminal and prints a line per rejected record, the skipped files and a
 * summary. Returns true if no record was rejected.
 */
export async function runImport({
  paths,
  dataDir,
  keepIds,
  level,
  auditKey,
}: RunImportOptions): Promise<boolean> {
  const sources = await findFiles(paths);
  const { files } = sources;
  const { store, service } = await openRecords(dataDir, { auditKey });
  const kilobytes = (bytes: number) => Math.round(bytes / 1000);
  const progress = startProgress(kilobytes(files.reduce((sum, { bytes }) => sum + bytes, 0)), 'kB');
  let doneBytes = 0;
  const onFile = (index: number) => progress.update(kilobytes((doneBytes += files[index - 1]?.bytes ?? 0)));
  const tally = new ImportCounts();
  const options = { author: ownerName, keepIds, level, dryRun: false };
  try {
    // Batches include records of several files.
    const paths = files.map(({ path }) => path);
    for await (const record of importRecords(service, entriesOf(paths, limits.body, onFile), options)) {
      tally.add(record);
      const place = record.path ?? record.place ?? '';
      if (record.result !== 'refused') continue;
      progress.clear();
      process.stdout.write(
        `refused ${record.file ?? ''}${place === '' ? '' : `:${place}`}: ${record.reason ?? ''}\n`,
      );
    }
  } finally {
    progress.clear();
    await store.close();
  }
  process.stdout.write(
    [...sources.listSkipped(), ...tally.listSkippedFiles(), tally.summary()]
      .map((line) => `${line}\n`)
      .join(''),
  );
  return tally.counts.refused === 0;
}
