import { formatPlural } from '../format.ts';

/** Text of quick fixes. */

export const fixes = {
  of: (expression: string) => `Fix ${expression}`,
  working: 'Looking for quick fixes',
  inAll: (words: string, count: number) =>
    formatPlural(count, { other: '{words}: all {n} in this record' }, { words }),
  done: (words: string) => `Applied: ${words}`,
  doneAt: (element: string, words: string) => `Applied to ${element}: ${words}`,
  doneIn: (count: number, keys: string) =>
    formatPlural(
      count,
      { one: '{n} issue fixed. Undo with {keys}.', other: '{n} issues fixed. Undo with {keys}.' },
      { keys },
    ),
  choose: (label: string) => `Nothing was changed. “${label}” is not a safe fix. Choose one from the list.`,
  notDone: 'Nothing was changed: the record has changed since.',
  nothing: 'No quick fix available.',
  quickHint: 'Opens the record with the fix applied, not saved',
  quick: (title: string) => `Quick fix ${title}`,
} as const;
