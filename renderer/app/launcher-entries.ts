import type { Icon } from '@tabler/icons-react';

/** Something that the palette offers: a command, a view, a tab, a record or a search. */
export interface LauncherEntry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly keys?: string | undefined;
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

/** The entries that hold every word of a query, in groups; the best match comes first, and its group with it. */
export function matchEntries(entries: readonly LauncherEntry[], query: string): readonly LauncherGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank < Infinity)
    // Stable: entries of one rank keep their order.
    .sort((left, right) => left.rank - right.rank);
  const groups = Map.groupBy(ranked, ({ entry }) => entry.group);
  return [...groups].map(([name, matches]) => ({ name, entries: matches.map(({ entry }) => entry) }));
}

/** 0 where the label begins with the first word, 1 where each word begins one in it, 2 where each is within, 3 where the detail helps. */
function rankOf({ label, detail = '', group, refusal }: LauncherEntry, words: readonly string[]): number {
  const [first] = words;
  // Unasked, what cannot run now stands behind what can.
  if (first === undefined) return refusal === undefined ? 0 : 1;
  const name = label.toLowerCase();
  const all = `${name} ${detail} ${group}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return Infinity;
  if (!words.every((word) => name.includes(word))) return 3;
  if (name.startsWith(first)) return 0;
  return words.every((word) => name.startsWith(word) || name.includes(` ${word}`)) ? 1 : 2;
}
