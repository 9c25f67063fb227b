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

interface Walk {
  readonly state: QualityState;
  readonly dispatch: Dispatch<QualityAction>;
  readonly found: Findings;
  /** How many there are, also those that are not loaded. */
  readonly total: number;
}

/** The way through the findings one by one, by commands as well; each opens at its element to be fixed. */
export function useWalk({ state, dispatch, found: { query, findings }, total }: Walk) {
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

/** The finding in hand, with those that are chosen: what is said of findings is said of these. */
export function useHand({ state, dispatch, found: { findings } }: Omit<Walk, 'total'>) {
  const chosen = useSelection(findings, keyOf);
  const current = indexOf(state, findings);
  const take = (index: number) => {
    const finding = findings[index];
    if (finding) dispatch({ type: 'moved', index, key: keyOf(finding) });
  };
  return {
    current,
    atHand:
      chosen.chosen.size > 0
        ? findings.filter((row) => chosen.chosen.has(keyOf(row)))
        : findings.slice(current, current + 1),
    selection: {
      ...chosen,
      move(index: number) {
        chosen.move(index);
        take(index);
      },
      extend(index: number) {
        chosen.extend(index);
        take(index);
      },
    },
  };
}
