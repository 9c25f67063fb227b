import { trustPartOf } from '../../core/app/views.ts';
import { shortId } from '../../core/fhir/names.ts';
import { describe } from '../features/search/describe.ts';
import { text } from '../ui/text.ts';
import { labelOfRecord, type Tab } from './tab-kinds.ts';

/** What a tab is called. */
export function labelOf(tab: Tab): string {
  if (tab.kind === 'record') {
    const patient = tab.record.base?.summary.subjectName ?? '';
    return [labelOfRecord(tab), patient].filter(Boolean).join(' · ');
  }
  if (tab.kind === 'search') return tab.asked ? describe(tab.asked.query) : text.views.search;
  if (tab.kind === 'patient') return text.patient.tab(tab.patient.name || shortId(tab.patient.id));
  return text.views[trustPartOf(tab.view) ? 'trust' : tab.view];
}
