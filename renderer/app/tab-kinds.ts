import type { SearchQuery } from '../../core/app/searches.ts';
import type { NamedPatient, NamedRecord } from '../../core/app/session.ts';
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { shortId } from '../../core/fhir/names.ts';
import { isNewRecord } from '../../core/fhir/new-record.ts';
import { titleOf, type RecordState } from '../features/record/record-state.ts';
import { describe } from '../features/search/describe.ts';
import { text } from '../ui/text.ts';

/** One open record. The key is its own for each opening, so that a reopened record begins with a fresh undo stack. */
export interface RecordTab {
  readonly kind: 'record';
  readonly key: string;
  /** What the search said it is called, until the record is read. */
  readonly hint: string;
  readonly record: RecordState;
}

/** One open view; there is never a second of the same. The parts of Trust share a tab, whose view is the part in front. */
export interface ViewTab {
  readonly kind: 'view';
  readonly key: string;
  readonly view: ViewId;
}

/** All records of a subject; there is never a second of the same. */
export interface PatientTab {
  readonly kind: 'patient';
  readonly key: string;
  readonly patient: NamedPatient;
}

/** The search that is always open. */
export const searchKey = 'search';

/** What a search tab was asked for, and how many it found. */
export interface Asked {
  readonly query: SearchQuery;
  /** Undefined until it is answered. */
  readonly total?: number;
}

/** A search beside the one that is always open. */
export interface SearchTab {
  readonly kind: 'search';
  readonly key: string;
  readonly asked?: Asked;
}

export type Tab = RecordTab | ViewTab | SearchTab | PatientTab;

/** A tab without its content: what the session keeps, and what can be opened again. */
export type TabSeed =
  | { readonly kind: 'record'; readonly record: NamedRecord }
  | { readonly kind: 'view'; readonly view: ViewId }
  | { readonly kind: 'search'; readonly query?: SearchQuery }
  | { readonly kind: 'patient'; readonly patient: NamedPatient };

/** What is kept of a tab. */
export function seedOf(tab: Tab): TabSeed {
  switch (tab.kind) {
    case 'record': {
      const { type, id } = tab.record;
      return { kind: 'record', record: { type, id, title: labelOfRecord(tab) } };
    }
    case 'view':
      return { kind: 'view', view: tab.view };
    case 'search':
      return { kind: 'search', ...(tab.asked && { query: tab.asked.query }) };
    case 'patient':
      return { kind: 'patient', patient: tab.patient };
  }
}

/** Whether a tab can be opened again: what no server holds is gone with its tab. */
export function lasts(tab: Tab): boolean {
  return tab.kind !== 'record' || !isNewRecord(tab.record.id);
}

/** What a record's tab is called: the record's title, else what the search called it, else its id. */
export function labelOfRecord({ record, hint }: RecordTab): string {
  return record.base ? titleOf(record) : hint || record.id;
}

/** The URI of a tab's text model; it names the type, so that a schema can be bound to it. */
export function modelPathOf({ key, record }: RecordTab): string {
  return `chartkeeper:/${record.type}/${record.id}/${key}.json`;
}

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

/** The keys of the searches, which stand first in the strip. */
export function searchKeys({ tabs }: { readonly tabs: readonly Tab[] }): readonly string[] {
  return [searchKey, ...tabs.flatMap(({ kind, key }) => (kind === 'search' ? key : []))];
}

/** Key of the tab that stands before the searches. */
const overviewKey = 'view-overview';

/** Every key in the order of the strip: the overview, the searches, then the others. */
export function tabKeys(state: { readonly tabs: readonly Tab[] }): readonly string[] {
  const otherKeys = state.tabs.flatMap(({ kind, key }) => (kind === 'search' ? [] : key));
  return [
    ...otherKeys.filter((key) => key === overviewKey),
    ...searchKeys(state),
    ...otherKeys.filter((key) => key !== overviewKey),
  ];
}
