import type { ActivityKind } from '../../../core/app/activity.ts';
import { formatCount } from '../format.ts';

/** Text of the Activity view. */
export const activity = {
  elsewhere: (connection: string) =>
    `This belongs to the connection ${connection}. Turn to it to open or repeat it.`,
  name: 'Activity',
  filter: {
    name: 'Filter activity',
    text: 'Find',
    textHint: 'Path, id, parameter, request id',
    method: 'Method',
    status: 'Status',
    kind: 'Kind',
    period: 'Time',
    statuses: {
      '2xx': '2xx Succeeded',
      '3xx': '3xx Not modified',
      '4xx': '4xx Refused',
      '5xx': '5xx Server fault',
    },
  },
  kinds: {
    search: 'Search',
    read: 'Read',
    history: 'History',
    write: 'Write',
    validate: 'Validate',
    app: 'Workbench',
    bulk: 'Bulk replace',
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
    ms: 'Took',
    size: 'Size',
  },
  /** Beneath the list: what tells this log from Audit. */
  about: 'What this window asked of servers, and how long it took. It can be cleared; Audit cannot.',
  ms: (ms: number) =>
    ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`,
  total: (total: number, filtered: boolean) =>
    `${formatCount(total)} ${filtered ? 'matching ' : ''}${total === 1 ? 'entry' : 'entries'}`,
  newer: (count: number) => `Show ${formatCount(count)} newer`,
  notUpdated: 'The list is not up to date: the server did not answer.',
  failed: 'The activity could not be read.',
  empty: 'No activity yet',
  emptyDetail:
    'Each request of this window is listed here with its path, status and time, and kept over restarts. Bodies and tokens are never kept. Search for records to see the first one.',
  details: {
    name: 'Details of the entry',
    time: 'Time',
    connection: 'Connection',
    method: 'Method',
    path: 'Path',
    parameters: 'Parameters',
    status: 'Status',
    took: 'Took',
    sent: 'Sent',
    received: 'Received',
    record: 'Record',
    version: 'Version',
    requestId: 'Request id',
    note: 'What was done',
    notKept: 'Bodies, header values and tokens are not kept.',
  },
  replay: 'Replay search',
  open: 'Open record',
  curl: 'Copy as cURL',
  copied: 'Copied the request as cURL; the token is left out as $TOKEN.',
  notCopied: 'The clipboard is not available.',
  notReplayed: {
    write: 'Writes are never replayed.',
    redacted: 'A part of this request was a secret and was not kept, so it cannot be replayed.',
    other: 'Only searches are replayed.',
  },
  clear: 'Clear activity',
  clearTitle: 'Clear all activity?',
  clearDetail:
    'Every entry, also those that a filter hides, is removed from this computer for good. Records and their history stay as they are.',
  clearConfirm: 'Clear all activity',
  keep: 'Keep activity',
  cleared: (count: number) => (count === 1 ? 'Cleared 1 entry.' : `Cleared ${formatCount(count)} entries.`),
  clearFailed: 'The activity was not cleared.',
} as const;
