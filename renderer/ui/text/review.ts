import { countOf } from '../format.ts';

const of = (number: number | undefined) => (number === undefined ? '' : ` ${number}`);

/** Text of the review before a save, and of what the server said of it. */
export const reviewText = {
  review: {
    title: 'Review changes',
    close: 'Close review',
    changes: 'Changed paths',
    theirChanges: 'Paths that they changed',
    ofTheirs: (count: string) => `${count} of theirs`,
    before: 'Before',
    after: 'After',
    diff: 'Difference',
    yours: 'Your text',
    serverVersion: (version: number | undefined) => `Version${of(version)} on the server`,
    keepEditing: 'Keep editing',
    save: 'Save',
    saveAs: (version: number | undefined, connection: string) =>
      version === undefined ? `to ${connection}` : `as version ${version + 1} to ${connection}`,
    nothingYet: 'Nothing on the server',
    createAt: (connection: string) => `as a new record to ${connection}`,
    off: (errors: number) =>
      `Save is off: the server would refuse ${countOf(errors, 'error')}. Each under Validation leads to its element; your text is kept.`,
    noEtag: 'This server names no versions (no ETag): the save is guarded less surely.',
    noEtagDetail:
      'The record is read again right before the save and compared. What another client changes between the two is overwritten unnoticed.',
    failedTitle: 'The record was not saved. Your text is kept.',
    tokenTitle: 'The token was refused. Your text is kept; save again with a new token.',
    goneTitle: 'The record is no longer on the server. Your text is kept as a draft.',
    unconfirmedTitle: 'Not confirmed: the connection was lost after sending.',
    unconfirmedDetail: 'The change may or may not have been saved. Read the record again to find out.',
    reread: 'Read again and compare',
    notArrived: (version: number | undefined) =>
      `The server still holds version${of(version)}: the change did not arrive. Save sends it again.`,
    notStored: 'No record with this text was found on the server: it did not arrive. Save sends it again.',
    mergedTitle: (version: number | undefined) => `Version${of(version)} was saved by another client.`,
    mergedDetail: (paths: number) =>
      `Nothing was written and your text is kept: ${countOf(paths, 'changed path')} of theirs and your changes are brought together below. Review them, then save.`,
    overwritingTitle: (version: number | undefined) => `This save overwrites version${of(version)}.`,
    overwritingDetail: (paths: number) =>
      `Your text goes in whole: what another client changed in ${countOf(paths, 'path')} is undone, as the difference below shows.`,
    alreadyThere: (version: number | undefined) =>
      `Version${of(version)} already holds your changes; nothing was written`,
    goTo: (expression: string) => `Go to ${expression}`,
  },
  request: {
    name: 'Request',
    head: 'Request line and headers',
    as: 'Send as',
    put: 'PUT',
    patch: 'PATCH',
    postHint: 'POST stores a new record; the server gives it an id.',
    putHint: 'PUT sends the whole record as it stands in the editor.',
    patchHint: (count: number) =>
      `PATCH sends ${countOf(count, 'replace operation')} and leaves the rest as the server has it.`,
    same: (version: number | undefined) =>
      version === undefined
        ? 'Either way the whole result is checked by the server.'
        : `Either way nothing is written unless the server still holds version ${version}.`,
    noPatch: {
      nothing: () => 'PATCH is not possible: no element differs.',
      added: (pointers: string) =>
        `PATCH is not possible: replace operations cannot add an element to the record (${pointers}).`,
      removed: (pointers: string) =>
        `PATCH is not possible: replace operations cannot remove an element from the record (${pointers}).`,
      identity: (pointers: string) => `PATCH is not possible: ${pointers} may not be replaced.`,
      'too-many': () => 'PATCH is not possible: the edit needs more than 500 replace operations.',
    },
    body: (size: string) => `Body, ${size}`,
  },
  verdict: {
    name: 'Validation',
    checking: 'Checking the text',
    failed: 'The text was not checked.',
    good: 'No issue was found.',
    accepted: 'The save goes through; these issues stay.',
    found: 'Chartkeeper’s rules find issues; they do not stop the save.',
    stale:
      'The narrative will be out of date after this save: it was generated from the content before. Update it here, or fix it later under Issues.',
    theirs: (host: string) => `Checked by Chartkeeper’s own rules; ${host} decides by its own.`,
    refused: (count: number) => `The save will be refused for ${countOf(count, 'error')}.`,
    errors: (count: number) =>
      `${countOf(count, 'error')} that ${count === 1 ? 'was there before or is' : 'were there before or are'} only flagged`,
    warnings: (count: number) => countOf(count, 'warning'),
    more: (count: number) => countOf(count, 'further issue'),
  },
} as const;
