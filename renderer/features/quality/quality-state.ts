/**
 * features/quality is the worklist: rules that stored records break, and each finding with its element. The app shell
 * mounts it as a view. Invariant: counts and findings are the server's, under one filter.
 */
import type { Grouping, QualityFilter, QualityFinding, QualityGroup } from '../../../core/app/quality.ts';
import type { RuleToList } from '../../platform/workbench-actions.ts';
import { createStore } from '../../ui/store.ts';

/** The rule whose findings are to be listed next; the worklist takes it up as its filter. */
export const qualityAsked = createStore<RuleToList | undefined>(undefined);

export interface QualityState {
  readonly filter: Omit<QualityFilter, 'rule'>;
  /** The rule whose findings are listed; all where absent. */
  readonly rule?: string;
  /** What that rule says, which is told where the filter leaves nothing of it. */
  readonly ruleText?: string;
  /** What the findings are put together by, until one of the groups is chosen. */
  readonly by?: Grouping | undefined;
  /** The finding in hand, and its place in the list. */
  readonly current: { readonly index: number; readonly key?: string };
}

export type QualityAction =
  | { readonly type: 'filtered'; readonly filter: Omit<QualityFilter, 'rule'> }
  | { readonly type: 'grouped'; readonly by: Grouping | undefined }
  | { readonly type: 'chosen'; readonly group: Pick<QualityGroup, 'rule' | 'text'> | undefined }
  | { readonly type: 'asked'; readonly filter: Omit<QualityFilter, 'rule'>; readonly rule: string }
  | { readonly type: 'moved'; readonly index: number; readonly key: string };

export const initialQuality: QualityState = { filter: {}, current: { index: 0 } };

/** The worklist of the stored records begins with what is not waived. */
export const openQuality: QualityState = { ...initialQuality, filter: { state: 'open' } };

/** The next state of the worklist; pure. */
export function qualityReducer(state: QualityState, action: QualityAction): QualityState {
  switch (action.type) {
    case 'filtered':
      return { ...state, filter: action.filter, current: { index: 0 } };
    case 'chosen': {
      const { filter, by } = state;
      const { group } = action;
      return {
        filter,
        ...(by && { by }),
        ...(group && { rule: group.rule, ruleText: group.text }),
        current: { index: 0 },
      };
    }
    case 'grouped': {
      return { ...state, filter: ungrouped(state.filter), by: action.by, current: { index: 0 } };
    }
    case 'asked':
      return { filter: action.filter, rule: action.rule, current: { index: 0 } };
    case 'moved':
      return { ...state, current: { index: action.index, key: action.key } };
  }
}

function ungrouped({ group: _, ...filter }: QualityState['filter']): QualityState['filter'] {
  return filter;
}

/** What the list asks the server for. */
export function filterOf({ filter, rule }: QualityState): QualityFilter {
  return { ...filter, ...(rule !== undefined && { rule }) };
}

/** Identifies a finding while its record changes. */
export function keyOf({ type, id, rule, pointer, message }: QualityFinding): string {
  return JSON.stringify([type, id, rule, pointer, message]);
}

/** Where the finding in hand stands now; where it was mended, the one that took its place. */
export function indexOf({ current }: QualityState, findings: readonly QualityFinding[]): number {
  const found = findings.findIndex((finding) => keyOf(finding) === current.key);
  return found === -1 ? Math.max(0, Math.min(current.index, findings.length - 1)) : found;
}

/** The finding after or before the one in hand. After a mended one comes the one that took its place. */
export function neighbour(
  state: QualityState,
  findings: readonly QualityFinding[],
  step: 1 | -1,
): number | undefined {
  const { key, index } = state.current;
  const found = findings.findIndex((finding) => keyOf(finding) === key);
  const gone = found === -1;
  const target = gone ? (step === 1 ? index : index - 1) : found + step;
  return findings[target] ? target : undefined;
}
