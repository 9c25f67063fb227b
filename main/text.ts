/** Everything that the shell says to a user. */
export const text = {
  name: 'Chartkeeper',
  notStarted: 'Chartkeeper did not start',

  startTimedOut: (seconds: number) => `The server did not start within ${seconds} seconds.`,
  stoppedBeforeReady: (code: number) => `The server stopped before it was ready (exit code ${code}).`,
  unknownReport: 'The server answered its start with a message that the application does not know.',
  gaveUp: (restarts: number) =>
    `The server was restarted ${restarts} times within a minute and stopped again.`,

  pageNotLoaded: 'The server runs, but its page could not be loaded.',

  failureTitle: 'The server is not running',
  failureAdvice: 'Close this window and start Chartkeeper again.',
  dataFolder: 'Data folder',
  log: 'Log',
  failureKeepsPage: (log: string) =>
    `The page stays open, so that unsaved edits can be copied. They cannot be saved until Chartkeeper is started again.\n\nLog: ${log}`,
  close: 'Close',

  quitQuestion: (count: number) =>
    count === 1 ? '1 tab holds unsaved edits.' : `${count} tabs hold unsaved edits.`,
  quitDetail: 'Edits kept as drafts are offered again at the next start.',
  quit: 'Quit',
  cancel: 'Cancel',

  menu: {
    file: 'File',
    edit: 'Edit',
    record: 'Record',
    view: 'View',
    go: 'Go',
    window: 'Window',
    help: 'Help',
  },
} as const;
