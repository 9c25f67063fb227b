import { formatList, formatPlural } from '../core/text/language.ts';

/** Everything that the shell says to a user. */
export const text = {
  name: 'Chartkeeper',
  notStarted: 'Chartkeeper did not start',

  startTimedOut: (seconds: number) => `The server did not start within ${seconds} seconds.`,
  stoppedBeforeReady: (code: number) => `The server stopped before it was ready (exit code ${code}).`,
  unknownReport: 'The server sent an unexpected start message.',
  gaveUp: (restarts: number) =>
    formatPlural(restarts, {
      one: 'The server was restarted once within a minute and stopped again.',
      other: 'The server was restarted {n} times within a minute and stopped again.',
    }),

  selfCheck: {
    window: 'The page is loaded from its own server.',
    noPage: (seconds: number) => `The page did not load within ${seconds} seconds.`,
    sandboxed: 'The page runs in the sandbox, apart from its preload script.',
    notSandboxed: 'The page runs outside the sandbox.',
    notIsolated: 'The page shares its context with the preload script.',
    switchedOff: 'Chromium was started with --no-sandbox.',
    fuses: (count: number) => `All ${count} are set as built.`,
    noFuses: 'The program has no readable fuses.',
    wrongFuses: (names: readonly string[]) => `Changed: ${formatList(names)}.`,
    noAnswer: 'The server stopped before it answered.',
  },

  pageNotLoaded: 'The server is running, but its page couldn’t be loaded.',

  failureTitle: 'The server is not running',
  failureAdvice: 'Close this window and start Chartkeeper again.',
  dataFolder: 'Data folder',
  log: 'Log',
  failureKeepsPage: (log: string) =>
    `This page stays open so that you can copy unsaved changes. To save, start Chartkeeper again.\n\nLog: ${log}`,
  close: 'Close',

  missingTitle: 'The records are missing',
  missingDetail: 'Nothing was created or changed. Your choice applies to this folder, or until you quit.',
  restoreBackup: (name: string) => `Restore ${name}`,
  beginEmpty: 'Start with no records',
  otherFolder: 'Open another folder…',
  chooseFolder: 'Choose data folder',

  chooseFiles: 'Import records',
  recordFiles: 'Records, Bundles and NDJSON',
  filesLeftOut: (count: number) =>
    formatPlural(count, { one: '{n} file skipped', other: '{n} files skipped' }),
  wrongEnding: (name: string) => `${name}: only .json, .ndjson and .jsonl files can be imported.`,
  noFile: (name: string) => `${name} is not a file.`,
  tooLarge: (name: string, megabytes: number) =>
    `${name} is larger than ${megabytes} MB and can’t be opened this way. Drop it on the window, or choose it in Data.`,
  notRead: (name: string) => `Couldn’t read ${name}.`,
  notWritten: 'Couldn’t save the diagnostics there.',

  quitQuestion: (count: number) =>
    formatPlural(count, {
      one: '{n} tab has unsaved changes.',
      other: '{n} tabs have unsaved changes.',
    }),
  quitDetail: 'Changes are kept as drafts and offered again at the next start.',
  quit: 'Quit',
  cancel: 'Cancel',

  update: {
    off: 'Update checks are off',
    offDetail: (file: string) =>
      `Chartkeeper doesn’t check for updates. To turn this on, enter the address and key of a signed file in ${file}.`,
    newest: (version: string) => `You have the newest version (${version}).`,
    newer: (version: string) => `Version ${version} is available.`,
    newerDetail: (version: string, page: string) =>
      `You have version ${version}. Nothing was downloaded. Get the new version from ${page}.`,
    failed: 'Couldn’t check for updates.',
    notConfigured: (file: string) => `${file} has no https address with an Ed25519 key.`,
    noAnswer: 'The update address didn’t answer in time with a short text.',
    notSigned: 'The update information is not signed with the configured key.',
  },

  menu: {
    file: 'File',
    edit: 'Edit',
    record: 'Record',
    data: 'Data',
    view: 'View',
    go: 'Go',
    window: 'Window',
    help: 'Help',
    open: 'Open files…',
    recent: 'Recent connections',
    noRecent: 'None',
    lock: 'Lock',
    lockIdle: 'Lock when idle',
    lockAfter: (minutes: number) =>
      minutes === 0
        ? 'Never'
        : formatPlural(minutes, { one: 'After {n} minute', other: 'After {n} minutes' }),
    actualSize: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    diagnostics: 'Export diagnostics…',
    update: 'Check for updates…',
  },
} as const;
