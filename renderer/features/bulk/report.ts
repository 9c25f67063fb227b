import type { TargetState } from '../../../core/app/bulk.ts';
import { csvLine } from '../../../core/app/csv.ts';
import type { BulkState } from './bulk-state.ts';

/** Result codes of the file. Programs read them, so page texts may change without them. */
const codes: Readonly<Record<TargetState, string>> = {
  waiting: 'waiting',
  ready: 'would-change',
  unchanged: 'unchanged',
  cannot: 'cannot-change',
  refused: 'would-be-refused',
  unread: 'unread',
  done: 'changed',
  changed: 'changed-by-others',
  gone: 'gone',
  failed: 'failed',
};

/** Codes of an undo that differ. */
const undoCodes: Partial<typeof codes> = {
  ready: 'pending',
  done: 'restored',
  cannot: 'cannot-restore',
};

/** Returns the result of each record of a dry run, a run or an undo as CSV. */
export function reportOf({
  targets,
  storedRun,
  run,
}: Pick<BulkState, 'targets' | 'storedRun' | 'run'>): string {
  const isUndo = storedRun?.undoes !== undefined;
  const codeOf = (state: TargetState): string => {
    if (isUndo) return undoCodes[state] ?? codes[state];
    return state === 'ready' && run !== undefined ? 'pending' : codes[state];
  };
  const lines = targets.map(({ type, id, title, state, version, detail, changes = [] }) =>
    csvLine([
      type,
      id,
      title,
      codeOf(state),
      version ?? '',
      detail ??
        changes
          .map(({ pointer, before, after }) => `${pointer}: ${before ?? ''} → ${after ?? ''}`)
          .join('; '),
    ]),
  );
  return csvLine(['type', 'id', 'title', 'outcome', 'version', 'detail']) + lines.join('');
}
