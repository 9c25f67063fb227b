import type { Grouping } from '../../../core/app/quality.ts';
import { formatCount, formatPercent, formatPlural } from '../format.ts';

const groupNames: Readonly<Record<Grouping, string>> = {
  record: 'Record',
  patient: 'Patient',
  rule: 'Rule',
  source: 'Source',
  author: 'Author',
  month: 'Month',
};

const categories = {
  conformance: 'Conformance',
  completeness: 'Completeness',
  plausibility: 'Plausibility',
} as const;

const groupChoices: Readonly<Record<Grouping, string>> = {
  record: 'By record',
  patient: 'By patient',
  rule: 'By rule',
  source: 'By source',
  author: 'By author',
  month: 'By month',
};

const issues = (count: number) => formatPlural(count, { one: '{n} issue', other: '{n} issues' });

/** Text of the quality worklist. A message with `{time}` is filled by an element. */
export const quality = {
  rules: 'Rules',
  filter: 'Filter rules',
  severity: 'Severity',
  anySeverity: 'All severities',
  severities: { error: 'Error', warning: 'Warning' },
  errors: 'Errors',
  warnings: 'Warnings',
  type: 'Resource type',
  anyType: 'All types',
  text: 'Rule, title, ID, patient or path',
  categories,
  all: 'All issues',
  counted: 'Last counted {time}',
  undecided: (count: number) =>
    formatPlural(count, {
      one: '{n} record could not be fully checked',
      other: '{n} records could not be fully checked',
    }),
  records: (count: number) => formatPlural(count, { one: '{n} record', other: '{n} records' }),
  issues,
  findings: 'Issues',
  findingsOf: (rule: string) => `Issues: ${rule}`,
  loading: 'Counting issues',
  failed: 'Couldn’t load the worklist.',
  share: (share: string) => `${share} of records`,
  exportCsv: 'Export CSV',
  exported: (count: number) =>
    formatPlural(count, {
      one: '{n} issue exported to quality.csv',
      other: '{n} issues exported to quality.csv',
    }),
  exportFailed: 'Couldn’t export the worklist.',
  replaceAll: 'Bulk edit',
  fix: 'Open',
  fixOf: (title: string) => `Open ${title} at the issue`,
  columns: {
    title: 'Title',
    issue: 'Issue',
    element: 'Element',
    excerpt: 'Value',
    others: 'Other record',
    subject: 'Subject',
    status: 'Status',
    updated: 'Updated',
    fix: 'Actions',
  },
  judged: {
    at: 'Checked {time}',
    never: 'Not checked yet',
    rules: (stamp: string) =>
      `Rule set ${stamp}. A new rule set has a new number; all records are then checked again.`,
    again: 'Check again',
    failed: 'Couldn’t check the records again.',
  },
  trend: {
    name: 'Records without issues, last 90 days',
    table: 'Share of records without issues, by day',
    day: 'Day',
    /** `share` of 100. It is never rounded up: 100% says that there is no issue. */
    percent: (share: number) => formatPercent(Math.floor(share * 10) / 1000),
    days: (count: number) => formatPlural(count, { one: '{n} day', other: '{n} days' }),
    rule: (firstCount: number, lastCount: number) =>
      `Failing records: ${formatCount(firstCount)} at first, ${formatCount(lastCount)} now`,
    checks: { all: 'Without issues', ...categories },
  },
  batch: (name: string) => `Batch: ${name}`,
  allBatches: 'Show the issues of all records',
  groups: {
    name: 'Group by',
    no: 'No grouping',
    named: (grouping: Grouping) => groupChoices[grouping],
    by: groupNames,
    none: {
      record: 'No record',
      patient: 'No patient',
      rule: 'No rule',
      source: 'No source',
      author: 'No author',
      month: 'No month',
    },
    records: 'Records',
    of: (count: string) => `of ${count}`,
    rest: 'Without issues',
    restHelp: 'Records in this group without any of these issues',
    all: 'All groups',
  },
  measures: {
    open: 'Measures',
    name: 'Measures',
    close: 'Close measures',
    from: 'From (end of day)',
    to: 'To (end of day)',
    outOfOrder: (maxDays: number) =>
      `Choose a start and a later end, at most ${formatCount(maxDays)} days apart.`,
    failed: 'Couldn’t load the measures.',
    exportFailed: 'Couldn’t export the measures.',
    csv: 'Export CSV',
    report: 'Export FHIR MeasureReport',
    print: 'Print report',
    printed: (from: string, to: string) => `Quality from ${from} to ${to}`,
    measured: 'Measured on',
    never: 'Not yet',
    records: 'Records',
    waived: 'Waived issues',
    none: 'No issues on these days.',
    table: 'Measures by rule',
    columns: {
      rule: 'Rule',
      violated: 'Failing',
      findings: 'Issues',
      skipped: 'Not checked',
      new: 'New',
      resolved: 'Resolved',
      persisting: 'Persisting',
      waived: 'Waived',
      line: '90 days',
      warnAbove: 'Warn above',
      failAbove: 'Fail above',
    },
    standings: { within: 'Within limits', warning: 'Above warning limit', failure: 'Above failure limit' },
    boundOf: (boundName: string, rule: string) => `${boundName}: ${rule}`,
    boundHint: '3 or 2%',
    boundWrong: 'Enter a number of records, or a percentage such as 2%',
    ownHint: 'Set in the custom check. Change it there.',
    lineOf: (rule: string) => `Failing records by day: ${rule}`,
    count: (count: number) => formatCount(count),
    of: (violatedCount: number, applied: number) =>
      `${formatCount(violatedCount)} of ${formatCount(applied)}`,
    more: (count: number) => (count === 0 ? '0' : `+${formatCount(count)}`),
    fewer: (count: number) => (count === 0 ? '0' : `−${formatCount(count)}`),
  },
  states: {
    filter: 'State',
    any: 'All states',
    names: { open: 'Open', assigned: 'Assigned', waived: 'Waived' },
    column: 'State',
    menu: (count: number) =>
      count > 1
        ? formatPlural(count, { one: 'Assign or waive {n}', other: 'Assign or waive {n}' })
        : 'Assign or waive',
    assign: 'Assign to',
    nobody: 'No profiles yet. Add one in Settings.',
    waive: 'Waive…',
    note: 'Note…',
    open: 'Reopen',
    waiveTitle: (count: number) => formatPlural(count, { one: 'Waive {n} issue', other: 'Waive {n} issues' }),
    noteTitle: 'Note',
    reason: 'Reason',
    noteLabel: 'Note (leave empty to remove it)',
    until: 'Until (inclusive)',
    save: 'Save',
    done: {
      assigned: (count: number) =>
        formatPlural(count, { one: '{n} issue assigned', other: '{n} issues assigned' }),
      waived: (count: number) => formatPlural(count, { one: '{n} issue waived', other: '{n} issues waived' }),
      open: (count: number) =>
        formatPlural(count, { one: '{n} issue reopened', other: '{n} issues reopened' }),
      note: (count: number) => formatPlural(count, { one: '{n} issue noted', other: '{n} issues noted' }),
    },
    undo: 'Undo',
    undone: (count: number) =>
      formatPlural(count, { one: '{n} issue as it was before', other: '{n} issues as they were before' }),
    failed: 'Couldn’t save the state.',
  },
  whole: 'whole record',
  keys: '↑ ↓ move, Enter opens at the element',
  loaded: (loaded: string, total: string) => `${loaded} of ${total} loaded`,
  noWalk: 'Open the worklist first.',
  noNext: 'Last issue in the list.',
  noPrevious: 'First issue in the list.',
  at: (number: string, total: string) => `Issue ${number} of ${total}`,
  remote: {
    form: 'Check records',
    hint: (host: string) =>
      `Chartkeeper reads the records of ${host} and checks them here, against its own rules and your custom checks. You can leave this page; checking continues.`,
    check: 'Check records',
    resume: 'Resume check',
    anew: 'Check all records again',
    anewHint: 'Reads every record again. Deleted records leave the list.',
    stop: 'Stop check',
    none: 'No issues found.',
    progress: 'Records checked',
    failed: 'Couldn’t load the state of the check.',
    until: 'Next try {time}',
    refused: (message: string) => `The server doesn’t list all records: ${message}`,
    states: {
      running: (readCount: number, total?: number) =>
        total === undefined
          ? formatPlural(readCount, { one: 'Checking: {n} record', other: 'Checking: {n} records' })
          : formatPlural(
              total,
              { one: 'Checking: {read} of {n} record', other: 'Checking: {read} of {n} records' },
              { read: readCount },
            ),
      waiting: (readCount: number, _total?: number) =>
        formatPlural(readCount, {
          one: 'Waiting. {n} record checked.',
          other: 'Waiting. {n} records checked.',
        }),
      stopped: (readCount: number, _total?: number) =>
        formatPlural(readCount, {
          one: 'Stopped. {n} record checked.',
          other: 'Stopped. {n} records checked.',
        }),
      failed: (readCount: number, _total?: number) =>
        formatPlural(readCount, {
          one: 'Ended early. {n} record checked.',
          other: 'Ended early. {n} records checked.',
        }),
      done: (readCount: number, _total?: number) =>
        formatPlural(readCount, {
          one: '{n} record checked against Chartkeeper’s rules and your custom checks',
          other: '{n} records checked against Chartkeeper’s rules and your custom checks',
        }),
    },
  },
  none: {
    title: (level: string) => `No issues at validation level ${level}.`,
    titleOpen: (level: string) => `No issues found so far at validation level ${level}.`,
    checked: (count: number) =>
      formatPlural(count, { one: '{n} record checked {time}.', other: '{n} records checked {time}.' }),
    undecided: (count: number) =>
      formatPlural(count, {
        one: '{n} record could not be fully checked.',
        other: '{n} records could not be fully checked.',
      }),
    records: 'No records yet.',
    recordsHint: 'Load the demo clinic or import files. Issues are then listed here by rule.',
    match: 'No issues match the filter.',
    clear: 'Clear filter',
  },
} as const;
