import type { SearchQuery } from '../../core/app/searches.ts';

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

interface Keyed {
  readonly kind: string;
  readonly key: string;
}

/** The keys of the searches, which stand first in the strip. */
export function searchKeys({ tabs }: { readonly tabs: readonly Keyed[] }): readonly string[] {
  return [searchKey, ...tabs.flatMap(({ kind, key }) => (kind === 'search' ? key : []))];
}

/** Key of the tab that stands before the searches. */
const overviewKey = 'view-overview';

/** Every key in the order of the strip: the overview, the searches, then the others. */
export function tabKeys(state: { readonly tabs: readonly Keyed[] }): readonly string[] {
  const others = state.tabs.flatMap(({ kind, key }) => (kind === 'search' ? [] : key));
  return [
    ...others.filter((key) => key === overviewKey),
    ...searchKeys(state),
    ...others.filter((key) => key !== overviewKey),
  ];
}
