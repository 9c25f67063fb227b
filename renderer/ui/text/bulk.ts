import { formatCount, formatList, formatPlural } from '../format.ts';

/** Returns the label of the first operation, or the numbered label of a later one. */
function numbered(number: number, firstLabel: string, numberedLabel: string): string {
  return number > 1 ? numberedLabel : firstLabel;
}

export const bulk = {
  title: 'Bulk edit',
  close: 'Close bulk edit',
  over: 'Records',
  steps: { compose: '1. Changes', examine: '2. Dry run', run: '3. Run' },
  kinds: { replace: 'Replace', compute: 'Compute', fix: 'Quick fix' },
  kind: (number: number) => numbered(number, 'Change', `Change ${number}`),
  noFix: 'Choose a fix',
  way: (number: number) => numbered(number, 'Method', `Method ${number}`),
  firstWay: 'First safe method for each issue',
  wayOf: (method: string, count: number) => `${method} (fits ${formatCount(count)} in the sample)`,
  fix: (number: number) => numbered(number, 'Fix', `Fix ${number}`),
  fixLine: (fix: string) => `Quick fix: ${fix}`,
  expression: (number: number) => numbered(number, 'FHIRPath', `FHIRPath ${number}`),
  expressionHint: "$this.replace('_', '-')",
  compute: {
    hint: '$this is the element, %resource the record. The result must be a single text or a Boolean. Numbers are not computed, so that no digit changes.',
    late: (seconds: number) =>
      formatPlural(seconds, {
        one: 'The expression took longer than {n} second.',
        other: 'The expression took longer than {n} seconds.',
      }),
    failed: (reason: string) => `Can’t evaluate the expression: ${reason}.`,
    nothing: 'The expression returns nothing.',
    empty: 'The expression returns an empty text.',
    several: (count: number) =>
      formatPlural(count, { other: 'The expression returns {n} values. One is expected.' }),
    number:
      'The expression returns a number. Computed numbers are not written; use Replace with a fixed value.',
    object: 'The expression returns an object. A text is expected.',
    broken: 'Couldn’t evaluate the expression.',
  },
  values: (count: number, isComplete: boolean) =>
    isComplete
      ? formatPlural(count, {
          one: 'Current values in the record',
          other: 'Current values in all {n} records',
        })
      : formatPlural(count, { other: 'Current values in the first {n} records' }),
  noValues: (count: number, isComplete: boolean) =>
    isComplete
      ? formatPlural(count, {
          one: 'No value at this path in the record.',
          other: 'No value at this path in all {n} records.',
        })
      : formatPlural(count, { other: 'No value at this path in the first {n} records.' }),
  moreValues: (count: number) =>
    formatPlural(count, { one: 'and {n} more value', other: 'and {n} more values' }),
  sampling: 'Reading sample records',
  notSampled: 'Couldn’t read the sample records.',
  first: (count: number) => formatPlural(count, { one: 'First record', other: 'First {n} records' }),
  path: (number: number) => numbered(number, 'Path', `Path ${number}`),
  now: (number: number) =>
    numbered(number, 'Only if the value is', `Operation ${number}: only if the value is`),
  value: (number: number) => numbered(number, 'Replace with', `Operation ${number}: replace with`),
  operation: (number: number) => `Operation ${number}`,
  remove: (number: number) => `Remove operation ${number}`,
  add: 'Add operation',
  pathHint: '/activity/*/detail/status',
  nowHint: 'Any value',
  valueHint: 'JSON or plain text',
  star: 'Use * in place of an index to match every item of a list.',
  asString: (source: string) => `Will be written as the string ${source}`,
  dryRunFirst: 'Nothing is sent until you have seen the dry run.',
  dryRun: 'Start dry run',
  gathering: (count: number) => `Listing records: ${formatCount(count)} so far`,
  examining: (done: number, total: number) =>
    formatPlural(
      total,
      { one: 'Dry run: {done} of {n} record', other: 'Dry run: {done} of {n} records' },
      { done },
    ),
  examined: (total: number, ready: number) =>
    formatPlural(
      total,
      {
        one: 'Dry run complete: {ready} of {n} record would change',
        other: 'Dry run complete: {ready} of {n} records would change',
      },
      { ready },
    ),
  nothingFound: 'No records to change.',
  running: (sentCount: number, total: number) =>
    `Changing records: ${formatCount(sentCount)} of ${formatCount(total)}`,
  stoppedAt: (sentCount: number, total: number, remainingCount: number) =>
    `Stopped after ${formatCount(sentCount)} of ${formatCount(total)}. ${formatCount(remainingCount)} left.`,
  examineStopped: (done: number, total: number) =>
    formatPlural(
      total,
      {
        one: 'Dry run stopped after {done} of {n} record',
        other: 'Dry run stopped after {done} of {n} records',
      },
      { done },
    ),
  finished: (done: number) => formatPlural(done, { one: '{n} record changed', other: '{n} records changed' }),
  progress: {
    done: 'Done',
    failed: 'Failed',
    skipped: 'Skipped',
    remaining: 'Remaining',
    rate: 'Rate',
  },
  rate: (rate: number) =>
    `${formatCount(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))} records/s`,
  noRate: '–',
  back: 'Edit changes',
  to: (place: string) => `to ${place}`,
  run: (count: number) => formatPlural(count, { one: 'Change {n} record', other: 'Change {n} records' }),
  runOn: (count: number, host: string) =>
    formatPlural(
      count,
      { one: 'Change {n} record on {host}', other: 'Change {n} records on {host}' },
      { host },
    ),
  stop: 'Stop',
  resume: 'Resume',
  resumeOn: (host: string) => `Resume on ${host}`,
  resumeDryRun: 'Resume dry run',
  retries: {
    failed: (count: number) => `Retry ${formatCount(count)} failed`,
    changed: (count: number) => `Retry ${formatCount(count)} changed by others`,
  },
  retriesOn: {
    failed: (count: number, host: string) => `Retry ${formatCount(count)} failed on ${host}`,
    changed: (count: number, host: string) => `Retry ${formatCount(count)} changed by others on ${host}`,
  },
  report: 'Export results',
  reported: (count: number) =>
    formatPlural(count, {
      one: '{n} result exported to bulk-report.csv',
      other: '{n} results exported to bulk-report.csv',
    }),
  done: 'Close',
  show: 'Show',
  everything: 'All',
  targets: 'Records',
  states: {
    waiting: 'Waiting',
    ready: 'Would change',
    unchanged: 'No change needed',
    cannot: 'Can’t be changed',
    refused: 'Would be refused',
    unread: 'Couldn’t be read',
    done: 'Done',
    changed: 'Changed by others',
    gone: 'No longer exists',
    failed: 'Failed',
  },
  pending: 'Pending',
  columns: { state: 'Result', title: 'Title', id: 'ID', detail: 'Change or reason', version: 'Version' },
  more: (count: number) => formatPlural(count, { one: 'and {n} more change', other: 'and {n} more changes' }),
  nothing: 'nothing',
  warns: (count: number) => formatPlural(count, { one: '{n} new warning', other: '{n} new warnings' }),
  noneShown: 'No records with this result',
  held: 'The record already had this value. No new version was created.',
  meanwhile: (version: number | undefined) =>
    version === undefined
      ? 'Someone else saved a newer version during the run. It was not overwritten.'
      : `Someone else saved version ${version} during the run. It was not overwritten.`,
  meanwhileBy: (version: number, author: string) =>
    `${author} saved version ${version} during the run. It was not overwritten.`,
  notFound: (path: string, version: number | undefined) =>
    version === undefined
      ? `The current version no longer has the item that the dry run showed at ${path}. Nothing was written.`
      : `Version ${version} no longer has the item that the dry run showed at ${path}. Nothing was written.`,
  haltedTitle: 'The run stopped.',
  failedTitle: 'Couldn’t list the records.',
  waits: (seconds: number) =>
    formatPlural(seconds, {
      one: 'The server asked to wait {n} second',
      other: 'The server asked to wait {n} seconds',
    }),
  note: (label: string) => `Bulk edit: ${label}`,
  inResults: 'Bulk edit all results',
  noSearch: 'Search for records first.',
  runs: 'Bulk edits',
  runStates: { running: 'Interrupted', stopped: 'Stopped', finished: 'Finished' },
  runCounts: (sentCount: number, total: number) => `${formatCount(sentCount)} of ${formatCount(total)}`,
  openRecord: 'Press Enter to open the record',
  undo: {
    title: 'Undo bulk edit',
    start: 'Undo',
    startOf: (label: string) => `Undo ${label}`,
    label: (label: string) => `Undo: ${label}`,
    question: (count: number) =>
      formatPlural(count, {
        one: '{n} record will get back the exact content from before this bulk edit, as a new version. If someone has changed it since, it is left as it is and listed.',
        other:
          '{n} records will get back the exact content from before this bulk edit, as a new version. Records that someone has changed since are left as they are and listed.',
      }),
    unsure: 'The run was interrupted. Records that were being sent are checked first.',
    confirm: (count: number) => formatPlural(count, { one: 'Undo {n} record', other: 'Undo {n} records' }),
    confirmOn: (count: number, host: string) =>
      formatPlural(
        count,
        { one: 'Undo {n} record on {host}', other: 'Undo {n} records on {host}' },
        { host },
      ),
    keep: 'Cancel',
    undone: (done: number, isCurrent: boolean) =>
      isCurrent
        ? formatPlural(done, { one: 'Undone in {n} record.', other: 'Undone in {n} records.' })
        : formatPlural(done, {
            one: 'Undone in {n} record, then redone.',
            other: 'Undone in {n} records, then redone.',
          }),
    open: 'Open undo',
    openUndone: 'Open original run',
    settling: 'Checking records that were being sent when the run was interrupted',
    erased: (count: number) =>
      formatPlural(count, {
        one: '{n} record erased since the run. It can’t be restored.',
        other: '{n} records erased since the run. They can’t be restored.',
      }),
    state: (done: number, total: number, isCurrent: boolean) => {
      if (done === total) return isCurrent ? 'Undone' : 'Undone, then redone';
      return isCurrent
        ? `Undone in ${formatCount(done)} of ${formatCount(total)}`
        : `Undone in ${formatCount(done)} of ${formatCount(total)}, then redone`;
    },
    running: (sentCount: number, total: number) =>
      `Restoring: ${formatCount(sentCount)} of ${formatCount(total)}`,
    finished: (done: number) =>
      formatPlural(done, { one: '{n} record restored', other: '{n} records restored' }),
    note: (label: string) => label,
    states: {
      ready: 'Will be restored',
      done: 'Restored',
      changed: 'Changed since',
      unchanged: 'Already as before',
      cannot: 'Can’t be restored',
      gone: 'No longer exists',
      failed: 'Not restored',
    },
    unknown: 'The server didn’t say which version the run replaced.',
    holds: 'The record already has its earlier content. No new version was created.',
    stands: (places: readonly string[], moreCount: number) => {
      if (moreCount === 0) return `Values of the run remain at ${formatList(places)}.`;
      const moreElements = formatPlural(moreCount, { one: '{n} more element', other: '{n} more elements' });
      return `Values of the run remain at ${formatList([...places, moreElements])}.`;
    },
    since: (version: number | undefined) =>
      version === undefined
        ? 'A newer version was saved after the run. It was left as it is.'
        : `Version ${version} was saved after the run. It was left as it is.`,
    sinceAt: (version: number, when: string) =>
      `Version ${version} was saved after the run (${when}). It was left as it is.`,
    sinceBy: (version: number, author: string, when: string) =>
      `${author} saved version ${version} after the run (${when}). It was left as it is.`,
  },
} as const;
