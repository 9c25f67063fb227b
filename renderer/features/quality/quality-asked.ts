import type { RuleToList } from '../../platform/workbench-actions.ts';
import { createStore } from '../../ui/store.ts';

/** The rule whose findings are to be listed next; the worklist takes it up as its filter. */
export const qualityAsked = createStore<RuleToList | undefined>(undefined);
