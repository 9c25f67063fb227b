import { piecesOf, type Piece, type PieceSource } from '../../../core/app/import-pieces.ts';
import { noneImported, type ImportLine, type ImportSettings } from '../../../core/app/transfer.ts';
import { sendPiece } from '../../platform/transfer.ts';
import { toFailure } from '../../ui/failure.ts';
import { createStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { chosenFiles, type ChosenFile, type NamedFile } from './chosen-files.ts';
import { ImportLog, type FilePlaces } from './import-log.ts';
import {
  bytesOf,
  importReducer,
  initialImport,
  isBusy,
  type ImportAction,
  type ImportProgress,
  type Pass,
} from './import-state.ts';

/** Pieces begin small, so that progress is seen at once, and grow until one takes about so many milliseconds. */
const pieceTime = 400;
const pieceSizes = { first: 64 * 1024, most: 2 * 1024 * 1024 };
/** Most bytes of one line or entry that the page holds; the server's own limit lies below. */
const recordLimit = 64 * 1024 * 1024;
interface Named extends PieceSource {
  readonly name: string;
}

/** Milliseconds between two drawings of the progress. */
const drawTime = 100;

/** It goes on, and its outcome stays, while the Data tab is closed. */
function createImport() {
  let log = new ImportLog();
  let abort = new AbortController();
  const { get, set, subscribe } = createStore(initialImport);
  const dispatch = (action: ImportAction) => set(importReducer(get(), action));

  async function start({ dryRun, only }: Pass): Promise<void> {
    const { files, options } = get();
    if (isBusy(get()) || files.length === 0) return;
    const wanted = only && log.placesOf(only);
    log = new ImportLog();
    abort = new AbortController();
    dispatch({ type: 'started', dryRun, ...(only && { only }) });
    const settings = { ...options, ...(only && { level: 'off' as const }), dryRun };
    const run = new Run({
      ...{ settings, log, signal: abort.signal },
      stopped: () => get().phase.name === 'stopping',
      progressed: (progress) => dispatch({ type: 'progressed', progress }),
    });
    try {
      await run.files(files, wanted);
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
    /** Imports what was refused at the level that flags. */
    startAnyway: () => void start({ dryRun: false, only: 'refused' }),
    /** Ends behind the piece under way, whose outcome is then known; asked again, at once. */
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
  readonly stopped: () => boolean;
  readonly progressed: (progress: ImportProgress) => void;
}

/** One pass over the files. */
class Run {
  /** At most so many records of the piece under way have no outcome yet. */
  unconfirmed = 0;
  private readonly job: Job;
  private readonly counts = noneImported();
  private readonly begun = performance.now();
  private drawn = 0;
  private size = pieceSizes.first;
  private bytes = 0;

  constructor(job: Job) {
    this.job = job;
  }

  progress(): ImportProgress {
    return { bytes: this.bytes, counts: { ...this.counts }, milliseconds: performance.now() - this.begun };
  }

  /** The records of the files; only those that stand at these places, where some are named. */
  async files(files: readonly ChosenFile[], wanted: FilePlaces | undefined): Promise<void> {
    const sources = files
      .filter(({ name }) => wanted?.has(name) ?? true)
      .map(({ name, file, kind }) => ({ name, kind, bytes: file.size, chunks: () => file.stream() }));
    const pieces = piecesOf(sources, {
      ...{ size: () => this.size, limit: recordLimit, isJson },
      wanted: wanted && (({ source, place = 0 }) => wanted.get(source.name)?.has(place) ?? false),
    });
    for await (const piece of pieces) {
      if (this.job.stopped()) return;
      if ('fault' in piece) {
        const { fault: reason, place, source } = piece;
        this.add(source.name, { ...(place !== undefined && { place }), result: 'refused', reason });
        continue;
      }
      const sent = performance.now();
      await this.send(piece);
      this.bytes = piece.read;
      this.draw(0);
      const fit = (this.size * pieceTime) / Math.max(1, performance.now() - sent);
      this.size = Math.min(pieceSizes.most, Math.max(pieceSizes.first, Math.min(fit, this.size * 2)));
    }
    this.bytes = bytesOf(files);
  }

  private async send(piece: Piece<Named>): Promise<void> {
    const { origins } = piece;
    this.unconfirmed = origins.length;
    const report = sendPiece(piece, this.job.settings, this.job.signal);
    let told = await report.next();
    for (; !told.done; told = await report.next()) {
      this.unconfirmed -= 1;
      const { place: at = 1, ...line } = told.value;
      const { source: { name } = { name: '' }, place } = origins[at - 1] ?? {};
      this.add(name, { ...line, ...(place !== undefined && { place }) });
    }
    this.job.log.extend(told.value);
    this.unconfirmed = 0;
  }

  private add(file: string, line: ImportLine): void {
    this.counts[line.result] += 1;
    this.job.log.add(file, line);
    this.draw(drawTime);
  }

  private draw(after: number): void {
    const now = performance.now();
    if (now - this.drawn < after) return;
    this.drawn = now;
    this.job.progressed(this.progress());
  }
}

/** Whether bytes are JSON in UTF-8; a byte order mark is none. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** The import of this window, which can be followed. */
export const imports = createImport();

/** Lists files for an import; what came of it, in words, or undefined where an import runs and nothing was listed. */
export function offerFiles(files: readonly NamedFile[]): string | undefined {
  if (isBusy(imports.get())) return undefined;
  const chosen = chosenFiles(files);
  imports.dispatch({ type: 'chosen', chosen });
  const { length } = chosen.files;
  return length > 0 ? text.data.import.added(length) : text.data.import.noneAdded;
}
