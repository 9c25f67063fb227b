import { formatList, formatPlural } from '../format.ts';

/** Texts of the review before a save and of the server's response. */
export const reviewText = {
  review: {
    title: 'Review changes',
    close: 'Close review',
    changes: 'Changed paths',
    theirChanges: 'Their changes',
    changeCount: (count: number) => formatPlural(count, { one: '{n} change', other: '{n} changes' }),
    ofTheirs: (count: number) =>
      formatPlural(count, { one: '{n} change of theirs', other: '{n} changes of theirs' }),
    before: 'Before',
    after: 'After',
    diff: 'Changes',
    yours: 'Your version',
    serverVersion: (version: number | undefined) =>
      version === undefined ? 'Version on the server' : `Version ${version} on the server`,
    keepEditing: 'Keep editing',
    save: 'Save',
    saveAs: (version: number | undefined, connection: string) =>
      version === undefined ? `Saves to ${connection}` : `Saves as version ${version + 1} to ${connection}`,
    nothingYet: 'Not on the server yet',
    createAt: (connection: string) => `Saves as a new record to ${connection}`,
    off: (errors: number) =>
      formatPlural(errors, {
        one: 'Can’t save: the server would refuse {n} error. Click it to go to it. Your changes are kept.',
        other:
          'Can’t save: the server would refuse {n} errors. Click one to go to it. Your changes are kept.',
      }),
    noEtag: 'This server has no ETags, so overwriting can’t be fully prevented.',
    noEtagDetail:
      'The record is loaded and compared again just before saving. A change made by someone else in between would be overwritten.',
    failedTitle: 'Couldn’t save the record. Your changes are kept.',
    tokenTitle: 'The access token was refused. Your changes are kept. Sign in again, then save.',
    goneTitle: 'The record no longer exists on the server. Your changes are kept as a draft.',
    unconfirmedTitle: 'Not confirmed: the connection was lost after sending.',
    unconfirmedDetail: 'Your change may or may not have been saved. Load the record again to find out.',
    reread: 'Load again and compare',
    notArrived: (version: number | undefined) =>
      version === undefined
        ? 'The record on the server has not changed: your change did not arrive. You can save again.'
        : `The server still has version ${version}: your change did not arrive. You can save again.`,
    notStored: 'The server has no record with this content: it did not arrive. You can save again.',
    mergedDetail: (paths: number) =>
      formatPlural(paths, {
        one: 'Nothing was saved, and your changes are kept. {n} change of theirs was merged with yours. Review the result, then save.',
        other:
          'Nothing was saved, and your changes are kept. {n} changes of theirs were merged with yours. Review the result, then save.',
      }),
    overwritingTitle: (version: number | undefined) =>
      version === undefined
        ? 'Saving overwrites the newer version.'
        : `Saving overwrites version ${version}.`,
    overwritingDetail: (paths: number) =>
      formatPlural(paths, {
        one: 'Your version replaces theirs completely. Changes in {n} path are undone, as shown below.',
        other: 'Your version replaces theirs completely. Changes in {n} paths are undone, as shown below.',
      }),
    alreadyThere: (version: number | undefined) =>
      version === undefined
        ? 'The server already has your changes. Nothing was saved.'
        : `Version ${version} already has your changes. Nothing was saved.`,
    goTo: (expression: string) => `Go to ${expression}`,
  },
  request: {
    name: 'Request',
    head: 'Request line and headers',
    as: 'Send as',
    put: 'PUT',
    patch: 'PATCH',
    postHint: 'POST creates a new record; the server assigns its ID.',
    putHint: 'PUT sends the whole record from the editor.',
    patchHint: (count: number) =>
      formatPlural(count, {
        one: 'PATCH sends {n} replace operation. The rest of the record stays as it is on the server.',
        other: 'PATCH sends {n} replace operations. The rest of the record stays as it is on the server.',
      }),
    same: (version: number | undefined) =>
      version === undefined
        ? 'Either way, the server checks the whole result.'
        : `Either way, nothing is written unless the server still has version ${version}.`,
    noPatch: {
      nothing: () => 'PATCH isn’t possible: there are no changes.',
      added: (pointers: readonly string[]) =>
        `PATCH isn’t possible: replace operations can’t add elements (${formatList(pointers, 'unit')}).`,
      removed: (pointers: readonly string[]) =>
        `PATCH isn’t possible: replace operations can’t remove elements (${formatList(pointers, 'unit')}).`,
      identity: (pointers: readonly string[]) =>
        `PATCH isn’t possible: ${formatList(pointers)} can’t be replaced.`,
      'too-many': () => 'PATCH isn’t possible: more than 500 operations would be needed.',
    },
    body: (size: string) => `Body, ${size}`,
  },
  verdict: {
    name: 'Validation',
    checking: 'Checking',
    failed: 'Couldn’t check the record.',
    good: 'No issues found.',
    accepted: 'You can save; these issues remain.',
    found: 'Chartkeeper found issues. They don’t prevent saving.',
    stale:
      'The narrative will be out of date after this save: it was generated from the content before. Update it here, or fix it later under Issues.',
    theirs: (host: string) => `Checked by Chartkeeper. ${host} applies its own rules.`,
    refused: (count: number) =>
      formatPlural(count, {
        one: 'The server will refuse this save: {n} error.',
        other: 'The server will refuse this save: {n} errors.',
      }),
    errors: (count: number) =>
      formatPlural(count, {
        one: '{n} error that existed before or is only flagged',
        other: '{n} errors that existed before or are only flagged',
      }),
    warnings: (count: number) => formatPlural(count, { one: '{n} warning', other: '{n} warnings' }),
    more: (count: number) => formatPlural(count, { one: '{n} more issue', other: '{n} more issues' }),
  },
} as const;
