import { labelOfRecord, type Tab } from './tabs-state.ts';
import { viewOf } from './views.tsx';

/** What a tab is called. */
export function labelOf(tab: Tab): string {
  return tab.kind === 'record' ? labelOfRecord(tab) : (viewOf(tab.view)?.label ?? tab.view);
}
