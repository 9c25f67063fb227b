import { countOf } from '../format.ts';

/** Text of the history of a record. */
export const history = {
  notOffered: (host: string) => `${host} gives no history of this record.`,
  titleOf: (name: string) => `History of ${name}`,
  close: 'Close history',
  versions: 'Versions',
  version: (version: number) => `Version ${version}`,
  current: 'current',
  loading: 'Reading the history',
  failed: 'The history could not be read.',
  empty: 'No version yet. The first is made when the record is saved.',
  only: 'This is the first version. A save, a patch or an import makes the next.',
  count: (shown: number, total: number) =>
    shown < total ? `${shown} of ${countOf(total, 'version')}` : countOf(total, 'version'),
  older: 'Show older versions',
  by: (author: string) => `by ${author}`,
  operations: {
    create: 'created',
    update: 'updated',
    patch: 'patched',
    import: 'imported',
  },
  changes: (count: number) => countOf(count, 'change'),
  more: (count: number) => `and ${count} more`,
  same: 'same content',
  tick: (version: number) => `Tick version ${version} to compare it`,
  compare: (older: number, newer: number) =>
    older === 0 ? `Show version ${newer}` : `Compare ${older} and ${newer}`,
  restore: (version: number) => `Restore version ${version}`,
  restoreCurrent: 'This version is the current one.',
  restoreHint: 'Puts its content into the editor and opens the review. Nothing is saved before.',
  restoreSame: (version: number) => `Version ${version} says what the current version says.`,
  restoring: (version: number) =>
    `Version ${version} is in the editor. Review it to save it as a new version.`,
  diffFailed: 'The versions could not be read.',
  keys: 'Arrows move, Space ticks, Enter compares',
  stamp: 'Show version id and time in meta',
  before: 'Before the first version',
  changed: (count: number) => (count === 0 ? 'No difference in content' : countOf(count, 'change')),
} as const;
