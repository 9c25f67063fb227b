import { piecesOf } from '../../../core/app/import-pieces.ts';
import type { ImportLine, ImportResult, ImportSettings } from '../../../core/app/transfer.ts';
import { sendPiece } from '../../platform/transfer.ts';
import { toFailure } from '../../ui/failure.ts';
import { createStore, useStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import type { ChosenFile } from './chosen-files.ts';
import { ImportLog } from './import-log.ts';
import {
  importReducer,
  initialImport,
  isBusy,
  type ImportAction,
  type ImportProgress,
  type ImportState,
} from './import-state.ts';

/** Pieces begin small, so that progress is seen at once, and grow until one takes about so many milliseconds. */
const pieceTime = 400;
const pieceSizes = { first: 64 * 1024, most: 2 * 1024 * 1024 };
/** Most bytes of one line or entry that the page holds; the server's own limit lies below. */
const recordLimit = 64 * 1024 * 1024;
/** Milliseconds between two drawings of the progress. */
const drawTime = 100;

/** The import of this window: it goes on, and its outcome stays, while the Data tab is closed. */
function createImport() {
  let log = new ImportLog();
  let abort = new AbortController();
  const { get, set, subscribe } = createStore(initialImport);
  const dispatch = (action: ImportAction) => set(importReducer(get(), action));

  async function start(dryRun: boolean): Promise<void> {
    const { files, options } = get();
    if (isBusy(get()) || files.length === 0) return;
    log = new ImportLog();
    abort = new AbortController();
    dispatch({ type: 'started', dryRun });
    const run = new Run({ ...options, dryRun }, log, abort.signal, {
      stopped: () => get().phase.name === 'stopping',
      progressed: (progress) => dispatch({ type: 'progressed', progress }),
    });
    try {
      for (const file of files) await run.file(file);
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
    start: (dryRun: boolean) => void start(dryRun),
    /** Ends behind the piece under way, whose outcome is then known; asked again, at once. */
    stop: (): void => {
      if (get().phase.name === 'stopping') abort.abort();
      else dispatch({ type: 'stopping' });
    },
    log: () => log,
  };
}

interface RunHooks {
  readonly stopped: () => boolean;
  readonly progressed: (progress: ImportProgress) => void;
}

/** One pass over the files. */
class Run {
  /** At most so many records of the piece under way have no outcome yet. */
  unconfirmed = 0;
  private readonly settings: ImportSettings;
  private readonly log: ImportLog;
  private readonly signal: AbortSignal;
  private readonly hooks: RunHooks;
  private readonly counts: Record<ImportResult, number> = { stored: 0, unchanged: 0, refused: 0, skipped: 0 };
  private readonly begun = performance.now();
  private drawn = 0;
  private size = pieceSizes.first;
  private bytesBefore = 0;
  private bytes = 0;

  constructor(settings: ImportSettings, log: ImportLog, signal: AbortSignal, hooks: RunHooks) {
    this.settings = settings;
    this.log = log;
    this.signal = signal;
    this.hooks = hooks;
  }

  progress(): ImportProgress {
    return { bytes: this.bytes, counts: { ...this.counts }, milliseconds: performance.now() - this.begun };
  }

  async file({ name, file, kind }: ChosenFile): Promise<void> {
    const options = { size: () => this.size, limit: recordLimit };
    for await (const piece of piecesOf(file.stream(), kind, options)) {
      if (this.hooks.stopped()) return;
      if ('fault' in piece) {
        const { fault: reason, place } = piece;
        this.add(name, { ...(place !== undefined && { place }), result: 'refused', reason });
        continue;
      }
      const sent = performance.now();
      this.unconfirmed = piece.records;
      for await (const line of sendPiece(piece, this.settings, this.signal)) {
        this.unconfirmed -= 1;
        this.add(name, line);
      }
      this.unconfirmed = 0;
      this.bytes = this.bytesBefore + piece.read;
      this.draw(0);
      const fit = (this.size * pieceTime) / Math.max(1, performance.now() - sent);
      this.size = Math.min(pieceSizes.most, Math.max(pieceSizes.first, Math.min(fit, this.size * 2)));
    }
    if (this.hooks.stopped()) return;
    this.bytesBefore += file.size;
    this.bytes = this.bytesBefore;
  }

  private add(file: string, line: ImportLine): void {
    this.counts[line.result] += 1;
    this.log.add(file, line);
    this.draw(drawTime);
  }

  private draw(after: number): void {
    const now = performance.now();
    if (now - this.drawn < after) return;
    this.drawn = now;
    this.hooks.progressed(this.progress());
  }
}

export const imports = createImport();

/** Follows the import of this window. */
export function useImport(): ImportState {
  return useStore(imports);
}
