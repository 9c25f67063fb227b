import type { TargetState } from '../../../core/app/bulk.ts';
import { text } from '../../ui/text.ts';
import type { BulkState } from './bulk-state.ts';

const { undo, ...replace } = text.bulk;

/** The words of a run: those of an undo, or of a replacement. */
export function wordsOf({ kept }: Pick<BulkState, 'kept'>) {
  return kept?.undoes === undefined ? replace : undo;
}

/** What an outcome is called: before a run is sent, its dry run found it. */
export function stateName({ kept, run }: Pick<BulkState, 'kept' | 'run'>, state: TargetState): string {
  if (kept?.undoes !== undefined) return { ...replace.states, ...undo.states }[state];
  return state === 'ready' && run !== undefined ? replace.pending : replace.states[state];
}
