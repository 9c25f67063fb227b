import type { ActivityKind } from '../../../core/app/activity.ts';
import { formatCount, formatPlural } from '../format.ts';

export const activity = {
  elsewhere: (connection: string) =>
    `This entry belongs to the connection ${connection}. Switch to it to open or repeat the request.`,
  name: 'Activity',
  filter: {
    name: 'Filter activity',
    text: 'Find',
    textHint: 'Path, ID, parameter or request ID',
    method: 'Method',
    status: 'Status',
    kind: 'Kind',
    period: 'Time',
    statuses: {
      '2xx': '2xx Success',
      '3xx': '3xx Not modified',
      '4xx': '4xx Refused',
      '5xx': '5xx Server error',
    },
  },
  kinds: {
    search: 'Search',
    read: 'Read',
    history: 'History',
    write: 'Write',
    validate: 'Validate',
    app: 'Workbench',
    bulk: 'Bulk edit',
    import: 'Import',
    export: 'Export',
    training: 'Training data',
  } satisfies Record<ActivityKind, string>,
  columns: {
    connection: 'Connection',
    time: 'Time',
    kind: 'Kind',
    method: 'Method',
    path: 'Path',
    status: 'Status',
    version: 'Version',
    ms: 'Duration',
    size: 'Size',
  },
  /** Below the list: how this log differs from the audit log. */
  about:
    'Requests that this window sent to servers, and how long they took. You can clear this list; the audit log can’t be cleared.',
  ms: (ms: number) =>
    ms < 1000
      ? `${formatCount(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))} ms`
      : `${formatCount(Math.round(ms / 100) / 10)} s`,
  total: (total: number, filtered: boolean) =>
    filtered
      ? formatPlural(total, { one: '{n} matching entry', other: '{n} matching entries' })
      : formatPlural(total, { one: '{n} entry', other: '{n} entries' }),
  newer: (count: number) =>
    formatPlural(count, { one: 'Show {n} newer entry', other: 'Show {n} newer entries' }),
  notUpdated: 'This list may be out of date: the server didn’t answer.',
  failed: 'Couldn’t load the activity.',
  empty: 'No activity yet',
  emptyDetail:
    'Every request of this window is listed here with its path, status and time, and stays after a restart. Request bodies and tokens are never stored. Search for records to see the first entry.',
  details: {
    name: 'Entry details',
    time: 'Time',
    connection: 'Connection',
    method: 'Method',
    path: 'Path',
    parameters: 'Parameters',
    status: 'Status',
    took: 'Duration',
    sent: 'Sent',
    received: 'Received',
    record: 'Record',
    version: 'Version',
    requestId: 'Request ID',
    note: 'Note',
    notKept: 'Bodies, header values and tokens are not stored.',
  },
  counts: {
    stored: 'Stored',
    unchanged: 'Already present',
    refused: 'Refused',
    skipped: 'Skipped',
    kept: 'Related resources',
    replaced: 'Related resources replaced',
    records: 'Records',
    removed: 'Deleted',
    done: 'Changed',
    failed: 'Failed',
    remaining: 'Remaining',
  },
  countOf: (name: string, count: number) => `${name}: ${formatCount(count)}`,
  replay: 'Repeat search',
  open: 'Open record',
  curl: 'Copy as cURL',
  copied: 'cURL command copied, with $TOKEN in place of the token',
  notCopied: 'The clipboard isn’t available.',
  notReplayed: {
    write: 'Writes can’t be repeated from here.',
    redacted: 'Part of this request was a secret and was not stored, so it can’t be repeated.',
    other: 'Only searches can be repeated.',
  },
  clear: 'Clear activity',
  clearTitle: 'Clear all activity?',
  clearDetail:
    'All entries are removed from this computer, including those hidden by the filter. This can’t be undone. Records and their history don’t change.',
  clearConfirm: 'Clear all activity',
  keep: 'Cancel',
  cleared: (count: number) => formatPlural(count, { one: '{n} entry cleared', other: '{n} entries cleared' }),
  clearFailed: 'Couldn’t clear the activity.',
} as const;
