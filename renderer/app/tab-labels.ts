import { trustPartOf } from '../../core/app/views.ts';
import { describe } from '../features/search/describe.ts';
import { text } from '../ui/text.ts';
import { labelOfRecord } from './record-tab.ts';
import type { Tab } from './tabs-state.ts';
import { viewOf } from './views.tsx';

/** What a tab is called. */
export function labelOf(tab: Tab): string {
  if (tab.kind === 'record') {
    const patient = tab.record.base?.summary.subjectName ?? '';
    return [labelOfRecord(tab), patient].filter(Boolean).join(' · ');
  }
  if (tab.kind === 'search') return tab.asked ? describe(tab.asked.query) : text.views.search;
  return trustPartOf(tab.view) ? text.views.trust : (viewOf(tab.view)?.label ?? tab.view);
}
