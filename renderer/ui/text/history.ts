import { formatCount, formatList, formatPlural } from '../format.ts';

export const history = {
  notOffered: (host: string) => `${host} doesn’t provide a history of this record.`,
  titleOf: (name: string) => `History of ${name}`,
  close: 'Close history',
  versions: 'Versions',
  version: (version: number) => `Version ${version}`,
  current: 'current',
  loading: 'Loading history',
  failed: 'Couldn’t load the history.',
  empty: 'No versions yet. Saving creates the first one.',
  only: 'This is the first version. Saving, patching or importing creates the next.',
  count: (shownCount: number, total: number) =>
    shownCount < total
      ? formatPlural(
          total,
          { one: '{shown} of {n} version', other: '{shown} of {n} versions' },
          { shown: shownCount },
        )
      : formatPlural(total, { one: '{n} version', other: '{n} versions' }),
  older: 'Show older versions',
  operations: {
    create: 'Created',
    update: 'Updated',
    patch: 'Patched',
    import: 'Imported',
  },
  operationsBy: {
    create: (author: string) => `Created by ${author}`,
    update: (author: string) => `Updated by ${author}`,
    patch: (author: string) => `Patched by ${author}`,
    import: (author: string) => `Imported by ${author}`,
  },
  changes: (count: number, changeNames: readonly string[]) =>
    formatPlural(
      count,
      { one: '{n} change: {list}', other: '{n} changes: {list}' },
      {
        list:
          count > changeNames.length
            ? formatList([...changeNames, `${formatCount(count - changeNames.length)} more`])
            : formatList(changeNames, 'unit'),
      },
    ),
  same: 'no change in content',
  tick: (version: number) => `Select version ${version} to compare`,
  compare: (older: number, newer: number) =>
    older === 0 ? `Show version ${newer}` : `Compare versions ${older} and ${newer}`,
  restore: (version: number) => `Restore version ${version}`,
  restoreCurrent: 'This is the current version.',
  restoreHint:
    'Puts this version’s content in the editor and opens the review. Nothing is saved until you do.',
  restoreSame: (version: number) => `Version ${version} has the same content as the current version.`,
  restoring: (version: number) => `Version ${version} is in the editor. Review and save it as a new version.`,
  diffFailed: 'Couldn’t load the versions.',
  keys: 'Arrow keys move, Space selects, Enter compares',
  stamp: 'Show version ID and time (meta)',
  before: 'Before the first version',
  changed: (count: number) =>
    count === 0 ? 'No changes in content' : formatPlural(count, { one: '{n} change', other: '{n} changes' }),
} as const;
