import type { AuditAction } from '../../../core/app/audit.ts';
import { formatCount, formatPlural } from '../format.ts';

export const audit = {
  list: 'Audit log',
  filter: {
    name: 'Filter audit log',
    text: 'Find',
    textHint: 'User, record or request ID',
    action: 'Action',
    outcome: 'Result',
    period: 'Time',
    changes: 'Changes only',
    outcomes: { done: 'Succeeded', refused: 'Refused' },
  },
  actions: {
    read: 'Read',
    search: 'Search',
    create: 'Create',
    update: 'Update',
    patch: 'Patch',
    delete: 'Delete',
    'sign-in': 'Sign-in',
    'sign-out': 'Sign-out',
    'token-create': 'Token created',
    'token-revoke': 'Token revoked',
    backup: 'Backup',
    restore: 'Restore',
    reset: 'Reset',
    seal: 'New seal key',
    erase: 'Erasure',
    finding: 'Issue triage',
    move: 'Store moved',
  } satisfies Record<AuditAction, string>,
  groups: {
    name: 'Actions',
    all: 'All',
    count: (action: string, entries: number) =>
      formatPlural(entries, { one: '{action}, {n} entry', other: '{action}, {n} entries' }, { action }),
  },
  columns: {
    seq: 'No.',
    time: 'Time',
    who: 'Account',
    person: 'Person',
    reason: 'Reason',
    action: 'Action',
    what: 'Target',
    version: 'Version',
    outcome: 'Result',
    requestId: 'Request ID',
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
    supportingResource: (name: string) => `Related resource ${name}`,
    supportingResources: 'Related resources',
    imported: 'Import',
    exported: 'Export',
    check: 'Custom check, test run',
    packages: 'Packages',
    link: 'Sign-in link',
  },
  /** Below the list: how this log differs from the activity. */
  about: 'Who viewed or changed which record. The log is sealed: no one can edit or clear it.',
  nobody: 'Not signed in',
  byCommand: 'Command line',
  refresh: 'Refresh',
  loaded: (count: number, hasMore: boolean) =>
    hasMore
      ? formatPlural(count, {
          one: 'Newest {n} entry. Scroll for older ones.',
          other: 'Newest {n} entries. Scroll for older ones.',
        })
      : formatPlural(count, { one: '{n} entry', other: '{n} entries' }),
  failed: 'Couldn’t load the audit log.',
  empty: 'No audit entries yet',
  emptyDetail:
    'Every read, search and write of a record is logged here: who did it, when, and whether it succeeded. Bodies and tokens are never stored. Search for records to see the first entry.',
  details: {
    name: 'Entry details',
    title: (seq: number) => `Entry ${formatCount(seq)}`,
    notKept: 'Bodies and tokens are not stored. A chain of SHA-256 seals reveals any change to an entry.',
  },
  open: 'Open record',
  check: 'Verify log',
  checked: {
    whole: (count: number) =>
      formatPlural(count, {
        one: '{n} entry verified. No changes found.',
        other: '{n} entries verified. No changes found.',
      }),
    broken: (seq: number, count: number) =>
      formatPlural(
        count,
        {
          one: 'Verification failed at entry {seq} after {n} entry.',
          other: 'Verification failed at entry {seq} after {n} entries.',
        },
        { seq },
      ),
    reason: (reason: string) => `Cause: ${reason}.`,
    advice: 'Leave the data folder as it is and compare it with a backup.',
    hide: 'Close result',
    failed: 'Couldn’t verify the audit log.',
  },
  exports: {
    AuditEvent: { long: 'Export as AuditEvent', short: 'Export' },
    Provenance: { long: 'Export authors and reasons of all versions as Provenance', short: 'Provenance' },
  },
  exported: (count: number, name: string) =>
    formatPlural(
      count,
      { one: '{n} entry exported to {name}', other: '{n} entries exported to {name}' },
      { name },
    ),
  exportFailed: 'Couldn’t export the audit log.',
} as const;
