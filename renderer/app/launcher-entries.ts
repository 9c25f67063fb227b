import type { Icon } from '@tabler/icons-react';

/** Something that the palette offers: a command, a view, a tab, a record or a search. */
export interface LauncherEntry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly keys?: string | undefined;
  /** Further words that find it. */
  readonly synonyms?: string | undefined;
  readonly icon?: Icon | undefined;
  /** Why it cannot run now. */
  readonly refusal?: string | undefined;
  /** The list stays open, with what came of it. */
  readonly stays?: boolean;
  readonly run: () => void;
}

export interface LauncherGroup {
  readonly name: string;
  readonly entries: readonly LauncherEntry[];
}

/** What is asked for and cannot run now, with its reason: more would bury the others. */
const maxDisabled = 3;

/** The entries that hold every word of a query, in groups; the best match comes first, and what cannot run now last. */
export function matchEntries(entries: readonly LauncherEntry[], query: string): readonly LauncherGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = entries
    .map((entry) => ({ entry, rank: computeRank(entry, words) }))
    .filter(({ rank }) => rank < Infinity)
    // Stable: entries of one rank keep their order.
    .sort((a, b) => a.rank - b.rank);
  const enabledEntries = ranked.filter(({ entry }) => entry.refusal === undefined);
  const disabledEntries = ranked.filter(({ entry }) => entry.refusal !== undefined);
  const visibleEntries = [...enabledEntries, ...disabledEntries.slice(0, words.length === 0 ? 0 : maxDisabled)];
  const groups = Map.groupBy(visibleEntries, ({ entry }) => entry.group);
  return [...groups].map(([name, matches]) => ({ name, entries: matches.map(({ entry }) => entry) }));
}

/** 0 where the label begins with the first word, 1 where each word begins one in it, 2 where each is within, 3 where the detail helps. */
function computeRank(entry: LauncherEntry, words: readonly string[]): number {
  const { label, detail = '', group, synonyms = '' } = entry;
  const [firstWord] = words;
  if (firstWord === undefined) return 0;
  const name = label.toLowerCase();
  const searchableText = `${name} ${detail} ${group} ${synonyms}`.toLowerCase();
  if (!words.every((word) => searchableText.includes(word))) return Infinity;
  if (!words.every((word) => name.includes(word))) return 3;
  if (name.startsWith(firstWord)) return 0;
  return words.every((word) => name.startsWith(word) || name.includes(` ${word}`)) ? 1 : 2;
}
