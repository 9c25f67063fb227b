import { useCallback, type Dispatch } from 'react';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { formatCount } from '../../ui/format.ts';
import { useSelection } from '../../ui/grid/use-selection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { indexOf, keyOf, neighbour, type QualityAction, type QualityState } from './quality-state.ts';
import type { Findings } from './use-quality.ts';

interface WalkOptions {
  readonly state: QualityState;
  readonly dispatch: Dispatch<QualityAction>;
  readonly loadedFindings: Findings;
  /** Number of findings, including findings that are not loaded. */
  readonly total: number;
}

/** Returns a function that opens a finding at its element. Commands step through the findings. */
export function useWalk({ state, dispatch, loadedFindings: { query, findings }, total }: WalkOptions) {
  const { openRecord } = useWorkbenchActions();
  const announce = useAnnounce();
  const fix = useCallback(
    (finding: QualityFinding, quick = false) => {
      const { type, id, title, pointer, rule } = finding;
      dispatch({ type: 'moved', index: Math.max(0, findings.indexOf(finding)), key: keyOf(finding) });
      openRecord({ type, id, title, pointer, ...(quick && { fix: rule }) });
    },
    [openRecord, dispatch, findings],
  );
  function walk(step: 1 | -1) {
    const index = neighbour(state, findings, step);
    const finding = index === undefined ? undefined : findings[index];
    if (!finding || index === undefined) {
      announce(step === 1 ? text.quality.noNext : text.quality.noPrevious);
      return;
    }
    fix(finding);
    announce(text.quality.at(formatCount(index + 1), formatCount(total)));
    if (index > findings.length - 20 && query.hasNextPage) void query.fetchNextPage();
  }
  useCommandHandlers({ 'quality.next': () => walk(1), 'quality.previous': () => walk(-1) });
  return fix;
}

/** Returns the current finding with the selection, which state changes apply to. */
export function useHand({ state, dispatch, loadedFindings: { findings } }: Omit<WalkOptions, 'total'>) {
  const selection = useSelection(findings, keyOf);
  const current = indexOf(state, findings);
  const makeCurrent = (index: number) => {
    const finding = findings[index];
    if (finding) dispatch({ type: 'moved', index, key: keyOf(finding) });
  };
  return {
    current,
    selectedFindings:
      selection.chosen.size > 0
        ? findings.filter((row) => selection.chosen.has(keyOf(row)))
        : findings.slice(current, current + 1),
    selection: {
      ...selection,
      move(index: number) {
        selection.move(index);
        makeCurrent(index);
      },
      extend(index: number) {
        selection.extend(index);
        makeCurrent(index);
      },
    },
  };
}
