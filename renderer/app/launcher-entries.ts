import type { Icon } from '@tabler/icons-react';

/** An entry of the palette: a command, a view, a tab, a record or a search. */
export interface LauncherEntry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly keys?: string | undefined;
  /** Additional search words. */
  readonly synonyms?: string | undefined;
  readonly icon?: Icon | undefined;
  /** Reason why the entry cannot run now. */
  readonly refusal?: string | undefined;
  /** The list stays open and shows the result. */
  readonly keepsOpen?: boolean;
  readonly run: () => void;
}

/** Entries under one heading. */
export interface LauncherGroup {
  readonly name: string;
  readonly entries: readonly LauncherEntry[];
}

/** Entries that cannot run now; more would hide the others. */
const maxDisabled = 3;

/** Returns the entries that contain every word of a query, in groups. Best match first, disabled entries last. */
export function matchEntries(entries: readonly LauncherEntry[], query: string): readonly LauncherGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = entries
    .map((entry) => ({ entry, rank: computeRank(entry, words) }))
    .filter(({ rank }) => rank < Infinity)
    // The sort is stable: entries of one rank keep their order.
    .sort((a, b) => a.rank - b.rank);
  const enabledEntries = ranked.filter(({ entry }) => entry.refusal === undefined);
  const disabledEntries = ranked.filter(({ entry }) => entry.refusal !== undefined);
  const visibleEntries = [
    ...enabledEntries,
    ...disabledEntries.slice(0, words.length === 0 ? 0 : maxDisabled),
  ];
  const groups = Map.groupBy(visibleEntries, ({ entry }) => entry.group);
  return [...groups].map(([name, matches]) => ({ name, entries: matches.map(({ entry }) => entry) }));
}

/**
 * Returns 0 if the label starts with the first word, 1 if each word starts a word of the label,
 * 2 if the label contains each word, 3 if a word is only in the other texts, Infinity otherwise.
 */
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
