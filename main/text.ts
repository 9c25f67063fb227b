/** Everything that the shell says to a user. */
export const text = {
  name: 'Chartkeeper',
  notStarted: 'Chartkeeper did not start',

  startTimedOut: (seconds: number) => `The server did not start within ${seconds} seconds.`,
  stoppedBeforeReady: (code: number) => `The server stopped before it was ready (exit code ${code}).`,
  unknownReport: 'The server answered its start with a message that the application does not know.',
  gaveUp: (restarts: number) =>
    `The server was restarted ${restarts} times within a minute and stopped again.`,

  selfCheck: {
    window: 'The page stands at its own server.',
    noPage: (seconds: number) => `The page did not stand within ${seconds} seconds.`,
    sandboxed: 'The page runs in the sandbox, apart from its preload script.',
    notSandboxed: 'The page runs outside of the sandbox.',
    notIsolated: 'The page shares the world of its preload script.',
    switchedOff: 'Chromium was started with --no-sandbox.',
    fuses: (count: number) => `All ${count} are as they were set.`,
    noFuses: 'The program has none that can be read.',
    wrongFuses: (names: readonly string[]) => `Not as they were set: ${names.join(', ')}.`,
    noAnswer: 'The server ended before it answered.',
  },

  pageNotLoaded: 'The server runs, but its page could not be loaded.',

  failureTitle: 'The server is not running',
  failureAdvice: 'Close this window and start Chartkeeper again.',
  dataFolder: 'Data folder',
  log: 'Log',
  failureKeepsPage: (log: string) =>
    `The page stays open, so that unsaved edits can be copied. They cannot be saved until Chartkeeper is started again.\n\nLog: ${log}`,
  close: 'Close',

  missingTitle: 'The records are missing',
  missingDetail:
    'Nothing was made or changed. What is chosen here holds for this folder, or until Chartkeeper ends.',
  restoreBackup: (name: string) => `Restore ${name}`,
  beginEmpty: 'Begin an empty clinic',
  otherFolder: 'Open another folder…',
  chooseFolder: 'Open another data folder',

  chooseFiles: 'Open records to import',
  recordFiles: 'Records, Bundles and NDJSON',
  filesLeftOut: (count: number) => (count === 1 ? '1 file was left out.' : `${count} files were left out.`),
  wrongEnding: (name: string) => `${name} is no .json, .ndjson or .jsonl file.`,
  noFile: (name: string) => `${name} is no file.`,
  tooLarge: (name: string, megabytes: number) =>
    `${name} is too large to be opened here (more than ${megabytes} MB). Drop it on the window, or choose it in Data.`,
  notRead: (name: string) => `${name} could not be read.`,
  notWritten: 'The diagnostics could not be written there.',

  quitQuestion: (count: number) =>
    count === 1 ? '1 tab holds unsaved edits.' : `${count} tabs hold unsaved edits.`,
  quitDetail: 'Edits kept as drafts are offered again at the next start.',
  quit: 'Quit',
  cancel: 'Cancel',

  update: {
    off: 'No address to look at is set.',
    offDetail: (file: string) =>
      `Chartkeeper asks nobody for a newer version. Whoever runs it can set the address of a signed file, and its key, in ${file}.`,
    newest: (version: string) => `Version ${version} is the newest.`,
    newer: (version: string) => `Version ${version} is there.`,
    newerDetail: (version: string, page: string) =>
      `This is version ${version}. Nothing was downloaded. Get the new one from ${page} when it suits.`,
    failed: 'It is not known whether there is a newer version.',
    notConfigured: (file: string) => `${file} names no https address with an Ed25519 key.`,
    noAnswer: 'The configured address did not answer with a short text in time.',
    notSigned: 'What the configured address answered is not signed with the configured key.',
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
    noRecent: 'None yet',
    lock: 'Lock',
    lockIdle: 'Lock when idle',
    lockAfter: (minutes: number) => (minutes === 0 ? 'Never' : `After ${minutes} minutes`),
    actualSize: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    diagnostics: 'Export diagnostics…',
    update: 'Look for a newer version…',
  },
} as const;
