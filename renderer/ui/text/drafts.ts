/** Text of drafts: what was typed and is not saved. */
export const draftText = {
  drafts: {
    fact: (time: string) => `draft ${time}`,
    factFailed: 'draft not saved',
    unsafe: 'Draft not saved',
    unsafeHint:
      'What you type is in this window alone: closing it loses the text. It is sent again by itself.',
    back: (title: string, time: string, version: number | undefined) =>
      `Your unsaved text of ${title} of ${time} is back; Discard returns to ${version === undefined ? 'what the server holds' : `version ${version}`}.`,
    heading: (count: number) => `Drafts (${count})`,
    item: (title: string, time: string) => `Draft of ${title}, ${time}`,
    offers: 'Drafts of this record',
    found: (time: string, version: number | undefined) =>
      `A draft of ${time}${version === undefined ? '' : `, made on version ${version},`} is not saved.`,
    older: (version: number | undefined) =>
      `The record is at version ${version ?? '?'} now; both are brought together when the draft is saved.`,
    unsavedHere: 'This tab has changes of its own: save or discard them first.',
    restore: 'Restore draft',
    compare: 'Compare',
    discard: 'Discard draft',
    restored: (title: string) => `Restored the draft of ${title}`,
    notRestored: 'The draft was not restored. It is kept.',
    notDiscarded: 'The draft was not discarded.',
    discarded: (title: string) => `Discarded the draft of ${title}`,
    discardedHere: 'The draft was discarded.',
    undo: 'Undo',
    undone: (title: string) => `The draft of ${title} is back`,
    kept: (title: string) => `Kept your text of ${title} as a draft`,
    notKept: 'The draft was not saved; your text stays in the editor.',
    compareTitle: (title: string) => `Draft of ${title}`,
    closeCompare: 'Close comparison',
    record: (version: number | undefined) => `Version ${version ?? '?'} of the record`,
    noRecord: 'Version that the draft was made on',
    draft: (time: string) => `Draft of ${time}`,
    discardTitle: 'Discard draft',
    discardDetail: (title: string, time: string) => `The draft of ${title} from ${time} is removed.`,
    discardConfirm: (title: string) => `Discard draft of ${title}`,
    discardKeep: 'Keep draft',
    unreadable: 'The draft was not read.',
  },
} as const;
