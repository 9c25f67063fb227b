import type { SearchQuery } from '../../core/app/searches.ts';
import type { NamedPatient, NamedRecord } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import { isUnstored } from '../../core/fhir/new-record.ts';
import { labelOfRecord, type RecordTab } from './record-tab.ts';
import type { SearchTab } from './search-tabs.ts';

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

export type Tab = RecordTab | ViewTab | SearchTab | PatientTab;

/** A tab without its content: what the session keeps, and what can be opened again. */
export type TabSeed =
  | { readonly kind: 'record'; readonly record: NamedRecord }
  | { readonly kind: 'view'; readonly view: ViewId }
  | { readonly kind: 'search'; readonly query?: SearchQuery }
  | { readonly kind: 'patient'; readonly patient: NamedPatient };

/** What the strip does with a kind of tab. */
interface TabKind<Of extends Tab> {
  /** What is kept of it. */
  readonly seedOf: (tab: Of) => TabSeed;
  /** Whether it can be opened again: what no server holds is gone with its tab. */
  readonly lasts: (tab: Of) => boolean;
}

const tabKinds: { readonly [Kind in Tab['kind']]: TabKind<Extract<Tab, { kind: Kind }>> } = {
  record: {
    seedOf: (tab) => {
      const { type, id } = tab.record;
      return { kind: 'record', record: { type, id, title: labelOfRecord(tab) } };
    },
    lasts: ({ record }) => !isUnstored(record.id),
  },
  view: { seedOf: ({ view }) => ({ kind: 'view', view }), lasts: () => true },
  search: {
    seedOf: ({ asked }) => ({ kind: 'search', ...(asked && { query: asked.query }) }),
    lasts: () => true,
  },
  patient: { seedOf: ({ patient }) => ({ kind: 'patient', patient }), lasts: () => true },
};

function kindOf<Of extends Tab>({ kind }: Of): TabKind<Of> {
  return tabKinds[kind] as unknown as TabKind<Of>;
}

/** What is kept of a tab. */
export function seedOf(tab: Tab): TabSeed {
  return kindOf(tab).seedOf(tab);
}

/** Whether a tab can be opened again. */
export function lasts(tab: Tab): boolean {
  return kindOf(tab).lasts(tab);
}
