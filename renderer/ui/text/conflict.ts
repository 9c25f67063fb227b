import { countOf } from '../format.ts';

const of = (number: number | undefined) => (number === undefined ? '' : ` ${number}`);

/** Text of the conflict: a version that another client saved meanwhile. */
export const conflict = {
  title: 'Resolve conflict',
  close: 'Close conflict',
  found: (version: number | undefined, author = 'another client') =>
    `Version${of(version)} was saved by ${author}.`,
  detail: (overlaps: number, others: number) =>
    `Nothing was written and your text is kept. ${countOf(overlaps, 'changed path')} overlap${overlaps === 1 ? 's' : ''}: choose for each. ${others === 0 ? '' : `${countOf(others, 'other')} ${others === 1 ? 'does' : 'do'} not and ${others === 1 ? 'is' : 'are'} taken from both.`}`,
  unread: 'Nothing was written and your text is kept. Their version was not read yet.',
  read: (version: number | undefined) => `Read version${of(version)}`,
  rows: 'Changed paths',
  path: 'Path',
  mine: 'Mine',
  base: (version: number | undefined) => `Base, version${of(version)}`,
  theirs: (version: number | undefined) => `Theirs, version${of(version)}`,
  take: 'Take',
  choose: (path: string) => `Choice for ${path}`,
  choices: { mine: 'mine', theirs: 'theirs', both: 'both' },
  by: { mine: 'changed by you', theirs: 'changed by them', same: 'same in both', overlap: 'overlap' },
  open: (count: number) => `${countOf(count, 'path')} to choose`,
  agreed: 'no choice needed',
  nothing: 'nothing here',
  result: (version: number | undefined) => `Version${of(version)} with the merged changes`,
  theirText: (version: number | undefined) => `Version${of(version)} on the server`,
  others: 'Other ways',
  review: 'Review merged text',
  edit: 'Continue in editor',
  edited: 'The merged text was edited here; the choices rest until that is undone.',
  invalid: 'The merged text is not valid JSON yet.',
  undoEdits: 'Undo edits',
  overwrite: (version: number | undefined) => `Overwrite version${of(version)}`,
  discard: 'Discard mine',
  keep: 'Keep mine as draft',
  keepEditing: 'Keep editing',
  discardTitle: 'Discard your changes',
  discardDetail: (title: string, version: number | undefined) =>
    `Your changes to ${title} are removed and version${of(version)} is opened.`,
  discardConfirm: 'Discard my changes',
  discardKeep: 'Keep my changes',
  merged: (version: number | undefined) => `Merged with version${of(version)}; review, then save`,
} as const;
