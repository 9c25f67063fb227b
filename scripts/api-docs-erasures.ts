/** The addresses of erasures, for docs/api.md; each needs a token with every scope. */
export const erasureRows: readonly (readonly string[])[] = [
  [
    'GET `/app/erasures`',
    '200',
    '`erasures`, newest first: `type`, `id`, `time`, `who`, `reason`, and the `backups` that hold something of the record still (`name`, `time`), those of the workspace among them.',
  ],
  [
    'POST `/app/erasures`',
    '201',
    '`{"type", "id", "reason"}`: removes a record with all its versions, drafts and findings; the answer is the erasure with its `backups`, also where it was erased before. The owner alone: a minted token is 403. 404 where there is no such record.',
  ],
];
