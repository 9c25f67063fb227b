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
  const faces = [firstFace(asked), ...tabs.map(faceOf)];
  const told = JSON.stringify(
    tabKeys({ tabs }).flatMap((key) => faces.find((face) => face.key === key) ?? []),
  );
  return useMemo(() => JSON.parse(told) as readonly TabPresentation[], [told]);
}

/** The search that is always open. */
function firstFace(asked: Asked | undefined): TabPresentation {
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

function faceOf(tab: Tab): TabPresentation {
  const { key } = tab;
  // Whom a record is about, its tab finds out for itself.
  const label = tab.kind === 'record' ? labelOfRecord(tab) : labelOf(tab);
  const face = { key, label, title: label, unsaved: false };
  if (tab.kind === 'view') return { ...face, view: tab.view };
  if (tab.kind === 'search') return { ...face, view: 'search', ...(tab.asked && { asked: tab.asked }) };
  if (tab.kind === 'patient') {
    const { patient } = tab;
    return { ...face, title: text.patient.title(patient.id), patient };
  }
  const { type, id, base } = tab.record;
  const about = base?.summary;
  const days = about ? formatDays(about.date, about.end) : '';
  return {
    ...face,
    title: [label, days, `${type}/${id}`].filter(Boolean).join(' · '),
    unsaved: isUnsaved(tab.record),
    subject: { type, id, subject: about?.subject, subjectName: about?.subjectName ?? '' },
  };
}

interface TabWords {
  readonly label: string;
  /** Its accessible name. */
  readonly name: string;
  /** How many a search found. */
  readonly count?: string;
}

const nobody = { type: '', id: '', subject: '', subjectName: '' };

/** What a tab says: a record whom it is about, a search what was asked. */
export function useTabMessages({ label, subject, asked, patient: whose }: TabPresentation): TabWords {
  const patient =
    useSubjectName(subject ?? nobody) ?? shortId(formatReference(subject?.subject ?? '', 'Patient'));
  const searched = asked && criteriaOf(asked.query).patient;
  const about = whose?.id ?? (searched === undefined || searched.includes(',') ? '' : bareIds(searched));
  const name = useNameOf(about);
  return useMemo(() => {
    if (asked) {
      const words = `${asked.query.type} · ${targetOf(asked.query, name)}`;
      const count = asked.total === undefined ? undefined : formatCount(asked.total);
      const told = [words, count].filter(Boolean).join(' ');
      return { label: words, name: `${text.views.search}: ${told}`, ...(count !== undefined && { count }) };
    }
    if (whose) {
      const words = name ?? (whose.name || shortId(whose.id));
      return { label: words, name: text.patient.tab(words) };
    }
    if (patient === '') return { label, name: label };
    // Of two plans with one title the strip shows whose they are; by name a record goes by its title.
    return { label: `${patient} · ${label}`, name: `${label} · ${patient}` };
  }, [asked, label, patient, whose, name]);
}
