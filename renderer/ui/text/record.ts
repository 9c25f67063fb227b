import type { CommandId } from '../../../core/app/commands.ts';

/** Text of the open record and of its review. */
export const record = {
  region: 'Record JSON',
  editor: 'JSON of the record',
  loading: 'Loading record',
  format: 'Format',
  audit: 'Audit log',
  auditLocal: 'The audit log covers the local server only.',
  reload: 'Reload',
  patch: 'Patch',
  discard: 'Discard',
  history: 'History',
  review: 'Review changes',
  more: 'More actions',
  copyId: 'Copy ID',
  copyCurl: 'Copy as cURL',
  foldAll: 'Fold all',
  foldSections: 'Fold to top-level elements',
  unfoldAll: 'Unfold all',
  copiedId: 'ID copied',
  copiedCurl: 'cURL command copied, without the token',
  notCopied: 'The clipboard isn’t available.',
  written: (time: string, author: string | undefined) =>
    author === undefined ? `Saved ${time}` : `Saved ${time} by ${author}`,
  hints: {
    'record.format': 'Reformat the JSON. Digits don’t change.',
    'record.discard': 'Go back to the loaded version',
    'record.reload': 'Load the record from the server again',
    'record.history': 'Compare and restore versions',
    'record.patch': 'Replace single elements',
    'record.review': 'See your changes before you save',
  } as Partial<Record<CommandId, string>>,
  refusal: {
    loading: 'The record is loading.',
    unread: 'The record isn’t loaded.',
    notRead: 'Choose Read or Both to print the reading view.',
    unstored: 'This record is new and not saved yet.',
    marked: 'This record is already marked as entered in error.',
    clean: 'No changes yet.',
    invalid: (line: number, column: number) => `JSON error in line ${line}, column ${column}. Fix it first.`,
    noObject: 'The text is not a JSON object.',
    review: 'Your changes are being reviewed. Keep editing, or save.',
    readOnly: (name: string) => `The connection ${name} is read-only. You can change this in its settings.`,
  },
  readOnly: 'Read-only',
  version: (version: number) => `version ${version}`,
  notSavedYet: (name: string) => `${name}: not saved yet`,
  duplicated: 'Copied without ID and identifiers; not saved yet',
  stored: (id: string) => `Saved as ${id}`,
  unstored: 'Not saved yet',
  duplicate: 'Duplicate',
  enteredInError: 'Mark as entered in error',
  create: {
    title: 'New record',
    type: 'Type',
    open: 'Continue in editor',
    cancel: 'Cancel',
    detail: 'The record is stored when you review and save it. Missing elements are marked in the editor.',
    patientHint: 'ID or reference',
  },
  opened: (title: string, version?: number) =>
    version === undefined ? `Opened ${title}` : `Opened ${title}, version ${version}`,
  discarded: (title: string) => `Changes to ${title} discarded. Undo brings them back.`,
  unreadableTitle: 'Couldn’t load the record.',
  deletedTitle: 'This record was deleted.',
  unreadable: (title: string) => `Couldn’t load ${title}`,
  saved: (version: number | undefined) => (version === undefined ? 'Saved' : `Saved version ${version}`),
  moved: (version: number | undefined) =>
    version === undefined
      ? 'A newer version is now on the server.'
      : `Version ${version} is now on the server.`,
  movedBy: (version: number, author: string, age: string) => `${author} saved version ${version} ${age}.`,
  movedByYou: (version: number, age: string) => `You saved version ${version} in another window ${age}.`,
  movedDetail: (version: number | undefined) =>
    version === undefined
      ? 'Your changes are kept. They are merged when you save.'
      : `Your changes, based on version ${version}, are kept. They are merged when you save.`,
  shownDetail: (version: number | undefined) =>
    version === undefined ? 'You are viewing an older version.' : `You are viewing version ${version}.`,
  compare: 'Compare',
  show: (version: number | undefined) =>
    version === undefined ? 'Show newer version' : `Show version ${version}`,
  merge: 'Merge',
  goneShown: 'You are viewing a copy loaded earlier.',
  gone: 'This record no longer exists on the server.',
  goneDetail:
    'Your changes are kept. You can save again if a backup restores the record. Erased records can’t come back.',
  nothingToSave: (version: number | undefined) =>
    version === undefined
      ? 'Nothing to save: the server already has this content'
      : `Nothing to save: version ${version} already has this content`,
} as const;
