/**
 * features/quality is the worklist: the rules that stored records violate, and each finding with its element. The app
 * shell mounts it as a view. Invariant: counts and findings come from the server, for the same filter.
 */
import type { Grouping, QualityFilter, QualityFinding, QualityGroup } from '../../../core/app/quality.ts';
import type { BatchToList, RuleToList } from '../../platform/workbench-actions.ts';
import { createStore } from '../../ui/store.ts';

/** Rule or import batch to list next. The worklist consumes it as its filter. */
export const initialQualityFilter = createStore<RuleToList | BatchToList | undefined>(undefined);

export interface QualityState {
  readonly filter: Omit<QualityFilter, 'rule'>;
  /** Rule of the listed findings; undefined lists all rules. */
  readonly rule?: string;
  /** Message of the rule, shown if the filter leaves no finding of it. */
  readonly ruleText?: string;
  /** Name of the import batch of the filter. */
  readonly batchName?: string;
  /** Grouping of the findings, until a group is selected. */
  readonly groupBy?: Grouping | undefined;
  readonly current: { readonly index: number; readonly key?: string };
}

export type QualityAction =
  | { readonly type: 'filtered'; readonly filter: Omit<QualityFilter, 'rule'> }
  | { readonly type: 'grouped'; readonly groupBy: Grouping | undefined }
  | { readonly type: 'chosen'; readonly group: Pick<QualityGroup, 'rule' | 'text'> | undefined }
  | {
      readonly type: 'asked';
      readonly filter: Omit<QualityFilter, 'rule'>;
      readonly rule?: string;
      readonly batchName?: string;
    }
  | { readonly type: 'moved'; readonly index: number; readonly key: string };

export const initialQuality: QualityState = { filter: {}, current: { index: 0 } };

/** Initial filter for stored records: findings that are not waived. */
export const openQuality: QualityState = { ...initialQuality, filter: { state: 'open' } };

/** Returns the next state of the worklist. */
export function qualityReducer(state: QualityState, action: QualityAction): QualityState {
  switch (action.type) {
    case 'filtered':
      return { ...state, filter: action.filter, current: { index: 0 } };
    case 'chosen': {
      const { filter, groupBy, batchName } = state;
      const { group } = action;
      return {
        filter,
        ...(batchName !== undefined && { batchName }),
        ...(groupBy && { groupBy }),
        ...(group && { rule: group.rule, ruleText: group.text }),
        current: { index: 0 },
      };
    }
    case 'grouped': {
      return { ...state, filter: withoutGroup(state.filter), groupBy: action.groupBy, current: { index: 0 } };
    }
    case 'asked': {
      const { filter, rule, batchName } = action;
      return {
        filter,
        ...(rule !== undefined && { rule }),
        ...(batchName !== undefined && { batchName }),
        current: { index: 0 },
      };
    }
    case 'moved':
      return { ...state, current: { index: action.index, key: action.key } };
  }
}

function withoutGroup({ group: _, ...filter }: QualityState['filter']): QualityState['filter'] {
  return filter;
}

/** Returns the filter for the records of all import batches. */
export function withoutBatch({ batch: _, ...filter }: QualityState['filter']): QualityState['filter'] {
  return filter;
}

/** Returns the filter for requests to the server. */
export function filterOf({ filter, rule }: QualityState): QualityFilter {
  return { ...filter, ...(rule !== undefined && { rule }) };
}

/** Returns a key that identifies a finding while its record changes. */
export function keyOf({ type, id, rule, pointer, message }: QualityFinding): string {
  return JSON.stringify([type, id, rule, pointer, message]);
}

/** Returns the index of the current finding. If it was fixed, returns the index of its successor. */
export function indexOf({ current }: QualityState, findings: readonly QualityFinding[]): number {
  const foundIndex = findings.findIndex((finding) => keyOf(finding) === current.key);
  return foundIndex === -1 ? Math.max(0, Math.min(current.index, findings.length - 1)) : foundIndex;
}

/** Returns the index of the next or previous finding. The successor of a fixed finding counts as next. */
export function neighbour(
  state: QualityState,
  findings: readonly QualityFinding[],
  step: 1 | -1,
): number | undefined {
  const { key, index } = state.current;
  const foundIndex = findings.findIndex((finding) => keyOf(finding) === key);
  const isRemoved = foundIndex === -1;
  const target = isRemoved ? (step === 1 ? index : index - 1) : foundIndex + step;
  return findings[target] ? target : undefined;
}
