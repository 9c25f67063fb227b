import type { TargetState } from '../../../core/app/bulk.ts';
import { text } from '../../ui/text.ts';
import type { BulkState } from './bulk-state.ts';

const { undo, ...replace } = text.bulk;

/** Returns the messages of a replacement or an undo. */
export function describeRow({ storedRun }: Pick<BulkState, 'storedRun'>) {
  return storedRun?.undoes === undefined ? replace : undo;
}

/** Returns the label of a target state. Before the run is sent, the label describes the dry run. */
export function stateName(
  { storedRun, run }: Pick<BulkState, 'storedRun' | 'run'>,
  state: TargetState,
): string {
  if (storedRun?.undoes !== undefined) return { ...replace.states, ...undo.states }[state];
  return state === 'ready' && run !== undefined ? replace.pending : replace.states[state];
}
