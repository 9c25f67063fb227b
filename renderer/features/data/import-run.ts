import { splitIntoChunks, type Piece, type ChunkSource } from '../../../core/app/import-pieces.ts';
import { createImportCounts, type ImportLine, type ImportSettings } from '../../../core/app/transfer.ts';
import { sendChunk } from '../../platform/transfer.ts';
import { toFailure } from '../../ui/failure.ts';
import { createStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { listSelectedFiles, type SelectedFile, type NamedFile } from './chosen-files.ts';
import { ImportLog, type FilePlaces } from './import-log.ts';
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
/** Maximum bytes of one line or entry that the page reads. The server limit is lower. */
const maxRecordBytes = 64 * 1024 * 1024;
interface NamedSource extends ChunkSource {
  readonly name: string;
}

/** Interval between two updates of the progress, in milliseconds. */
const progressIntervalMs = 100;

/** Creates the import of this window. The import continues while the Data tab is closed. */
function createImport() {
  let log = new ImportLog();
  let abort = new AbortController();
  const { get, set, subscribe } = createStore(initialImport);
  const dispatch = (action: ImportAction) => set(importReducer(get(), action));

  async function start({ dryRun, flagging }: ImportPass): Promise<void> {
    const { files, options } = get();
    if (isBusy(get()) || files.length === 0) return;
    const requestedPlaces = flagging === 'refused' ? log.storablePlaces() : undefined;
    log = new ImportLog();
    abort = new AbortController();
    dispatch({ type: 'started', dryRun, ...(flagging && { flagging }) });
    const settings = { ...options, ...(flagging && { level: 'off' as const }), dryRun };
    const run = new Run({
      settings,
      log,
      signal: abort.signal,
      isStopped: () => get().phase.name === 'stopping',
      onProgress: (progress) => dispatch({ type: 'progressed', progress }),
    });
    try {
      await run.files(files, requestedPlaces);
      dispatch({ type: 'ended', progress: run.progress() });
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
    /**
     * Imports rejected records with their issues: after a dry run together with all records, after an import alone.
     */
    startFlagging: (): void => {
      const { phase } = get();
      const isDryRun = 'dryRun' in phase && phase.dryRun;
      void start({ dryRun: false, flagging: isDryRun ? 'all' : 'refused' });
    },
    /** Stops after the pending chunk, so that its result is known. A second call stops at once. */
    stop: (): void => {
      if (get().phase.name === 'stopping') abort.abort();
      else dispatch({ type: 'stopping' });
    },
    log: () => log,
  };
}

interface Job {
  readonly settings: ImportSettings;
  readonly log: ImportLog;
  readonly signal: AbortSignal;
  readonly isStopped: () => boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** One pass over the files. */
class Run {
  /** Maximum number of records of the pending chunk without a result. */
  unconfirmed = 0;
  private readonly job: Job;
  private readonly counts = createImportCounts();
  private readonly startedAt = performance.now();
  private lastUpdate = 0;
  private size = chunkSizes.first;
  private bytes = 0;

  constructor(job: Job) {
    this.job = job;
  }

  progress(): ImportProgress {
    return {
      bytes: this.bytes,
      counts: { ...this.counts },
      milliseconds: performance.now() - this.startedAt,
    };
  }

  /** Imports the records of the files, limited to the requested places if given. */
  async files(files: readonly SelectedFile[], requestedPlaces: FilePlaces | undefined): Promise<void> {
    const sources = files
      .filter(({ name }) => requestedPlaces?.has(name) ?? true)
      .map(({ name, file, kind }) => ({ name, kind, bytes: file.size, chunks: () => file.stream() }));
    const pieces = splitIntoChunks(sources, {
      size: () => this.size,
      limit: maxRecordBytes,
      isJson,
      isRequested:
        requestedPlaces && (({ source, place = 0 }) => requestedPlaces.get(source.name)?.has(place) ?? false),
    });
    for await (const piece of pieces) {
      if (this.job.isStopped()) return;
      if ('fault' in piece) {
        const { fault, place, source } = piece;
        const { text: reason, ...code } = fault;
        this.add(source.name, { ...(place !== undefined && { place }), result: 'refused', reason, ...code });
        continue;
      }
      const chunkStart = performance.now();
      await this.send(piece);
      this.bytes = piece.bytesRead;
      this.draw(0);
      const fit = (this.size * targetChunkMs) / Math.max(1, performance.now() - chunkStart);
      this.size = Math.min(chunkSizes.max, Math.max(chunkSizes.first, Math.min(fit, this.size * 2)));
    }
    this.bytes = bytesOf(files);
  }

  private async send(piece: Piece<NamedSource>): Promise<void> {
    const { origins } = piece;
    this.unconfirmed = origins.length;
    const report = sendChunk(piece, this.job.settings, this.job.signal);
    let reportItem = await report.next();
    for (; !reportItem.done; reportItem = await report.next()) {
      this.unconfirmed -= 1;
      const { place: originPosition = 1, ...line } = reportItem.value;
      const { source: { name } = { name: '' }, place } = origins[originPosition - 1] ?? {};
      this.add(name, { ...line, ...(place !== undefined && { place }) });
    }
    this.job.log.extend(reportItem.value);
    this.unconfirmed = 0;
  }

  private add(file: string, line: ImportLine): void {
    this.counts[line.result] += 1;
    this.job.log.add(file, line);
    this.draw(progressIntervalMs);
  }

  private draw(after: number): void {
    const now = performance.now();
    if (now - this.lastUpdate < after) return;
    this.lastUpdate = now;
    this.job.onProgress(this.progress());
  }
}

/** Returns true if bytes are JSON in UTF-8 without a byte order mark. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** The import of this window, with subscriptions. */
export const imports = createImport();

/** Lists files for an import. Returns a message, or undefined while an import runs. */
export function offerFiles(files: readonly NamedFile[]): string | undefined {
  if (isBusy(imports.get())) return undefined;
  const selection = listSelectedFiles(files);
  imports.dispatch({ type: 'chosen', selection });
  const { length } = selection.files;
  return length > 0 ? text.data.import.added(length) : text.data.import.noneAdded;
}
