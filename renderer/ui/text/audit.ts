import type { AuditAction } from '../../../core/app/audit.ts';
import { formatCount } from '../format.ts';

const actions: Readonly<Record<AuditAction, string>> = {
  read: 'Read',
  search: 'Search',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  'sign-in': 'Sign-in',
  'sign-out': 'Sign-out',
  'token-create': 'Token made',
  'token-revoke': 'Token revoked',
  backup: 'Backup',
  restore: 'Restore',
  reset: 'Reset',
  seal: 'Key begins',
  erase: 'Erasure',
  finding: 'Finding',
  move: 'Moved here',
};

const entries = (count: number) => (count === 1 ? '1 entry' : `${formatCount(count)} entries`);

/** Text of the Audit view. */
export const auditText = {
  audit: {
    list: 'Audit trail',
    filter: {
      name: 'Filter audit trail',
      text: 'Find',
      textHint: 'Who, record, request id',
      action: 'Action',
      outcome: 'Outcome',
      period: 'Time',
      changes: 'Changes only',
      outcomes: { done: 'Done', refused: 'Refused' },
    },
    actions,
    groups: {
      name: 'Actions',
      all: 'All',
      count: (action: string, entriesOf: number) => `${action}, ${entries(entriesOf)}`,
    },
    columns: {
      seq: 'No.',
      time: 'Time',
      who: 'Who',
      person: 'Person',
      reason: 'Reason',
      action: 'Action',
      what: 'What',
      version: 'Version',
      outcome: 'Outcome',
      requestId: 'Request id',
    },
    places: {
      overview: 'Overview',
      finder: 'Finder',
      facets: (type: string, name: string) => `Counts of ${type} by ${name}`,
      history: (record: string) => `History of ${record}`,
      provenance: (record: string) => `Provenance of ${record}`,
      provenances: 'Provenance of all records',
      worklist: 'Worklist',
      worklistCsv: 'Worklist as CSV',
      companion: (companion: string) => `Companion ${companion}`,
      companions: 'Companions',
      imported: 'Import',
      exported: 'Export',
      check: 'Own check, tried',
      packages: 'Packages',
      link: 'Sign-in link',
    },
    /** Beneath the list: what tells this log from Activity. */
    about: 'Who looked at or changed which record. Sealed: nobody can change or clear it.',
    nobody: 'Nobody signed in',
    byCommand: 'By command line',
    refresh: 'Read again',
    loaded: (count: number, more: boolean) =>
      more ? `Newest ${formatCount(count)} entries; older ones follow below` : entries(count),
    failed: 'The audit trail could not be read.',
    empty: 'No audit entry yet',
    emptyDetail:
      'Each read, search and write of a record is kept here with who did it, when, and how it ended. Bodies and tokens are never kept. Search for records to see the first entry.',
    details: {
      name: 'Details of the entry',
      title: (seq: number) => `Entry ${formatCount(seq)}`,
      notKept: 'Bodies and tokens are not kept. A chain of SHA-256 seals shows any change to an entry.',
    },
    open: 'Open record',
    check: 'Check the trail',
    checked: {
      whole: (count: number) => `The trail is whole: ${entries(count)}, each as it was written.`,
      broken: (seq: number, count: number) =>
        `The trail is broken at entry ${formatCount(seq)}; ${entries(count)} were read.`,
      reason: (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
      advice: 'Keep the data folder as it is and compare with a backup.',
      hide: 'Close the verdict',
      failed: 'The trail could not be checked.',
    },
    exports: {
      AuditEvent: { long: 'Export as AuditEvent', short: 'Export' },
      Provenance: { long: 'Export who wrote each version and why, as Provenance', short: 'Reasons' },
    },
    exported: (count: number, name: string) => `Exported ${entries(count)} to ${name}.`,
    exportFailed: 'The audit trail was not exported.',
  },
} as const;
