import type { Claim } from './trust-claims.ts';

const opening = 'server/store/open-database.test.ts';

/** What becomes of records. */
export const dataClaims: readonly Claim[] = [
  {
    claim:
      'Each commit is in the write-ahead log and on the disk before it is acknowledged (synchronous FULL). One process writes a folder; a second ends with a sentence. Files are readable by their owner alone, and what is deleted is overwritten.',
    tests: [
      [opening, 'item 7: a new file is 0600 in a folder 0700, WAL with synchronous FULL'],
      ['server/serve.test.ts', 'a second start on the same folder ends with a sentence and exit code 11'],
    ],
  },
  {
    claim:
      'A server that is killed while it writes, or whose power fails, has lost no acknowledged write, and kept no half of one.',
    cases: ['kill'],
  },
  {
    claim:
      'A file is looked at before it is served. Each kind of bad file has a sentence and an exit code, is left as it is, and the newest backup is named.',
    tests: [
      [opening, 'a file that is %s: a sentence with "%s", an exit code, nothing changed'],
      [opening, '200 truncations: each is refused, none changes the file'],
      [opening, 'a file that is beyond repair: the newest backup is named'],
    ],
  },
];
