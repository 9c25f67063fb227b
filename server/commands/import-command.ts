import { basename, resolve } from 'node:path';
import { limits } from '../../core/api/contract.ts';
import { ownerName } from '../../core/app/tokens.ts';
import { maxBatchNameLength } from '../../core/app/transfer.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { importLimits, readEntries } from '../../core/import/read-files.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { openRecords } from '../start.ts';
import { findFiles } from '../import/files.ts';
import { ImportCounts } from '../import/import-counts.ts';
import { importRecords } from '../import/import-records.ts';
import { clearSpool } from '../import/spool.ts';
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
  const { store, service } = await openRecords(dataDir, { auditKey });
  const kilobytes = (bytes: number) => Math.round(bytes / 1000);
  const totalBytes = sources.files.reduce((sum, { blob }) => sum + blob.size, 0);
  const progress = startProgress(kilobytes(totalBytes), 'kB');
  let readBytes = 0;
  const onRead = (bytes: number) => {
    // The directory of a zip file is read in addition.
    readBytes = Math.min(readBytes + bytes, totalBytes);
    progress.update(kilobytes(readBytes));
  };
  const files = sources.files.map((file) => ({ ...file, onRead }));
  const tally = new ImportCounts();
  const options = {
    author: ownerName,
    keepIds,
    level,
    dryRun: false,
    dataDir,
    form: 'command',
    name: nameOf(paths),
  } as const;
  clearSpool(dataDir);
  try {
    // Batches include records of several files.
    const entries = readEntries(files, importLimits(limits.body));
    for await (const record of importRecords(service, entries, options)) {
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

/** Returns the name of a batch: that of its first file or folder. */
function nameOf(paths: readonly string[]): string {
  const [path = ''] = paths;
  const name = basename(resolve(path)).slice(0, maxBatchNameLength - 20);
  return paths.length > 1 ? `${name} (+${paths.length - 1})` : name;
}
