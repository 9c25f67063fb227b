import { formatCount, formatList, formatPercent, formatPlural } from '../format.ts';

/** Text of custom checks. */
export const checks = {
  name: 'Custom checks',
  open: 'Custom checks',
  howMany: (activeCount: number, total: number) =>
    total === 0 ? 'No checks yet' : `${formatCount(activeCount)} of ${formatCount(total)} on`,
  empty:
    'A custom check is a rule you write: which records it applies to, and what must be true for them. It runs on every record in the background.',
  failed: 'Couldn’t load the checks.',
  add: 'New check',
  close: 'Close custom checks',
  untitled: 'New check',
  list: 'Checks',
  fields: {
    title: 'Title',
    titleHint: 'What must be true, for example: A plan has a title',
    id: 'ID',
    idHint: (rule: string) => `Issues use the rule ID ${rule}. It can’t be changed later.`,
    type: 'Resource type',
    applies: 'Applies to',
    appliesHint: 'FHIRPath, optional. Records for which it is true; empty means all',
    holds: 'Must be true',
    holdsHint: 'A FHIRPath that must be true. An empty result counts as false.',
    points: 'Mark this element',
    pointsHint: 'FHIRPath of the elements to mark; empty means the whole record',
    category: 'Category',
    severity: 'Severity',
    warnAbove: 'Warning above',
    failAbove: 'Failure above',
    boundHint: '3 or 2%',
    boundWrong: 'Enter a whole number of records, or a percentage such as 2%.',
    owner: 'Owner',
    note: 'Note',
  },
  suggestions: 'Elements and functions',
  save: 'Save',
  saved: (title: string) => `Check “${title}” saved`,
  saveFailed: 'Couldn’t save the check.',
  on: 'Turn on',
  off: 'Turn off',
  switchedOn: (title: string) => `Running “${title}” on all records`,
  switchedOff: (title: string) => `“${title}” is off. Its issues are removed.`,
  tryFirst: 'Test it first',
  saveFirst: 'Save it first',
  remove: 'Delete',
  removeTitle: 'Delete this check?',
  removeWhat: (title: string) => `“${title}”, its issues and their states are deleted. This can’t be undone.`,
  keep: 'Cancel',
  removed: (title: string) => `Check “${title}” deleted`,
  discardTitle: 'Discard unsaved changes?',
  discardWhat: (titles: readonly string[]) => `Not saved: ${formatList(titles)}.`,
  discard: 'Discard',
  keepEditing: 'Keep editing',
  states: { on: 'On', off: 'Off', waits: 'Queued' },
  unsaved: 'Not saved',
  /** In whole percent, rounded down, so that 100% means that no record is left. */
  running: (done: number, total: number) =>
    `${formatPercent(Math.floor((done / Math.max(1, total)) * 100) / 100)} checked`,
  counts: (violatedCount: number, applied: number) =>
    `${formatCount(violatedCount)} of ${formatCount(applied)} fail`,
  skipped: (count: number) =>
    formatPlural(count, {
      one: '{n} record could not be checked',
      other: '{n} records could not be checked',
    }),
  halted: 'Stopped: it took too long or used too much memory on too many records',
  findings: 'Show issues',
  live: 'Result for an open record',
  liveNone: (type: string) => `Open a ${type} to see the result of this check for it.`,
  liveRecord: 'Open record',
  verdicts: {
    none: 'Doesn’t apply to this record',
    holds: 'Passes',
    broken: 'Fails',
    skipped: (reason: string) => `Couldn’t be checked: ${reason}`,
  },
  whole: 'whole record',
  trial: 'Test on 1,000 records',
  trialFailed: 'Couldn’t test the check.',
  tried: (records: number, counts: Readonly<Record<'applied' | 'violated' | 'skipped', number>>) =>
    formatPlural(
      records,
      {
        one: 'Tested on {n} record. Applies to {applied}, {violated} fail, {skipped} could not be checked.',
        other:
          'Tested on {n} records. Applies to {applied}, {violated} fail, {skipped} could not be checked.',
      },
      counts,
    ),
  some: 'Examples that fail',
  someUnasked: 'Examples that could not be checked',
  /** Number of elements in addition to the named one. */
  elements: (moreCount: number) => formatPlural(moreCount, { other: 'and {n} more' }),
  unasked: 'Records that could not be checked',
};
