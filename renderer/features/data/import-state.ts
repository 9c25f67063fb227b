import { createImportCounts, type ImportResult } from '../../../core/app/transfer.ts';
import type { Failure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import type { SelectedFile } from './chosen-files.ts';
import type { OutcomeFilter } from './import-log.ts';

interface ImportOptions {
  readonly keepIds: boolean;
  /** `off` also imports records that violate rules, and flags them. */
  readonly level: 'standard' | 'off';
}

export interface ImportProgress {
  /** Processed bytes of the files. */
  readonly bytes: number;
  readonly counts: Readonly<Record<ImportResult, number>>;
  /** Count of skipped files. They are among the skipped entries. */
  readonly skippedFiles: number;
  /** Duration since the start. */
  readonly milliseconds: number;
}

/** One run over the files. */
export interface ImportPass {
  readonly dryRun: boolean;
  /** Stores records that violate rules with their issues: all files, or the records that the last run rejected. */
  readonly flagging?: 'all' | 'refused';
  /** Leaves related resources that are here with other content. */
  readonly onlyNew?: true;
}

type ImportPhase =
  | { readonly name: 'idle' }
  | ({ readonly name: 'running' | 'stopping' | 'done' | 'stopped' } & ImportPass)
  | (ImportPass & {
      readonly name: 'failed';
      readonly failure: Failure;
      /** Maximum number of sent records without a known result. */
      readonly unconfirmed: number;
    });

export interface ImportState {
  readonly files: readonly SelectedFile[];
  readonly options: ImportOptions;
  readonly phase: ImportPhase;
  readonly progress: ImportProgress;
  readonly filter: OutcomeFilter;
  /** True if the files are imported. A second import would store each record without an ID again. */
  readonly imported: boolean;
}

export type ImportAction =
  | { readonly type: 'chosen'; readonly files: readonly SelectedFile[] }
  | { readonly type: 'cleared' }
  | { readonly type: 'options'; readonly options: Partial<ImportOptions> }
  | ({ readonly type: 'started' } & ImportPass)
  | { readonly type: 'progressed'; readonly progress: ImportProgress }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly progress: ImportProgress; readonly isComplete: boolean }
  | {
      readonly type: 'failed';
      readonly progress: ImportProgress;
      readonly failure: Failure;
      readonly unconfirmed: number;
    }
  | { readonly type: 'filtered'; readonly filter: OutcomeFilter }
  | { readonly type: 'reopened' };

export const noProgress: ImportProgress = {
  bytes: 0,
  counts: createImportCounts(),
  skippedFiles: 0,
  milliseconds: 0,
};

export const initialImport: ImportState = {
  files: [],
  options: { keepIds: true, level: 'standard' },
  phase: { name: 'idle' },
  progress: noProgress,
  filter: 'all',
  imported: false,
};

/** Returns the next state of the import. Files and options are fixed during a run. */
export function importReducer(state: ImportState, action: ImportAction): ImportState {
  const busy = isBusy(state);
  switch (action.type) {
    case 'chosen': {
      if (busy) return state;
      const names = new Set(action.files.map(({ name }) => name));
      const otherFiles = state.imported ? [] : state.files.filter(({ name }) => !names.has(name));
      return reset({ ...state, files: [...otherFiles, ...action.files] });
    }
    case 'cleared':
      return busy ? state : reset({ ...state, files: [] });
    case 'options':
      // A dry run is valid only for its options.
      return busy ? state : reset({ ...state, options: { ...state.options, ...action.options } });
    case 'started': {
      const { dryRun, flagging } = action;
      const phase = { name: 'running', dryRun, ...(flagging && { flagging }) } as const;
      return { ...reset(state), imported: flagging === 'refused' && state.imported, phase };
    }
    case 'progressed':
      return { ...state, progress: action.progress };
    case 'stopping':
      return state.phase.name === 'running'
        ? { ...state, phase: { ...state.phase, name: 'stopping' } }
        : state;
    case 'ended': {
      if (!('dryRun' in state.phase)) return state;
      const { name, dryRun, flagging } = state.phase;
      const endPhase = name === 'stopping' && !action.isComplete ? 'stopped' : 'done';
      const isImported = state.imported || (endPhase === 'done' && !dryRun && flagging !== 'refused');
      return {
        ...state,
        imported: isImported,
        progress: action.progress,
        phase: { name: endPhase, dryRun, ...(flagging && { flagging }) },
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
    case 'reopened':
      return busy ? state : reset(state);
  }
}

/** Returns true while an import runs. */
export function isBusy({ phase }: ImportState): boolean {
  return phase.name === 'running' || phase.name === 'stopping';
}

/** Returns the result of an import as a sentence; empty if there is none. */
export function outcomeWords({ phase, progress }: ImportState): string {
  const messages = text.data.import;
  const counts = recordCounts(progress);
  switch (phase.name) {
    case 'done':
      return messages.done(counts, phase.dryRun);
    case 'stopped':
      return messages.stopped(counts, phase.dryRun);
    case 'failed':
      return `${messages.failed(phase.dryRun)} ${messages.beforeFailure(counts, phase.dryRun)}`;
    case 'idle':
    case 'running':
    case 'stopping':
      return '';
  }
}

/** Returns the counts of the entries without those of skipped files. */
export function recordCounts({ counts, skippedFiles }: ImportProgress): ImportProgress['counts'] {
  return { ...counts, skipped: counts.skipped - skippedFiles };
}

/** Returns the number of processed records. */
export function recordsOf(progress: ImportProgress): number {
  return Object.values(recordCounts(progress)).reduce((sum, count) => sum + count, 0);
}

export function bytesOf(files: readonly SelectedFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

function reset(state: ImportState): ImportState {
  return { ...state, phase: { name: 'idle' }, progress: noProgress, filter: 'all', imported: false };
}
