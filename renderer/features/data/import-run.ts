import {
  createImportCounts,
  maxBatchNameLength,
  type ImportLine,
  type ImportSettings,
} from '../../../core/app/transfer.ts';
import { describeUnread, relocateLine } from '../../../core/import/entry.ts';
import { batchSource } from '../../../core/fhir/origin.ts';
import { DryRunMemory } from '../../../core/import/dry-run-memory.ts';
import { ImportContext } from '../../../core/import/import-context.ts';
import { splitIntoPieces, type ImportPiece } from '../../../core/import/import-pieces.ts';
import type { FileImportEntry } from '../../../core/import/entry.ts';
import { ImportInterruptedError, sendChunk } from '../../platform/transfer.ts';
import { toFailure } from '../../ui/failure.ts';
import { createStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { BatchReport, batchNameOf } from './batch-report.ts';
import { listSelectedFiles, type SelectedFile, type NamedFile } from './chosen-files.ts';
import { ImportLog, type FileEntries } from './import-log.ts';
import {
  bytesOf,
  importReducer,
  initialImport,
  isBusy,
  type ImportAction,
  type ImportProgress,
  type ImportPass,
} from './import-state.ts';

/** Target duration of a chunk in milliseconds. Chunks start small for early progress and grow to this duration. */
const targetChunkMs = 400;
const chunkSizes = { first: 64 * 1024, max: 2 * 1024 * 1024 };
/** Maximum bytes of a resource that the page reads. The server limit is lower. */
const maxRecordBytes = 16 * 1024 * 1024;
/** Milliseconds of reading after which the page can draw. */
const turnMs = 12;
/** Interval between two updates of the progress, in milliseconds. */
const progressIntervalMs = 100;

/** Creates the import of this window. The import continues while the Data tab is closed. */
function createImport() {
  let log = new ImportLog();
  let abort = new AbortController();
  let batch = crypto.randomUUID();
  const { get, set, subscribe } = createStore(initialImport);
  const dispatch = (action: ImportAction) => set(importReducer(get(), action));

  async function start({ dryRun, flagging, onlyNew }: ImportPass): Promise<void> {
    const { files, options } = get();
    if (isBusy(get()) || files.length === 0) return;
    const requestedEntries = flagging === 'refused' ? log.storableEntries() : undefined;
    const excludedEntries = onlyNew ? log.replacingEntries() : undefined;
    // Rejected records belong to the import that they came with.
    if (flagging !== 'refused') batch = crypto.randomUUID();
    log = new ImportLog();
    abort = new AbortController();
    dispatch({ type: 'started', dryRun, ...(flagging && { flagging }) });
    const settings = {
      ...options,
      ...(flagging && { level: 'off' as const }),
      dryRun,
      batch,
      name: batchNameOf(files).slice(0, maxBatchNameLength),
      form: 'page' as const,
      // The report ends the batch.
      more: true,
    };
    const report = dryRun ? undefined : new BatchReport(batch, abort.signal);
    const run = new Run({
      settings,
      log,
      report,
      signal: abort.signal,
      isStopped: () => get().phase.name === 'stopping',
      onProgress: (progress) => dispatch({ type: 'progressed', progress }),
    });
    try {
      const isComplete = await run.files(files, requestedEntries, excludedEntries);
      if (isComplete) await report?.end();
      dispatch({ type: 'ended', progress: run.progress(), isComplete });
    } catch (error) {
      const { unconfirmed } = run;
      const failure = abort.signal.aborted ? { sentences: [text.data.import.abandoned] } : toFailure(error);
      dispatch({ type: 'failed', progress: run.progress(), failure, unconfirmed });
    }
  }

  return {
    get,
    subscribe,
    dispatch,
    start: (dryRun: boolean) => void start({ dryRun }),
    /** Imports what a choice after a dry run names. */
    startChoice: (choice: StoreChoice): void => {
      void start({
        dryRun: false,
        ...(choice === 'flagged' && { flagging: 'all' }),
        ...(choice === 'new' && { onlyNew: true }),
      });
    },
    /** Imports the records that the last import rejected, with their issues. */
    startFlagging: (): void => void start({ dryRun: false, flagging: 'refused' }),
    /** Stops after the pending chunk, so that its result is known. A second call stops at once. */
    stop: (): void => {
      if (get().phase.name === 'stopping') abort.abort();
      else dispatch({ type: 'stopping' });
    },
    log: () => log,
  };
}

/** What an import after a dry run stores. */
export type StoreChoice = 'good' | 'flagged' | 'new';

interface Job {
  readonly settings: ImportSettings;
  readonly log: ImportLog;
  /** Absent in a dry run. */
  readonly report: BatchReport | undefined;
  readonly signal: AbortSignal;
  readonly isStopped: () => boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** One pass over the files. */
class Run {
  /** Maximum number of records of the pending chunk without a result. */
  unconfirmed = 0;
  private readonly job: Job;
  /** What the earlier requests of a dry run would have stored. */
  private readonly memory: DryRunMemory;
  private readonly counts = createImportCounts();
  private readonly startedAt = performance.now();
  private lastUpdate = 0;
  private size = chunkSizes.first;
  private bytes = 0;

  constructor(job: Job) {
    this.job = job;
    const { batch = '', keepIds } = job.settings;
    this.memory = new DryRunMemory(batchSource(batch), keepIds);
  }

  progress(): ImportProgress {
    return {
      bytes: this.bytes,
      counts: { ...this.counts },
      skippedFiles: this.job.log.skippedFiles.count,
      milliseconds: performance.now() - this.startedAt,
    };
  }

  /**
   * Imports the records of the files, limited to the requested entries if given, and without the excluded ones. Returns false
   * if it was stopped before the last of them.
   */
  async files(
    files: readonly SelectedFile[],
    requestedEntries: FileEntries | undefined,
    excludedEntries?: FileEntries,
  ): Promise<boolean> {
    const totalBytes = bytesOf(files);
    let readBytes = 0;
    const inputs = files
      .filter(({ name }) => requestedEntries?.has(name) ?? true)
      .map(({ name: path, file: blob }) => ({
        path,
        blob,
        // Every file is read twice.
        onRead: (bytes: number) => (readBytes = Math.min(readBytes + bytes / 2, totalBytes)),
      }));
    // The readers of all formats are loaded with the first import.
    const { importLimits, readEntries } = await import('../../../core/import/read-files.ts');
    const limits = importLimits(maxRecordBytes);
    // Links lead to records of any file, so that the addresses of all are read first.
    const context = new ImportContext(batchSource(this.job.settings.batch ?? ''));
    for await (const entry of selectEntries(readEntries(inputs, limits), undefined)) {
      if (this.job.isStopped()) return false;
      context.register(entry);
      this.bytes = readBytes;
      this.draw(progressIntervalMs);
    }
    const entries = selectEntries(readEntries(inputs, limits), requestedEntries, excludedEntries);
    for await (const piece of splitIntoPieces(entries, () => this.size, context)) {
      if (this.job.isStopped()) return false;
      const chunkStart = performance.now();
      await this.addPiece(piece);
      this.bytes = readBytes;
      this.draw(0);
      const fit = (this.size * targetChunkMs) / Math.max(1, performance.now() - chunkStart);
      if (piece.body !== undefined)
        this.size = Math.min(chunkSizes.max, Math.max(chunkSizes.first, Math.min(fit, this.size * 2)));
    }
    this.bytes = totalBytes;
    return true;
  }

  /** Sends the resources of a piece, and logs a result for each of its entries in their order. */
  private async addPiece({ body, entries, contextCount }: ImportPiece): Promise<void> {
    this.unconfirmed = entries.filter(({ entry }) => entry.text !== undefined).length;
    const report = body === undefined ? undefined : sendChunk(body, this.job.settings, this.job.signal);
    for (let index = 0; report && index < contextCount; index += 1) await report.next();
    for (const { entry, isSent } of entries) {
      const reportItem = isSent ? await report?.next() : undefined;
      // A resource without a result is not known to be stored.
      if (isSent && (!reportItem || reportItem.done === true)) throw new ImportInterruptedError();
      if (entry.text === undefined || !reportItem || reportItem.done === true) {
        const line = relocateLine(describeUnread(entry), entry.path);
        this.add(entry, line);
        if (!isSent) await this.job.report?.add(entry.file, line);
      } else {
        this.unconfirmed -= 1;
        this.add(entry, reportItem.value);
      }
    }
    if (!report) return;
    const end = await report.next();
    if (!end.done) throw new ImportInterruptedError();
    this.job.report?.onSent();
    this.job.log.extend(end.value);
  }

  private add(entry: FileImportEntry, sentLine: ImportLine): void {
    const line = this.job.settings.dryRun ? this.memory.adjust(entry, sentLine) : sentLine;
    this.counts[line.result] += 1;
    this.job.log.add(entry, relocateLine(line, entry.path));
    this.draw(progressIntervalMs);
  }

  private draw(after: number): void {
    const now = performance.now();
    if (now - this.lastUpdate < after) return;
    this.lastUpdate = now;
    this.job.onProgress(this.progress());
  }
}

/** Yields the requested entries, or all, and lets the page draw in between. */
async function* selectEntries(
  entries: AsyncIterable<FileImportEntry>,
  requestedEntries: FileEntries | undefined,
  excludedEntries?: FileEntries,
): AsyncGenerator<FileImportEntry> {
  let current = { source: '', index: -1 };
  let startedAt = performance.now();
  for await (const entry of entries) {
    const { source } = entry;
    current = { source, index: current.source === source ? current.index + 1 : 0 };
    const isRequested = requestedEntries?.get(source)?.has(current.index) ?? !requestedEntries;
    if (isRequested && !excludedEntries?.get(source)?.has(current.index)) yield entry;
    if (performance.now() < startedAt + turnMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    startedAt = performance.now();
  }
}

/** The import of this window, with subscriptions. */
export const imports = createImport();

/** Lists files for an import. Returns a message, or undefined while an import runs. */
export function offerFiles(files: readonly NamedFile[]): string | undefined {
  if (isBusy(imports.get())) return undefined;
  const selectedFiles = listSelectedFiles(files);
  imports.dispatch({ type: 'chosen', files: selectedFiles });
  const { length } = selectedFiles;
  return length > 0 ? text.data.import.added(length) : text.data.import.noneAdded;
}
