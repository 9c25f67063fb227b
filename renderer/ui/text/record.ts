import type { CommandId } from '../../../core/app/commands.ts';

/** Text of the open record and of its review. */
export const record = {
  region: 'Record JSON',
  editor: 'JSON text of the record',
  loading: 'Reading the record',
  format: 'Format',
  audit: 'Audit trail',
  auditLocal: 'The audit trail belongs to the local server.',
  reload: 'Reload',
  patch: 'Patch',
  discard: 'Discard',
  history: 'History',
  review: 'Review changes',
  more: 'More actions',
  copyId: 'Copy id',
  copyCurl: 'Copy as cURL',
  foldAll: 'Fold all',
  foldSections: 'Fold to the elements',
  unfoldAll: 'Unfold all',
  copiedId: 'The id is on the clipboard',
  copiedCurl: 'The request is on the clipboard, without its token',
  notCopied: 'The clipboard is not available',
  written: (time: string, author: string | undefined) =>
    author === undefined ? time : `${time} by ${author}`,
  hints: {
    'record.format': 'Lay the JSON out; no digit changes',
    'record.discard': 'Back to the version that was read',
    'record.reload': 'Read the record from the server again',
    'record.history': 'Versions, their differences, and the way back to one',
    'record.patch': 'Replace single elements',
    'record.review': 'See what changes before it is saved',
  } as Partial<Record<CommandId, string>>,
  refusal: {
    loading: 'The record is being read.',
    unread: 'The record was not read.',
    notRead: 'The reading view is printed: choose Read or Both first.',
    unstored: 'The record is new: nothing of it is stored yet.',
    marked: 'The record says already that it was entered in error.',
    clean: 'Nothing is changed yet.',
    invalid: (line: number, column: number) =>
      `The text is not valid JSON at line ${line}, column ${column}: mend that first.`,
    noObject: 'The text is no JSON object.',
    review: 'The changes are under review: keep editing, or save.',
    readOnly: (name: string) =>
      `The connection ${name} is read-only: nothing is changed there. Its mode is set in the connection.`,
  },
  readOnly: 'Read-only',
  version: (version: number) => `version ${version}`,
  begun: (name: string) => `${name}: nothing is stored until it is saved`,
  duplicated: 'A copy without id and identifiers: nothing is stored until it is saved',
  stored: (id: string) => `Stored as ${id}`,
  unstored: 'Not stored yet',
  duplicate: 'Duplicate',
  enteredInError: 'Mark as entered in error',
  create: {
    title: 'New record',
    type: 'Type',
    open: 'Open in the editor',
    cancel: 'Cancel',
    detail: 'It is stored once it was reviewed and saved. What is left out here is marked in the editor.',
    patientHint: 'Id or reference',
  },
  opened: (title: string, version?: number) =>
    `Opened ${title}${version === undefined ? '' : `, version ${version}`}`,
  discarded: (title: string) => `Discarded the changes of ${title}; undo brings them back`,
  unreadableTitle: 'The record was not read.',
  deletedTitle: 'The record was deleted for good.',
  unreadable: (title: string) => `${title} was not read`,
  saved: (version: number | undefined) => (version === undefined ? 'Saved' : `Saved version ${version}`),
  moved: (version: number | undefined) =>
    `The server holds ${version === undefined ? 'another version' : `version ${version}`} of this record now.`,
  movedBy: (version: number | undefined, author: string, ago: string) =>
    `Version ${version ?? ''} was saved by ${author} ${ago}.`,
  movedDetail: (version: number | undefined) =>
    `Your text${version === undefined ? '' : `, made on version ${version},`} is kept here; both are brought together when it is saved.`,
  shownDetail: (version: number | undefined) =>
    version === undefined ? 'What stands here is older.' : `What stands here is version ${version}.`,
  compare: 'Compare',
  show: (version: number | undefined) => (version === undefined ? 'Show it' : `Show version ${version}`),
  merge: 'Merge',
  goneShown: 'What stands here is what was read before.',
  gone: 'The record is no longer on the server.',
  goneDetail:
    'Your text is kept here. It can be saved again once a backup brings the record back; one that was erased does not come back.',
  nothingToSave: (version: number | undefined) =>
    `${version === undefined ? 'The server' : `Version ${version}`} already holds this; nothing was written`,
} as const;
