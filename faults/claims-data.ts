import type { Claim } from './claim.ts';

const keeper = 'server/store/database-keeper.test.ts';
const migrate = 'server/store/migrate.test.ts';
const verify = 'server/store/verify.test.ts';
const rebuilder = 'server/judge/rebuilder.test.ts';
const opening = 'server/store/open-database.test.ts';

/** What becomes of records. */
export const dataClaims: readonly Claim[] = [
  {
    claim:
      'Each commit is in the write-ahead log and on the disk before it is acknowledged (synchronous FULL, read back when the database is opened). One process writes a folder; a second ends with a sentence. Files are readable by their owner alone, and what is deleted is overwritten.',
    tests: [
      [opening, 'item 7: a new file is 0600 in a folder 0700, WAL with synchronous FULL'],
      ['server/store/connection-settings.test.ts', 'a database with %s is not served'],
      [
        'server/store/file-modes.test.ts',
        'those that were open to others are closed when they are opened, backups too',
      ],
      ['server/serve.test.ts', 'a second start on the same folder ends with a sentence and exit code 11'],
    ],
    cases: ['second-start'],
  },
  {
    claim:
      'A server that is killed while it writes, or whose power fails, has lost no acknowledged write, and kept no half of one.',
    cases: ['kill', 'power', 'first-start'],
  },
  {
    claim:
      'A failed sync, or a full disk, ends in an answer that says so; what was refused never appears, reads go on, and writes go on by themselves once the disk does.',
    tests: [
      [
        keeper,
        'item 9: after a failed sync nothing is written until the database was opened anew; reads go on',
      ],
      [keeper, 'item 9: what a failed write left in the log is cut off before it is answered'],
    ],
    cases: ['fsync', 'disk-full'],
  },
  {
    claim:
      'A file is looked at before it is served. Each kind of bad file has a sentence and an exit code, is left as it is, and the newest backup is named.',
    tests: [
      [opening, 'a file that is %s: a sentence with "%s", an exit code, nothing changed'],
      [opening, 'a file that is beyond repair: the newest backup is named'],
    ],
    cases: ['bad-files', 'truncations'],
  },
  {
    claim:
      'One changed bit of a stored text is noticed when it is read, and by `chartkeeper verify`: a SHA-256 stands beside each version.',
    tests: [
      [
        'server/store/checksum.test.ts',
        'a text in which one bit has changed is answered nowhere; the other records are',
      ],
      [verify, '200 flips of one bit each, 200 noticed, each by its record'],
    ],
    cases: ['bit-flips'],
  },
  {
    claim:
      'The schema goes forward, each step in one transaction behind a backup; the databases of released versions are brought to today with all that is in them.',
    tests: [
      [migrate, 'item 12: before a migration there is a backup of what was there; a new file needs none'],
      [migrate, 'item 12: a step that fails leaves the schema and the version before it'],
      ['server/testing/fixtures.test.ts', 'item 12: %s is brought to today, every record as it was'],
    ],
    cases: ['migration'],
  },
  {
    claim:
      'Index and findings are those that the records give today: what another program or another day made is made anew, and nothing is answered from it meanwhile. A rebuild that is killed is gone on with.',
    tests: [
      [
        rebuilder,
        'rows of another program are made anew, and are those that a fresh import of the same records has',
      ],
      [
        rebuilder,
        'row 88: a search on a parameter that is new waits for it; all others answer, and so does it afterwards',
      ],
      [
        'server/judge/judging.test.ts',
        'a plan that became overdue while no server ran is in the worklist, and nobody touched it',
      ],
    ],
    cases: ['rebuild'],
  },
  {
    claim:
      'Backups are made every 15 minutes where something changed, before a migration, a reset and a restore, and on request; the newest three of today and one of each other day stay, ten at most. A restore keeps what it replaces.',
    tests: [
      [
        'server/http/backup-routes.test.ts',
        'item 13: a backup is made, listed, and put back in the running server; what was there is kept',
      ],
      [
        'server/backups/thinning.test.ts',
        'of timed ones ten at most: the newest three of today, the newest of each other day',
      ],
    ],
    cases: ['restore'],
  },
  {
    claim:
      'Who read, searched, wrote, failed to sign in or changed a token stands in an audit trail, a write in the same transaction as its change, without bodies and tokens. Entries are sealed in a chain; any that is changed, removed or added is found.',
    tests: [
      [
        'server/http/audit-routes.test.ts',
        'reads, searches and writes leave an entry each: who, what, which version, with what status',
      ],
      ['server/http/audit-routes.test.ts', 'no body and no token stands in the trail, wherever it was put'],
      [verify, 'an audit entry whose %s was changed is found'],
      [
        verify,
        'entries that were removed, added, renumbered or sealed anew are found, the first of them named',
      ],
      [verify, 'no entry can be changed or removed through SQL'],
      ['server/store/audit.test.ts', 'a write and its entry are committed together, or neither is'],
      ['server/store/audit.test.ts', 'entries are gathered and written in one commit within 250 ms'],
    ],
  },
  {
    claim:
      'Of several that write one version of a record, one wins and the others are told; nothing acknowledged is overwritten. The times of a record grow however the clock is set.',
    tests: [
      [
        'server/conformance/concurrency.test.ts',
        '16 PUTs with one If-Match: one 200, fifteen 412 (round %i)',
      ],
      ['server/conformance/concurrency.test.ts', '16 writers that read, change and try again lose nothing'],
    ],
    cases: ['load-four-writers', 'load-clock'],
  },
  {
    claim:
      'An import, however long, leaves searches their time. Under load memory, descriptors and logs stay as large as they are; what large bodies and answers that nobody reads took is given back.',
    cases: ['import-latency', 'load-mixed', 'hostile-bodies', 'unread-answers'],
  },
];
