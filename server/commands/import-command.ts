import { limits } from '../../core/api/contract.ts';
import { ownerName } from '../../core/app/tokens.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { openRecords } from '../start.ts';
import { candidatesOfAll, findFiles, type SourceFile } from '../import/files.ts';
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
  const onFileDone = ({ bytes }: SourceFile) => progress.update(kilobytes((doneBytes += bytes)));
  const tally = new ImportCounts();
  const options = { author: ownerName, keepIds, level, dryRun: false };
  try {
    // Batches include records of several files.
    const candidates = candidatesOfAll(files, limits.body, onFileDone);
    for await (const record of importRecords(service, candidates, options)) {
      tally.add(record);
      const place = record.place === undefined ? '' : `:${record.place}`;
      if (record.result !== 'refused') continue;
      progress.clear();
      process.stdout.write(`refused ${record.file ?? ''}${place}: ${record.reason ?? ''}\n`);
    }
  } finally {
    progress.clear();
    await store.close();
  }
  process.stdout.write([...sources.listSkipped(), tally.summary()].map((line) => `${line}\n`).join(''));
  return tally.counts.refused === 0;
}
