import { formatPlural } from '../format.ts';

/** Text of the conflict: someone else saved a version while the record was edited. */
export const conflict = {
  title: 'Resolve conflict',
  close: 'Close conflict',
  found: (version: number | undefined, author?: string) => {
    if (version === undefined) return 'Someone else saved a newer version.';
    return author === undefined
      ? `Someone else saved version ${version}.`
      : `${author} saved version ${version}.`;
  },
  foundOwn: (version: number) => `You saved version ${version} in another window.`,
  detail: (overlaps: number, otherCount: number) => {
    const overlapping = formatPlural(overlaps, {
      one: 'Nothing was saved, and your changes are kept. {n} change overlaps: choose one value.',
      other: 'Nothing was saved, and your changes are kept. {n} changes overlap: choose one for each.',
    });
    if (otherCount === 0) return overlapping;
    const mergedMessage = formatPlural(otherCount, {
      one: '{n} other doesn’t overlap and is merged.',
      other: '{n} others don’t overlap and are merged.',
    });
    return `${overlapping} ${mergedMessage}`;
  },
  unread: 'Nothing was saved, and your changes are kept. Their version has not been loaded yet.',
  read: (version: number | undefined) =>
    version === undefined ? 'Load the newer version' : `Load version ${version}`,
  rows: 'Changed paths',
  path: 'Path',
  ours: 'Mine',
  base: (version: number | undefined) => (version === undefined ? 'Base' : `Base (version ${version})`),
  theirs: (version: number | undefined) => (version === undefined ? 'Theirs' : `Theirs (version ${version})`),
  take: 'Use',
  choose: (path: string) => `Choice for ${path}`,
  choices: { ours: 'Mine', theirs: 'Theirs', both: 'Both' },
  by: { ours: 'changed by you', theirs: 'changed by them', same: 'same in both', overlap: 'both changed' },
  open: (count: number) => formatPlural(count, { other: '{n} left to choose' }),
  agreed: 'no choice needed',
  nothing: 'not present',
  result: (version: number | undefined) =>
    version === undefined ? 'Result, based on the newer version' : `Result, based on version ${version}`,
  theirText: (version: number | undefined) =>
    version === undefined ? 'Newer version on the server' : `Version ${version} on the server`,
  others: 'More options',
  review: 'Review merged text',
  edit: 'Continue in editor',
  edited: 'You edited the merged result. Your choices above have no effect until you undo these edits.',
  invalid: 'The merged result isn’t valid JSON yet.',
  undoEdits: 'Undo edits',
  overwrite: (version: number | undefined) =>
    version === undefined ? 'Overwrite the newer version' : `Overwrite version ${version}`,
  discard: 'Discard mine',
  keep: 'Keep mine as draft',
  keepEditing: 'Keep editing',
  discardTitle: 'Discard your changes?',
  discardDetail: (title: string, version: number | undefined) =>
    version === undefined
      ? `Your changes to ${title} will be lost, and the newer version will open.`
      : `Your changes to ${title} will be lost, and version ${version} will open.`,
  discardConfirm: 'Discard my changes',
  discardKeep: 'Keep editing',
  merged: (version: number | undefined) =>
    version === undefined
      ? 'Merged with the newer version. Review the result, then save.'
      : `Merged with version ${version}. Review the result, then save.`,
} as const;
