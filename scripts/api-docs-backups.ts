/** The addresses of backups, for docs/api.md; each needs a token with every scope. */
export const backupRows: readonly (readonly string[])[] = [
  [
    'GET `/app/backups`',
    '200',
    '`folder`, `backups`, `secondPlace`. Of each backup `name`, `time`, `bytes`, `kind`; `place` (`second` where the data folder lacks it), `copied` (the second place holds it too); `compared`: how many `texts` were compared with their SHA-256 when it was made and which are `damaged` (`type`, `id`, `version`), or null where nobody looked. `secondPlace` is null, or its `folder`, `state` (`good`, `copying`, `away`, `failed`), `problem`, how many it is `lacking`, when a copy was last `compared`.',
  ],
  ['POST `/app/backups`', '201', 'Makes a backup now; the answer is that backup.'],
  [
    'PUT `/app/backups/second-place`',
    '200',
    '`{"folder"}`: a folder on another disk that each backup is copied to, null for none; the answer is the list. It must be there, and no other data folder’s; else 422.',
  ],
  [
    'POST `/app/backups/{name}/restore`',
    '200',
    'Puts a backup in the place of the records: `restored`, and what was there as `before`. 409 where a text in it is damaged and it does not say so, 422 where it is not good otherwise; both name the next good one.',
  ],
];
