import type { Claim } from './claim.ts';

const keeper = 'server/store/sqlite/database-keeper.test.ts';
const migrate = 'server/store/sqlite/migrate.test.ts';
const verify = 'server/store/sqlite/verify.test.ts';
const watch = 'server/trail-watch.test.ts';
const rebuilder = 'server/judge/rebuilder.test.ts';
const targets = 'renderer/features/bulk/targets.test.ts';
const rows = 'server/conformance/rows-damage.test.ts';
const damagedBackups = 'server/http/damaged-backups.test.ts';
const erasures = 'server/http/erasure-routes.test.ts';
const opening = 'server/store/sqlite/open-database.test.ts';

/** What becomes of records. */
export const dataClaims: readonly Claim[] = [
  {
    claim:
      'Each commit is in the write-ahead log and on the disk before it is acknowledged (synchronous FULL, read back when the database is opened). One process writes a folder; a second ends with a sentence. Files are readable by their owner alone, and what is deleted is overwritten.',
    tests: [
      [opening, 'item 7: a new file is 0600 in a folder 0700, WAL with synchronous FULL'],
      ['server/store/sqlite/connection-settings.test.ts', 'a database with %s is not served'],
      [
        'server/store/sqlite/file-modes.test.ts',
        'those that were open to others are closed when they are opened, backups too',
      ],
      ['server/serve.test.ts', 'a second start on the same folder ends with a sentence and exit code 11'],
    ],
    cases: ['second-start'],
  },
  {
    claim:
      'A server that is killed while it writes, or whose power fails, has lost no acknowledged write, and kept no half of one.',
    cases: ['kill', 'power', 'first-start', 'soak'],
  },
  {
    claim:
      'A failed sync, or a full disk, ends in an answer that says so; what was refused never appears, reads go on, and writes go on by themselves once the disk does.',
    tests: [
      [
        'server/http/package-full-disk.test.ts',
        'answers a package on a full disk with 507 and a sentence, and takes it once there is room (not run where nothing can be mounted)',
      ],
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
      'A server starts on a full disk and reads, searches and checks its trail; it says so once, and writes once there is room, without a restart.',
    tests: [
      [
        'server/http/disk-full.test.ts',
        'row 25: a server starts on a full disk, reads, searches and verifies, says so once, and writes once there is room (not run where nothing can be mounted)',
      ],
    ],
    cases: ['full-disk-restarted'],
  },
  {
    claim:
      'An erased record is gone with all its versions and drafts: its text is in no file of the data folder but the backups that are listed, and in no table of a shared store; the tab of a patient keeps the id alone. Neither a restore nor an import brings it back. No minted token erases, and no session that one made. The trail keeps that it was erased, by whom and why.',
    tests: [
      [
        'server/http/erasure-routes.test.ts',
        'refuses an erasure by a session that a minted token made, directly or by way of another session',
      ],
      [
        'server/http/erasure-copies.test.ts',
        'row 41: leaves no word of an erased patient in a file, while the server runs and when it has stopped',
      ],
      [
        'server/http/erasure-copies.test.ts',
        'row 41: leaves no word of an erased record in a file, while the server runs and when it has stopped',
      ],
      ['server/erasures/shared-place.test.ts', 'leaves no word of a record, or of a patient, in any table'],
      [
        erasures,
        'row 94: an erased text stands in no file of the data folder but the backups that the answer lists',
      ],
      [erasures, 'row 94: a restore of a backup from before leaves the erased out, and says so'],
      [erasures, 'row 94: an import that keeps ids leaves the erased out, and says so'],
      [erasures, 'row 94: the audit trail says who erased what, and why; its earlier entries stay'],
      [
        'server/commands/erase-command.test.ts',
        'a record is erased by the command line; restores of records and workspace from before leave it out',
      ],
    ],
    cases: ['erased'],
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
      'One changed bit of a stored text in records.db is noticed when it is read, and by `chartkeeper verify`: a SHA-256 stands beside each version. Where the log beside it was deleted, cut or damaged, the start and `verify` name at least how many acknowledged writes are missing, but for those of the last second.',
    tests: [
      [
        'server/store/checksum.test.ts',
        'a text in which one bit has changed is answered nowhere; the other records are',
      ],
      [verify, '200 flips of one bit each, 200 noticed, each by its record'],
      [
        watch,
        'item 23: of a log that was %s, verify and the start name how many acknowledged writes are missing at least',
      ],
      [watch, 'a kill says nothing, whether the last writes were looked at or not'],
    ],
    cases: ['bit-flips', 'log-damage'],
  },
  {
    claim:
      'A damaged text costs that record alone: all others are answered, searches and histories name it in its place, exports in a last line. All texts are read against their checksums once a day. An update with the whole record, a backup’s version or `chartkeeper repair` mends it.',
    tests: [
      [rows, 'row 89: a search (%s) answers an outcome in its place, counted in total'],
      [rows, 'row 89: an update with the whole record mends it, whatever described it before'],
      [
        'server/http/damage-routes.test.ts',
        'item 21: all texts are read once a day, or when asked; what was found is told',
      ],
      [
        'server/commands/repair-command.test.ts',
        'chartkeeper repair --write takes the newest good version of a backup, and puts older texts back',
      ],
    ],
    cases: ['damaged-record'],
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
      'A bulk run or its undo that is cut short by a crash is gone on with: each record is changed once, put back once, to the last digit, and one that somebody changed since is left as it is.',
    tests: [
      [targets, 'a run that is taken up again looks first: the same version is sent, another is not'],
      [targets, 'an undo leaves what somebody has changed since, and says who and when'],
      [targets, 'what an undo put back before it was killed is not put back twice'],
    ],
    cases: ['bulk-killed'],
  },
  {
    claim:
      'Judging that is cut short by a crash goes on where it was, by the program’s rules and by checks of one’s own: verdicts, findings and measures are those of a store that nobody disturbed. An expression that runs away costs its own record its verdict, and nobody else’s; one that takes too long to parse, or a package’s that does, fails itself alone.',
    tests: [
      [
        'server/http/check-routes.test.ts',
        'an expression that runs away marks its record as not judged, and stops nobody',
      ],
      [
        'server/http/check-limits.test.ts',
        'an expression that takes too long to parse fails its own check alone',
      ],
      [
        'server/judge/profiles.test.ts',
        'an invariant that takes too long to parse is named as not evaluated, and is parsed once',
      ],
    ],
    cases: ['judging-killed'],
  },
  {
    claim:
      'The finder’s index is a file of its own: one that is damaged, or of other records, is made anew, a filling that is killed is gone on with, and on a full disk it says that it is behind and catches up once there is room.',
    tests: [
      ['server/http/find-routes.test.ts', 'an index that is damaged, or of other records, is made anew'],
      ['server/find/naive-finder.test.ts', 'a naive finder finds the same, whatever is typed'],
    ],
    cases: ['finder-killed', 'full-disk-restarted'],
  },
  {
    claim:
      'Backups are made every 15 minutes where something changed, at a start or stop where that is due, before a migration, a reset and a restore, and on request; the newest three of today and one of each other day stay, ten at most. They are numbered in the order of their writing: whatever the clock says, the newest is not thinned. A restore keeps what it replaces, and old copies of that go too. It refuses a backup with a table, view, index or trigger that is not Chartkeeper’s, and names it.',
    tests: [
      [
        'server/http/backup-routes.test.ts',
        'item 13: a backup is made, listed, and put back in the running server; what was there is kept',
      ],
      [
        'server/backups/thinning.test.ts',
        'of timed ones ten at most: the newest three of today, the newest of each other day',
      ],
      [
        'server/backups/backups-clock.test.ts',
        'keeps a new backup, and what a restore replaces, behind a clock set back by %s',
      ],
      [
        'server/backups/backups-clock.test.ts',
        'a start copies what a killed session left, and a stop what its own wrote, where a quarter has gone',
      ],
      [
        'server/http/backup-routes.test.ts',
        'row 40: refuses a backup that brings a trigger under a name like an index’s, and names it',
      ],
    ],
    cases: ['restore'],
  },
  {
    claim:
      'Each text is compared with its SHA-256 when a backup is made and when it is restored. A backup names what is damaged in it; one that was damaged afterwards is refused, and the next good one is named. The newest backup that holds a damaged text whole is never thinned. Where a second place is set, each backup is copied there and compared; it is caught up when it was away. Records that are missing beside their backups are no new clinic.',
    tests: [
      [damagedBackups, 'row 22: a backup that rotted is refused, and the next good one is offered by name'],
      [
        damagedBackups,
        'row 22: each backup is copied to a second place, which is told when it is away, and caught up when it is back',
      ],
      ['server/store/sqlite/missing.test.ts', 'row 22: records are missing beside %s'],
      [
        'server/commands/backup-command.test.ts',
        'row 31: what restores replaced is kept without a log, told how to be rid of, and thinned',
      ],
    ],
    cases: ['backup-rotten', 'backup-names-damage', 'file-missing'],
  },
  {
    claim:
      'Who read, searched, wrote, failed to sign in or changed a token stands in an audit trail, a write in the same transaction as its change, without bodies and tokens. Entries are sealed in a chain, whose end is kept in workspace.db; `chartkeeper verify` finds the changes of entries and records that the case makes, as long as not both files are forged, and with a key then too.',
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
      ['server/store/sqlite/audit.test.ts', 'a write and its entry are committed together, or neither is'],
      ['server/store/sqlite/audit.test.ts', 'entries are gathered and written in one commit within 250 ms'],
      ['server/store/sqlite/verify-trail.test.ts', 'item 24: %s (%s) is found'],
    ],
    cases: ['trail-tampered'],
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
      'An import, however long, leaves searches their time. Under load memory, descriptors and logs stay as large as they are; what large bodies and answers that nobody reads took is given back. A narrative of any size or shape leaves the page its time, and of one that is cut it is said.',
    tests: [
      ['server/import/candidates.test.ts', 'others get their turn while 50,000 %s come at once'],
      [
        'renderer/platform/narrative-size.browser.test.tsx',
        'shows of 5 MB of %s what a page can draw, and says where it is cut',
      ],
    ],
    cases: ['import-latency', 'load-mixed', 'hostile-bodies', 'unread-answers'],
  },
];
