import type { SearchQuery } from '../../core/app/searches.ts';
import type { NamedPatient, NamedRecord } from '../../core/app/session.ts';
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { shortId } from '../../core/fhir/names.ts';
import { isNewRecord } from '../../core/fhir/new-record.ts';
import { titleOf, type RecordState } from '../features/record/record-state.ts';
import { describe } from '../features/search/describe.ts';
import { text } from '../ui/text.ts';

/** An open record. Each opening has a new key, so that a reopened record has an empty undo stack. */
export interface RecordTab {
  readonly kind: 'record';
  readonly key: string;
  /** Title from the search, until the record is loaded. */
  readonly hint: string;
  readonly record: RecordState;
}

/** An open view, at most one of each. The parts of Trust share a tab, whose view is the active part. */
export interface ViewTab {
  readonly kind: 'view';
  readonly key: string;
  readonly view: ViewId;
}

/** All records of a patient, at most one tab for each. */
export interface PatientTab {
  readonly kind: 'patient';
  readonly key: string;
  readonly patient: NamedPatient;
}

/** Key of the permanent search. */
export const searchKey = 'search';

export interface TabQuery {
  readonly query: SearchQuery;
  /** Undefined until the response arrives. */
  readonly total?: number;
}

/** A search in addition to the permanent one. */
export interface SearchTab {
  readonly kind: 'search';
  readonly key: string;
  readonly tabQuery?: TabQuery;
}

/** An open tab; the permanent search is none. */
export type Tab = RecordTab | ViewTab | SearchTab | PatientTab;

/** A tab without its content, as stored in the session and in the list of closed tabs. */
export type TabSeed =
  | { readonly kind: 'record'; readonly record: NamedRecord }
  | { readonly kind: 'view'; readonly view: ViewId }
  | { readonly kind: 'search'; readonly query?: SearchQuery }
  | { readonly kind: 'patient'; readonly patient: NamedPatient };

/** Returns the storable part of a tab. */
export function toTabSeed(tab: Tab): TabSeed {
  switch (tab.kind) {
    case 'record': {
      const { type, id } = tab.record;
      return { kind: 'record', record: { type, id, title: formatRecordLabel(tab) } };
    }
    case 'view':
      return { kind: 'view', view: tab.view };
    case 'search':
      return { kind: 'search', ...(tab.tabQuery && { query: tab.tabQuery.query }) };
    case 'patient':
      return { kind: 'patient', patient: tab.patient };
  }
}

/** Returns true if a tab can be reopened. A record that was never saved is lost with its tab. */
export function isReopenable(tab: Tab): boolean {
  return tab.kind !== 'record' || !isNewRecord(tab.record.id);
}

/** Returns the label of a record: its title, otherwise the title from the search, otherwise its id. */
export function formatRecordLabel({ record, hint }: RecordTab): string {
  return record.base ? titleOf(record) : hint || record.id;
}

/** Returns the URI of a tab's text model. It contains the type, which selects the schema. */
export function getModelPath({ key, record }: RecordTab): string {
  return `chartkeeper:/${record.type}/${record.id}/${key}.json`;
}

/** Returns the label of a tab. */
export function formatTabLabel(tab: Tab): string {
  if (tab.kind === 'record') {
    const patient = tab.record.base?.summary.subjectName ?? '';
    return [formatRecordLabel(tab), patient].filter(Boolean).join(' · ');
  }
  if (tab.kind === 'search') return tab.tabQuery ? describe(tab.tabQuery.query) : text.views.search;
  if (tab.kind === 'patient') return text.patient.tab(tab.patient.name || shortId(tab.patient.id));
  return text.views[trustPartOf(tab.view) ? 'trust' : tab.view];
}

/** Returns the keys of the searches in the order of the tab bar. */
export function listSearchKeys({ tabs }: { readonly tabs: readonly Tab[] }): readonly string[] {
  return [searchKey, ...tabs.flatMap(({ kind, key }) => (kind === 'search' ? key : []))];
}

/** Key of the tab before the searches. */
const overviewKey = 'view-overview';

/** Returns all keys in the order of the tab bar: overview, searches, other tabs. */
export function listTabKeys(state: { readonly tabs: readonly Tab[] }): readonly string[] {
  const otherKeys = state.tabs.flatMap(({ kind, key }) => (kind === 'search' ? [] : key));
  return [
    ...otherKeys.filter((key) => key === overviewKey),
    ...listSearchKeys(state),
    ...otherKeys.filter((key) => key !== overviewKey),
  ];
}
