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
import { labelOf, labelOfRecord, searchKey, tabKeys, type Asked, type Tab } from './tab-kinds.ts';
import type { TabsState } from './tabs-state.ts';

/** What the strip shows of a tab. */
export interface TabPresentation {
  readonly key: string;
  readonly label: string;
  readonly title: string;
  readonly unsaved: boolean;
  /** The view, where it is no record. */
  readonly view?: ViewId;
  /** Whom the record is about. */
  readonly subject?: Subject;
  /** Whose records they are. */
  readonly patient?: NamedPatient;
  /** What the search was asked for. */
  readonly asked?: Asked;
  /** A search that is always open. */
  readonly stays?: true;
}

/** The faces of the tabs, the same list until one of them changes: with a key in a record's text none does. */
export function useTabFaces({ tabs, asked }: Pick<TabsState, 'tabs' | 'asked'>): readonly TabPresentation[] {
  const presentations = [presentMainSearch(asked), ...tabs.map(presentTab)];
  const serialized = JSON.stringify(
    tabKeys({ tabs }).flatMap((key) => presentations.find((presentation) => presentation.key === key) ?? []),
  );
  return useMemo(() => JSON.parse(serialized) as readonly TabPresentation[], [serialized]);
}

/** The search that is always open. */
function presentMainSearch(asked: Asked | undefined): TabPresentation {
  const label = text.views.search;
  const title = asked ? describe(asked.query) : label;
  return {
    key: searchKey,
    label,
    title,
    unsaved: false,
    view: 'search',
    stays: true,
    ...(asked && { asked }),
  };
}

function presentTab(tab: Tab): TabPresentation {
  const { key } = tab;
  // Whom a record is about, its tab finds out for itself.
  const label = tab.kind === 'record' ? labelOfRecord(tab) : labelOf(tab);
  const presentation = { key, label, title: label, unsaved: false };
  if (tab.kind === 'view') return { ...presentation, view: tab.view };
  if (tab.kind === 'search') return { ...presentation, view: 'search', ...(tab.asked && { asked: tab.asked }) };
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
    unsaved: isUnsaved(tab.record),
    subject: { type, id, subject: summary?.subject, subjectName: summary?.subjectName ?? '' },
  };
}

interface TabMessages {
  readonly label: string;
  /** Its accessible name. */
  readonly name: string;
  /** How many a search found. */
  readonly count?: string;
}

const noSubject = { type: '', id: '', subject: '', subjectName: '' };

/** What a tab says: a record whom it is about, a search what was asked. */
export function useTabMessages({ label, subject, asked, patient: patient }: TabPresentation): TabMessages {
  const subjectName =
    useSubjectName(subject ?? noSubject) ?? shortId(formatReference(subject?.subject ?? '', 'Patient'));
  const searchedPatient = asked && criteriaOf(asked.query).patient;
  const patientId = patient?.id ?? (searchedPatient === undefined || searchedPatient.includes(',') ? '' : bareIds(searchedPatient));
  const name = useNameOf(patientId);
  return useMemo(() => {
    if (asked) {
      const queryLabel = `${asked.query.type} · ${targetOf(asked.query, name)}`;
      const count = asked.total === undefined ? undefined : formatCount(asked.total);
      const queryName = [queryLabel, count].filter(Boolean).join(' ');
      return { label: queryLabel, name: `${text.views.search}: ${queryName}`, ...(count !== undefined && { count }) };
    }
    if (patient) {
      const patientName = name ?? (patient.name || shortId(patient.id));
      return { label: patientName, name: text.patient.tab(patientName) };
    }
    if (subjectName === '') return { label, name: label };
    // Of two plans with one title the strip shows whose they are; by name a record goes by its title.
    return { label: `${subjectName} · ${label}`, name: `${label} · ${subjectName}` };
  }, [asked, label, subjectName, patient, name]);
}
