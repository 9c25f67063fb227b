import { useMemo } from 'react';
import type { NamedPatient } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import { shortId } from '../../core/fhir/names.ts';
import { bareIds } from '../../core/fhir/reference.ts';
import { isUnsaved } from '../features/record/record-state.ts';
import { criteriaOf } from '../features/search/criteria.ts';
import { describe, targetOf } from '../features/search/describe.ts';
import { useNameOf, useSubjectName, type Subject } from '../platform/subject-names.ts';
import { formatCount, formatReference } from '../ui/format.ts';
import { text } from '../ui/text.ts';
import { formatDays } from '../ui/time.ts';
import {
  formatTabLabel,
  formatRecordLabel,
  searchKey,
  listTabKeys,
  type TabQuery,
  type Tab,
} from './tab-kinds.ts';
import type { TabsState } from './tabs-state.ts';

/** Content of a tab in the tab bar. */
export interface TabPresentation {
  readonly key: string;
  readonly label: string;
  readonly title: string;
  readonly isUnsaved: boolean;
  /** View of a tab without a record. */
  readonly view?: ViewId;
  readonly subject?: Subject;
  readonly patient?: NamedPatient;
  readonly tabQuery?: TabQuery;
  /** True for the permanent search, which cannot be closed. */
  readonly isPermanent?: true;
}

/** Returns the tabs of the tab bar. The list keeps its identity until one changes; typing changes none. */
export function useTabPresentations({
  tabs,
  tabQuery,
}: Pick<TabsState, 'tabs' | 'tabQuery'>): readonly TabPresentation[] {
  const presentations = [presentMainSearch(tabQuery), ...tabs.map(presentTab)];
  const serialized = JSON.stringify(
    listTabKeys({ tabs }).flatMap(
      (key) => presentations.find((presentation) => presentation.key === key) ?? [],
    ),
  );
  return useMemo(() => JSON.parse(serialized) as readonly TabPresentation[], [serialized]);
}

/** Returns the presentation of the permanent search. */
function presentMainSearch(tabQuery: TabQuery | undefined): TabPresentation {
  const label = text.views.search;
  const title = tabQuery ? describe(tabQuery.query) : label;
  return {
    key: searchKey,
    label,
    title,
    isUnsaved: false,
    view: 'search',
    isPermanent: true,
    ...(tabQuery && { tabQuery }),
  };
}

function presentTab(tab: Tab): TabPresentation {
  const { key } = tab;
  // A record's tab looks up the name of the subject itself.
  const label = tab.kind === 'record' ? formatRecordLabel(tab) : formatTabLabel(tab);
  const presentation = { key, label, title: label, isUnsaved: false };
  if (tab.kind === 'view') return { ...presentation, view: tab.view };
  if (tab.kind === 'search')
    return { ...presentation, view: 'search', ...(tab.tabQuery && { tabQuery: tab.tabQuery }) };
  if (tab.kind === 'patient') {
    const { patient } = tab;
    return { ...presentation, title: text.patient.title(patient.id), patient };
  }
  const { type, id, base } = tab.record;
  const summary = base?.summary;
  const days = summary ? formatDays(summary.date, summary.end) : '';
  return {
    ...presentation,
    title: [label, days, `${type}/${id}`].filter(Boolean).join(' · '),
    isUnsaved: isUnsaved(tab.record),
    subject: { type, id, subject: summary?.subject, subjectName: summary?.subjectName ?? '' },
  };
}

interface TabMessages {
  readonly label: string;
  /** Accessible name. */
  readonly name: string;
  readonly count?: string;
}

const noSubject = { type: '', id: '', subject: '', subjectName: '' };

/** Returns the texts of a tab. A record includes its subject, a search its query. */
export function useTabMessages({ label, subject, tabQuery, patient }: TabPresentation): TabMessages {
  const subjectName =
    useSubjectName(subject ?? noSubject) ?? shortId(formatReference(subject?.subject ?? '', 'Patient'));
  const searchedPatient = tabQuery && criteriaOf(tabQuery.query).patient;
  const patientId =
    patient?.id ??
    (searchedPatient === undefined || searchedPatient.includes(',') ? '' : bareIds(searchedPatient));
  const name = useNameOf(patientId);
  return useMemo(() => {
    if (tabQuery) {
      const queryLabel = `${tabQuery.query.type} · ${targetOf(tabQuery.query, name)}`;
      const count = tabQuery.total === undefined ? undefined : formatCount(tabQuery.total);
      const queryName = [queryLabel, count].filter(Boolean).join(' ');
      return {
        label: queryLabel,
        name: `${text.views.search}: ${queryName}`,
        ...(count !== undefined && { count }),
      };
    }
    if (patient) {
      const patientName = name ?? (patient.name || shortId(patient.id));
      return { label: patientName, name: text.patient.tab(patientName) };
    }
    if (subjectName === '') return { label, name: label };
    // The label starts with the patient, which tells plans with equal titles apart.
    const recordLabel = `${subjectName} · ${label}`;
    return { label: recordLabel, name: recordLabel };
  }, [tabQuery, label, subjectName, patient, name]);
}
