import type { TargetState } from '../../../core/app/bulk.ts';
import { text } from '../../ui/text.ts';
import type { BulkState } from './bulk-state.ts';

type Named = Pick<BulkState, 'kept'>;

const { undo, ...replace } = text.bulk;

/** The words of a run: those of an undo, or of a replacement. */
export function wordsOf({ kept }: Named) {
  return kept?.undoes === undefined ? replace : undo;
}

/** What an outcome is called: before a run is sent, its dry run found it. */
export function stateName({ kept, phase }: Named & Pick<BulkState, 'phase'>, state: TargetState): string {
  if (kept?.undoes !== undefined) return { ...replace.states, ...undo.states }[state];
  const sending =
    phase !== 'compose' && phase !== 'gathering' && phase !== 'examining' && phase !== 'examined';
  return state === 'ready' && sending ? replace.pending : replace.states[state];
}
