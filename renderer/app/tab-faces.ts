import { useMemo } from 'react';
import type { NamedPatient } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import { isUnsaved } from '../features/record/record-state.ts';
import type { Subject } from '../platform/subject-names.ts';
import { describe } from '../features/search/describe.ts';
import { text } from '../ui/text.ts';
import { writtenDays } from '../ui/time.ts';
import { searchKey, tabKeys, type Asked } from './search-tabs.ts';
import { labelOf } from './tab-labels.ts';
import { labelOfRecord, type Tab } from './tab-kinds.ts';
import type { TabsState } from './tabs-state.ts';

/** What the strip shows of a tab. */
export interface TabFace {
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
export function useTabFaces({ tabs, asked }: Pick<TabsState, 'tabs' | 'asked'>): readonly TabFace[] {
  const faces = [firstFace(asked), ...tabs.map(faceOf)];
  const told = JSON.stringify(
    tabKeys({ tabs }).flatMap((key) => faces.find((face) => face.key === key) ?? []),
  );
  return useMemo(() => JSON.parse(told) as readonly TabFace[], [told]);
}

/** The search that is always open. */
function firstFace(asked: Asked | undefined): TabFace {
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

function faceOf(tab: Tab): TabFace {
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
  const days = about ? writtenDays(about.date, about.end) : '';
  return {
    ...face,
    title: [label, days, `${type}/${id}`].filter(Boolean).join(' · '),
    unsaved: isUnsaved(tab.record),
    subject: { type, id, subject: about?.subject, subjectName: about?.subjectName ?? '' },
  };
}
