import { formatBytes, formatCount, formatPlural } from '../format.ts';

export const training = {
  heading: 'Training data',
  description: (seed: number) =>
    `Made-up records for practice. Seed ${seed} creates the same IDs on every computer.`,
  store: {
    heading: 'Practice store',
    description: 'The clean clinic in a store of its own. None of it gets into this one.',
    open: 'Open practice store',
    failed: 'Couldn’t open the practice store.',
    onlyThere: 'This store has other records, so training data is only loaded into the practice store.',
  },
  columns: { set: 'Set', contents: 'Contents', loaded: 'Loaded', action: 'Action' },
  sets: {
    clean: {
      name: 'Clean clinic',
      load: 'Load clean clinic',
      contents: '200 patients with plans and documents, without errors.',
    },
    migration: {
      name: 'Migration gone wrong',
      load: 'Load migration gone wrong',
      contents: 'Another 100 patients, with defects for every validation rule, listed below.',
    },
    busy: {
      name: 'Busy ward',
      load: 'Load busy ward',
      contents:
        'The clean clinic with a background writer that changes a record every few seconds: practice for conflicts.',
    },
  },
  loaded: (loaded: number, records: number) => `${formatCount(loaded)} of ${formatCount(records)}`,
  loadResult: (name: string, storedCount: number, unchanged: number) =>
    formatPlural(
      storedCount,
      {
        one: '{name}: {n} record stored, {unchanged} already present',
        other: '{name}: {n} records stored, {unchanged} already present',
      },
      { name, unchanged },
    ),
  loadFailed: 'Couldn’t load the training data.',
  listFailed: 'Couldn’t load the list of training sets.',
  busyWard: {
    heading: 'Busy ward',
    running: (seconds: number) =>
      formatPlural(seconds, {
        one: 'Running: one change every {n} second',
        other: 'Running: one change every {n} seconds',
      }),
    stopped: 'Stopped',
    intervalLabel: 'Change interval',
    interval: (seconds: number) => formatPlural(seconds, { one: '{n} second', other: '{n} seconds' }),
    start: 'Start busy ward',
    stop: 'Stop busy ward',
    started: 'Busy ward started',
    stoppedAnnouncement: 'Busy ward stopped',
    changes: (count: number) =>
      formatPlural(count, {
        one: '{n} change since it was started',
        other: '{n} changes since it was started',
      }),
    last: (title: string, version: number) => `Last change: ${title}, now version ${version}`,
    records: 'Records of the ward',
    recordsHint: 'Open a record, change it and save it while the ward is running.',
    failed: 'Couldn’t start or stop the busy ward.',
  },
  defects: {
    heading: 'Planted defects',
    show: 'Show planted defects',
    failed: 'Couldn’t load the list of defects.',
    rule: 'Rule',
    allRules: (count: number) => `All rules (${formatCount(count)})`,
    table: 'Planted defects by record',
    columns: { rule: 'Rule', record: 'Record', pointer: 'Element' },
    root: 'The record itself',
    saveCsv: 'Save list as CSV',
  },
  reset: {
    heading: 'Delete all records',
    description: 'Deletes all records. A backup is made first. Tokens, drafts, searches and settings stay.',
    start: 'Delete all records',
    empty: 'There are no records to delete.',
    title: 'Delete all records?',
    deletedCount: (deletedCount: number) =>
      formatPlural(deletedCount, {
        one: '{n} record will be deleted, with all versions.',
        other: '{n} records will be deleted, with all versions.',
      }),
    otherCount: (otherCount: number) =>
      formatPlural(otherCount, {
        one: '{n} of them is not training data.',
        other: '{n} of them are not training data.',
      }),
    noOthers: 'All of them are training data.',
    confirmOthers: (otherCount: number) =>
      formatPlural(otherCount, {
        one: 'Also delete the {n} record that is not training data',
        other: 'Also delete the {n} records that are not training data',
      }),
    confirm: (total: number) =>
      formatPlural(total, {
        one: 'Back up and delete {n} record',
        other: 'Back up and delete {n} records',
      }),
    cancel: 'Cancel',
    deleted: (removedCount: number) =>
      formatPlural(removedCount, { one: '{n} record deleted', other: '{n} records deleted' }),
    deletedAnnouncement: (removedCount: number, bytes: number, path: string) =>
      formatPlural(
        removedCount,
        {
          one: '{n} record deleted. Backup ({size}): {path}',
          other: '{n} records deleted. Backup ({size}): {path}',
        },
        { size: formatBytes(bytes), path },
      ),
    backup: (bytes: number) => `Backup (${formatBytes(bytes)}):`,
    failed: 'Nothing was deleted.',
  },
} as const;
