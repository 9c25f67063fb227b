import { countOf, formatCount } from '../format.ts';

/** Text of the quality worklist. */
export const qualityText = {
  quality: {
    rules: 'Rules',
    filter: 'Filter of the rules',
    severity: 'Severity',
    anySeverity: 'Any severity',
    severities: { error: 'Error', warning: 'Warning' },
    errors: 'Errors',
    warnings: 'Warnings',
    type: 'Resource type',
    anyType: 'Any type',
    text: 'Rule, title, id, subject or path',
    categories: {
      conformance: 'Conformance',
      completeness: 'Completeness',
      plausibility: 'Plausibility',
    },
    all: 'All issues',
    counted: 'Counted',
    findings: 'Findings',
    findingsOf: (rule: string) => `Findings: ${rule}`,
    loading: 'Counting issues',
    failed: 'The worklist was not read.',
    share: (share: string) => `${share} of all`,
    exportCsv: 'Export CSV',
    exported: (count: string) => `Exported ${count} to quality.csv`,
    exportFailed: 'The worklist was not exported.',
    replaceAll: 'Replace in all',
    fix: 'Fix',
    fixOf: (title: string) => `Fix ${title}`,
    columns: {
      title: 'Title',
      issue: 'Issue',
      element: 'Element',
      excerpt: 'Now',
      subject: 'Subject',
      status: 'Status',
      updated: 'Updated',
      id: 'Id',
      fix: '',
    },
    judged: {
      at: 'Judged',
      never: 'Not yet judged',
      rules: (stamp: string) => `by rules ${stamp}`,
      rulesHint: 'Other rules bear another number; all records are then judged anew.',
      again: 'Judge again',
      failed: 'The records were not judged again.',
    },
    whole: 'the whole record',
    keys: '↑ ↓ move, Enter opens at the element',
    loaded: (loaded: string, total: string) => `${loaded} of ${total} loaded`,
    noWalk: 'Open the quality worklist first.',
    noNext: 'This is the last finding of the list.',
    noPrevious: 'This is the first finding of the list.',
    at: (number: string, total: string) => `Finding ${number} of ${total}`,
    remote: {
      form: 'Check of records',
      hint: (host: string) =>
        `${host} keeps no worklist for Chartkeeper. Read its records and judge them here, by Chartkeeper’s own rules.`,
      patient: 'Patient, or all that the server gives',
      check: 'Check records',
      stop: 'Stop the check',
      none: 'No issue was found.',
      progress: 'Records checked',
      failed: 'The check did not come to its end.',
      states: {
        running: (checked: number, total?: number) =>
          total === undefined
            ? `Checking: ${countOf(checked, 'record')}`
            : `Checking: ${formatCount(checked)} of ${countOf(total, 'record')}`,
        stopped: (checked: number) => `Stopped: ${countOf(checked, 'record')} checked`,
        failed: (checked: number) => `Ended early: ${countOf(checked, 'record')} checked`,
        done: (checked: number, _total: number | undefined, most: number) =>
          checked < most
            ? `Checked ${countOf(checked, 'record')} by Chartkeeper’s own rules`
            : `Checked the first ${countOf(checked, 'record')}; narrow the check to see others`,
      },
    },
    none: {
      title: (level: string) => `Every record conforms at level ${level}.`,
      checked: (count: string) => `Checked ${count},`,
      records: 'No records yet.',
      recordsHint: 'Load the demo clinic or import files; what breaks FHIR R4 is then listed here by rule.',
      match: 'No issue fits the filter.',
      clear: 'Clear filter',
    },
  },
} as const;
