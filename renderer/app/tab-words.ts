import { useMemo } from 'react';
import { shortId } from '../../core/fhir/names.ts';
import { bareIds } from '../../core/fhir/reference.ts';
import { criteriaOf } from '../features/search/criteria.ts';
import { targetOf } from '../features/search/describe.ts';
import { useNameOf, useSubjectName } from '../platform/subject-names.ts';
import { formatCount, shownReference } from '../ui/format.ts';
import { text } from '../ui/text.ts';
import type { TabFace } from './tab-faces.ts';

interface TabWords {
  readonly label: string;
  /** Its accessible name. */
  readonly name: string;
  /** How many a search found. */
  readonly count?: string;
}

const nobody = { type: '', id: '', subject: '', subjectName: '' };

/** What a tab says: a record whom it is about, a search what was asked. */
export function useTabWords({ label, subject, asked, patient: whose }: TabFace): TabWords {
  const patient =
    useSubjectName(subject ?? nobody) ?? shortId(shownReference(subject?.subject ?? '', 'Patient'));
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
