import { useMemo } from 'react';
import type { ViewId } from '../../core/app/views.ts';
import { isUnsaved } from '../features/record/record-state.ts';
import { labelOf } from './tab-labels.ts';
import type { Tab } from './tabs-state.ts';

/** What the strip shows of a tab. */
export interface TabFace {
  readonly key: string;
  readonly label: string;
  readonly title: string;
  readonly unsaved: boolean;
  /** The view, where it is no record. */
  readonly view?: ViewId;
}

/** The faces of the tabs, the same list until one of them changes: with a key in a record's text none does. */
export function useTabFaces(tabs: readonly Tab[]): readonly TabFace[] {
  const told = JSON.stringify(tabs.map(faceOf));
  return useMemo(() => JSON.parse(told) as readonly TabFace[], [told]);
}

function faceOf(tab: Tab): TabFace {
  const { key } = tab;
  const label = labelOf(tab);
  if (tab.kind === 'view') return { key, label, title: label, unsaved: false, view: tab.view };
  const { type, id } = tab.record;
  return { key, label, title: `${label} · ${type}/${id}`, unsaved: isUnsaved(tab.record) };
}
