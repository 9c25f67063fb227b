import { openAsBlob } from 'node:fs';
import { maxListedProblems } from '../../core/app/server-exports.ts';
import type { ImportEnd, ImportLine } from '../../core/app/transfer.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { isFhirId } from '../../core/fhir/resource.ts';
import type { FileImportEntry } from '../../core/import/entry.ts';
import { importLimits, readEntries, type InputFile } from '../../core/import/read-files.ts';
import type { RecordService } from '../fhir/service.ts';
import { ImportCounts } from '../import/import-counts.ts';
import { importRecords, type Candidate } from '../import/import-records.ts';
import type { SharedStore } from '../store/store.ts';
import type { ExportFolders, ExportJob } from './export-job.ts';

export interface ExportImportParts {
  readonly service: RecordService;
  readonly store: Pick<SharedStore, 'startBulk'>;
  /** Largest record in bytes. */
  readonly maxBody: number;
  readonly folders: Pick<ExportFolders, 'pathOf'>;
  readonly dataDir: string;
}

/** Results of an import so far. */
export interface ExportResults {
  readonly result: ImportEnd;
  readonly problems: readonly ImportLine[];
}

/**
 * Imports the files of an export as one batch, which has the id of the export. A repeated import finds what it stored.
 * Yields after each record, and at the end, a function that returns the results so far.
 */
export async function* importExport(
  { service, store, maxBody, folders, dataDir }: ExportImportParts,
  job: ExportJob,
): AsyncGenerator<() => ExportResults, undefined> {
  const { id, request, author, person } = job;
  const counts = new ImportCounts();
  const problems: ImportLine[] = [];
  const results = (): ExportResults => ({ result: counts.toEnd(), problems });
  const endBulk = store.startBulk();
  try {
    const options = {
      author,
      ...(person !== undefined && { person }),
      keepIds: request.keepIds === true,
      dryRun: false,
      dataDir,
      batch: id,
      name: new URL(job.baseUrl).host,
      ...(request.level !== undefined && { level: request.level }),
    };
    for await (const record of importRecords(service, readExport(job, folders, maxBody), options)) {
      const { lastUpdated, ...line } = record;
      counts.add(line, lastUpdated);
      if (line.result === 'refused' && problems.length < maxListedProblems) problems.push(line);
      yield results;
    }
  } finally {
    endBulk();
  }
  yield results;
}

/** Yields the entries of a manifest and its files, then a problem for each file that could not be read. */
async function* readExport(
  job: ExportJob,
  folders: Pick<ExportFolders, 'pathOf'>,
  maxBody: number,
): AsyncGenerator<Candidate> {
  const outputNames = new Set(job.files.flatMap(({ list, name }) => (list === 'output' ? name : [])));
  for await (const entry of readEntries(listFiles(job, folders), importLimits(maxBody))) {
    // The manifest came with no file. It only tells the reader what to compare.
    if (entry.manifest) continue;
    yield outputNames.has(entry.file) ? addAddress(entry, job.baseUrl) : entry;
  }
  for (const { name, fault } of job.files) if (fault) yield { file: name, path: '', problem: fault };
}

/** Yields a manifest with the names that the files have here, then the files. */
async function* listFiles(
  { id, started, files }: ExportJob,
  folders: Pick<ExportFolders, 'pathOf'>,
): AsyncGenerator<InputFile> {
  const readFiles = files.filter(({ state }) => state === 'read');
  const entriesOf = (list: string) =>
    readFiles.filter((file) => file.list === list).map(({ name: url, count }) => ({ url, count }));
  const manifest = {
    transactionTime: started,
    output: entriesOf('output'),
    error: entriesOf('error'),
    deleted: entriesOf('deleted'),
  };
  yield { path: 'manifest.json', blob: new Blob([JSON.stringify(manifest)]) };
  for (const { name } of readFiles) yield { path: name, blob: await openAsBlob(folders.pathOf(id, name)) };
}

/** Adds the address that a resource has at the server of the export, so that its identity is that of its source. */
function addAddress(entry: FileImportEntry, baseUrl: string): FileImportEntry {
  const { text, fullUrl } = entry;
  if (text === undefined || fullUrl !== undefined) return entry;
  try {
    const { resourceType, id } = JSON.parse(text) as { resourceType?: unknown; id?: unknown };
    if (typeof resourceType !== 'string' || typeof id !== 'string') return entry;
    if (!isR4Type(resourceType) || !isFhirId(id)) return entry;
    return { ...entry, fullUrl: `${baseUrl}/${resourceType}/${id}` };
  } catch {
    return entry;
  }
}
