/** The addresses of damaged records, for docs/api.md; each needs a token with every scope. */
export const damageRows: readonly (readonly string[])[] = [
  [
    'GET `/app/damage`',
    '200',
    '`scrub`: when all texts were last `read` to their end (`ended`, or null), how many they were and how many were `found` damaged; `running`: null, or `done` and `total`. `records`: `type`, `id`, `version` of each damaged text, whether it is the `current` version, when it was first `noticed`; `backups` that hold it whole, or the newest version before it (`name`, `version`, `time`).',
  ],
  ['POST `/app/damage/scrub`', '202', 'Reads all texts from now; the answer is `scrub`.'],
  [
    'POST `/app/damage/{type}/{id}/mend`',
    '200',
    '`{"backup"}`: stores the backup’s version of a damaged record as a new one, and puts the texts of older versions back where it holds them; the answer is the record. 404 where there is no such record or backup, 422 where there is nothing to mend, or nothing to mend it with.',
  ],
];
