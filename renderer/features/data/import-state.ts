import { noneImported, type ImportResult } from '../../../core/app/transfer.ts';
import type { Failure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import type { Chosen, ChosenFile } from './chosen-files.ts';
import type { OutcomeFilter } from './import-log.ts';

interface ImportOptions {
  readonly keepIds: boolean;
  /** `off` brings records in that break rules; they are flagged. */
  readonly level: 'standard' | 'off';
}

export interface ImportProgress {
  /** Bytes of the files that are dealt with. */
  readonly bytes: number;
  readonly counts: Readonly<Record<ImportResult, number>>;
  /** Since the start. */
  readonly milliseconds: number;
}

/** One run over the files. */
export interface Pass {
  readonly dryRun: boolean;
  /** Those alone that the run before ended so. */
  readonly only?: ImportResult;
}

type ImportPhase =
  | { readonly name: 'idle' }
  | ({ readonly name: 'running' | 'stopping' | 'done' | 'stopped' } & Pass)
  | (Pass & {
      readonly name: 'failed';
      readonly failure: Failure;
      /** At most so many records were sent of which nothing is known. */
      readonly unconfirmed: number;
    });

export interface ImportState extends Chosen {
  readonly options: ImportOptions;
  readonly phase: ImportPhase;
  readonly progress: ImportProgress;
  readonly filter: OutcomeFilter;
  /** Whether the files are imported: once more, each record without an id would be stored as a new one. */
  readonly imported: boolean;
}

export type ImportAction =
  | { readonly type: 'chosen'; readonly chosen: Chosen }
  | { readonly type: 'cleared' }
  | { readonly type: 'options'; readonly options: Partial<ImportOptions> }
  | ({ readonly type: 'started' } & Pass)
  | { readonly type: 'progressed'; readonly progress: ImportProgress }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly progress: ImportProgress }
  | {
      readonly type: 'failed';
      readonly progress: ImportProgress;
      readonly failure: Failure;
      readonly unconfirmed: number;
    }
  | { readonly type: 'filtered'; readonly filter: OutcomeFilter };

export const noProgress: ImportProgress = {
  bytes: 0,
  counts: noneImported(),
  milliseconds: 0,
};

export const initialImport: ImportState = {
  files: [],
  leftOut: [],
  options: { keepIds: true, level: 'standard' },
  phase: { name: 'idle' },
  progress: noProgress,
  filter: 'all',
  imported: false,
};

/** The next state of the import; pure. While it runs, neither files nor options change. */
export function importReducer(state: ImportState, action: ImportAction): ImportState {
  const busy = isBusy(state);
  switch (action.type) {
    case 'chosen': {
      if (busy) return state;
      const names = new Set(action.chosen.files.map(({ name }) => name));
      const kept = state.imported ? [] : state.files.filter(({ name }) => !names.has(name));
      return fresh({
        ...state,
        files: [...kept, ...action.chosen.files],
        leftOut: action.chosen.leftOut,
      });
    }
    case 'cleared':
      return busy ? state : fresh({ ...state, files: [], leftOut: [] });
    case 'options':
      // A dry run holds for the options that it was run with.
      return busy ? state : fresh({ ...state, options: { ...state.options, ...action.options } });
    case 'started': {
      const { dryRun, only } = action;
      const phase = { name: 'running', dryRun, ...(only && { only }) } as const;
      return { ...fresh(state), imported: only !== undefined && state.imported, phase };
    }
    case 'progressed':
      return { ...state, progress: action.progress };
    case 'stopping':
      return state.phase.name === 'running'
        ? { ...state, phase: { ...state.phase, name: 'stopping' } }
        : state;
    case 'ended': {
      if (!('dryRun' in state.phase)) return state;
      const { name, dryRun, only } = state.phase;
      const all = action.progress.bytes >= bytesOf(state.files);
      const ended = name === 'stopping' && !all ? 'stopped' : 'done';
      const imported = state.imported || (ended === 'done' && !dryRun && !only);
      return {
        ...state,
        imported,
        progress: action.progress,
        phase: { name: ended, dryRun, ...(only && { only }) },
      };
    }
    case 'failed': {
      if (!('dryRun' in state.phase)) return state;
      const { dryRun } = state.phase;
      const { failure, unconfirmed, progress } = action;
      return { ...state, progress, phase: { name: 'failed', dryRun, failure, unconfirmed } };
    }
    case 'filtered':
      return { ...state, filter: action.filter };
  }
}

/** Whether an import is under way. */
export function isBusy({ phase }: ImportState): boolean {
  return phase.name === 'running' || phase.name === 'stopping';
}

/** What an import came to, in a sentence; empty while there is nothing to say. */
export function outcomeWords({ phase, progress: { counts } }: ImportState): string {
  const words = text.data.import;
  switch (phase.name) {
    case 'done':
      return words.done(counts, phase.dryRun);
    case 'stopped':
      return words.stopped(counts, phase.dryRun);
    case 'failed':
      return `${words.failed(phase.dryRun)} ${words.confirmed(counts, phase.dryRun)}`;
    case 'idle':
    case 'running':
    case 'stopping':
      return '';
  }
}

/** Records that were dealt with. */
export function recordsOf({ counts }: ImportProgress): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function bytesOf(files: readonly ChosenFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

function fresh(state: ImportState): ImportState {
  return { ...state, phase: { name: 'idle' }, progress: noProgress, filter: 'all', imported: false };
}
