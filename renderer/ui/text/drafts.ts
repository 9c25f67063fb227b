import { formatCount } from '../format.ts';

/** Text of drafts, the kept changes that are not saved. */
export const drafts = {
  fact: (time: string) => `Draft saved ${time}`,
  factFailed: 'Draft not saved',
  unsafe: 'Draft not saved',
  unsafeHint:
    'Your latest edits exist only in this window and will be lost if you close it. Saving the draft is retried automatically.',
  back: (title: string, time: string, version: number | undefined) =>
    version === undefined
      ? `Your unsaved changes to ${title} from ${time} were restored. Discard goes back to the server’s version.`
      : `Your unsaved changes to ${title} from ${time} were restored. Discard goes back to version ${version}.`,
  heading: (count: number) => `Drafts (${formatCount(count)})`,
  item: (title: string, time: string) => `${title} ${time}, draft`,
  offers: 'Drafts of this record',
  found: (time: string, version: number | undefined) =>
    version === undefined
      ? `You have an unsaved draft from ${time}.`
      : `You have an unsaved draft from ${time}, based on version ${version}.`,
  older: (version: number) =>
    `The record is now at version ${version}. Your draft will be merged with it when you save.`,
  unsavedHere: 'This tab has unsaved changes. Save or discard them first.',
  restore: 'Restore draft',
  compare: 'Compare',
  discard: 'Discard draft',
  restored: (title: string) => `Draft of ${title} restored`,
  notRestored: 'Couldn’t restore the draft. It is still stored.',
  notDiscarded: 'Couldn’t discard the draft.',
  discarded: (title: string) => `Draft of ${title} discarded`,
  discardedHere: 'Draft discarded',
  undo: 'Undo',
  undone: (title: string) => `Draft of ${title} restored`,
  kept: (title: string) => `Your changes to ${title} were kept as a draft`,
  notKept: 'Couldn’t save the draft. Your changes stay in the editor.',
  compareTitle: (title: string) => `Draft of ${title}`,
  closeCompare: 'Close comparison',
  record: (version: number | undefined) => (version === undefined ? 'Record' : `Record, version ${version}`),
  noRecord: 'Version the draft is based on',
  draft: (time: string) => `Draft from ${time}`,
  discardTitle: 'Discard this draft?',
  discardDetail: (title: string, time: string) => `The draft of ${title} from ${time} will be deleted.`,
  discardConfirm: (title: string) => `Discard draft of ${title}`,
  discardKeep: 'Keep draft',
  unreadable: 'Couldn’t load the draft.',
} as const;
