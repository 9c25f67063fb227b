import type { ServerExport } from '../../../core/app/server-exports.ts';
import { formatBytes, formatCount, formatPlural } from '../format.ts';

/** Text of imports from the bulk exports of other servers. */
export const serverExports = {
  open: 'From a server…',
  title: 'Import from a server',
  description:
    'The server exports its data in bulk ($export), and the files are imported here. This goes on when the page is closed.',
  connection: 'Connection',
  noConnections: 'No other servers connected.',
  scope: 'What to export',
  scopes: { everything: 'Everything', group: 'Patients of a group' },
  group: 'Group ID',
  since: 'Changed since',
  sinceHint: 'Optional. Not every server supports it.',
  cancel: 'Cancel',
  start: 'Start export',
  startFailed: 'Couldn’t start the export.',
  started: (host: string) => `Export of ${host} started`,
  heading: 'Exports of other servers',
  listFailed: 'Couldn’t load the exports.',
  changeFailed: 'Couldn’t change the export.',
  nameOf: ({ host, group }: Pick<ServerExport, 'host' | 'group'>) =>
    group === undefined ? host : `${host}, group ${group}`,
  steps: {
    request: 'Requesting the export',
    prepare: 'The server is preparing the files',
    download: 'Reading the files',
    import: 'Importing',
  },
  states: { stopped: 'Stopped', failed: 'Failed', done: 'Finished' },
  waiting: (until: string) => `Waiting until ${until}.`,
  files: (readCount: number, total: number, bytes: number) =>
    formatPlural(
      total,
      { one: '{read} of {n} file read, {size}', other: '{read} of {n} files read, {size}' },
      { read: formatCount(readCount), size: formatBytes(bytes) },
    ),
  asking: (host: string) =>
    `Files of this export are on other servers than ${host}. Nothing is sent to them before you allow it.`,
  sendToken: (host: string) => `Send the connection’s token to ${host}`,
  sendTokenHint: (host: string) => `${host} says that its files require the token.`,
  allow: (count: number) =>
    formatPlural(count, { one: 'Read files from this server', other: 'Read files from these servers' }),
  stop: 'Stop',
  stopOf: (name: string) => `Stop: ${name}`,
  resume: 'Resume',
  resumeOf: (name: string) => `Resume: ${name}`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove: ${name}`,
  problems: 'Refused',
  unfinished: {
    running: 'export of another server, in progress',
    waiting: 'export of another server, waiting',
    asking: 'export of another server, needs your answer',
    failed: 'export of another server, failed',
  },
} as const;
