import type { BatchState, DifferenceKind } from '../../../core/app/batches.ts';
import type { ImportForm } from '../../../core/app/transfer.ts';
import { formatCount, formatPlural } from '../format.ts';

/** Text of the import batches in the Data view. */
export const batches = {
  heading: 'Batches',
  what: 'Each import is a batch: from this page, the command line or the API. You can review it, compare it with another one, and undo it completely.',
  empty: 'No imports yet',
  emptyWhat: 'Each import becomes a batch here. You can undo it completely.',
  startImport: 'Import records',
  failed: 'Couldn’t load the batches.',
  table: 'Batches',
  columns: {
    name: 'Batch',
    time: 'When',
    who: 'Who',
    stored: 'Stored',
    since: 'Since then',
    issues: 'Records with issues',
    action: 'Action',
  },
  unnamed: 'Unnamed',
  filterLabel: 'Show',
  all: 'All',
  forms: { page: 'page', command: 'command line', http: 'API' } satisfies Record<ImportForm, string>,
  states: {
    running: 'Running',
    stopped: 'Stopped',
    done: 'Done',
    undone: 'Undone',
  } satisfies Record<BatchState, string>,
  stoppedAfter: (count: number) => `Stopped after ${formatCount(count)}`,
  undoneBy: (who: string, time: string) => `Undone by ${who}, ${time}`,
  since: (changedCount: number, sameCount: number) =>
    `${formatCount(changedCount)} changed, ${formatCount(sameCount)} as imported`,
  removed: (count: number) => `${formatCount(count)} removed`,
  loading: 'Loading',
  more: 'Show more',
  showLines: (name: string) => `Show lines of ${name}`,
  openWorklist: 'Open worklist',
  openWorklistOf: (name: string) => `Open worklist of ${name}`,
  showRecords: (type: string) => `Show ${type}`,
  showRecordsOf: (type: string, name: string) => `Show ${type} of ${name}`,
  undo: {
    start: 'Undo batch',
    startOf: (name: string) => `Undo batch ${name}`,
    name: 'Undo batch',
    loading: 'Checking what an undo would do',
    failed: 'Couldn’t undo the batch.',
    dryRunFailed: 'Couldn’t check what an undo would do.',
    removed: (count: number) =>
      formatPlural(count, {
        one: '{n} record would be removed: new with this batch, unchanged since.',
        other: '{n} records would be removed: new with this batch, unchanged since.',
      }),
    restored: (count: number) =>
      formatPlural(count, {
        one: '{n} record would go back to the version before.',
        other: '{n} records would go back to the version before.',
      }),
    changed: (count: number) =>
      formatPlural(count, {
        one: '{n} record changed since and stays:',
        other: '{n} records changed since and stay:',
      }),
    resourcesRemoved: (count: number) =>
      formatPlural(count, {
        one: '{n} related resource would be removed. Nothing else refers to it.',
        other: '{n} related resources would be removed. Nothing else refers to them.',
      }),
    resourcesRestored: (count: number) =>
      formatPlural(count, {
        one: '{n} related resource would go back to its former content.',
        other: '{n} related resources would go back to their former content.',
      }),
    resourcesKept: (count: number) =>
      formatPlural(count, {
        one: '{n} related resource stays, because something else refers to it.',
        other: '{n} related resources stay, because something else refers to them.',
      }),
    nothing: 'Nothing is left to undo.',
    keepsHistory: 'Removed records keep their history. You can import the files again.',
    cancel: 'Cancel',
    confirm: (count: number) => `Undo batch of ${formatCount(count)}`,
    done: (name: string, count: number) =>
      formatPlural(
        count,
        { one: '{name} undone: {n} record', other: '{name} undone: {n} records' },
        { name },
      ),
  },
  compare: {
    start: 'Compare with batch…',
    startOf: (name: string) => `Compare with batch… ${name}`,
    name: 'Compare with batch',
    other: 'Compared with',
    choose: 'Choose a batch',
    none: 'There is no other batch.',
    failed: 'Couldn’t compare the batches.',
    counts: (counts: Readonly<Record<DifferenceKind | 'same', number>>) =>
      `${formatCount(counts.new)} new, ${formatCount(counts.gone)} no longer included, ${formatCount(counts.different)} different, ${formatCount(counts.same)} same`,
    table: 'Differences between batches',
    columns: { address: 'Came as', kind: 'Difference', record: 'Record', other: 'Record of the other batch' },
    kinds: { new: 'New', gone: 'No longer included', different: 'Different' } satisfies Record<
      DifferenceKind,
      string
    >,
    close: 'Close',
  },
  lines: {
    table: 'Outcome by line',
    failed: 'Couldn’t load the lines.',
    none: 'No lines.',
  },
} as const;
