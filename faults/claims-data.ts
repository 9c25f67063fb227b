import type { Claim } from './claim.ts';

const keeper = 'server/store/sqlite/connection-manager.test.ts';
const migrate = 'server/sqlite/migrate.test.ts';
const verify = 'server/store/sqlite/verify.test.ts';
const watch = 'server/audit-log-watch.test.ts';
const rebuilder = 'server/validation/rebuilder.test.ts';
const targets = 'renderer/features/bulk/targets.test.ts';
const rows = 'server/conformance/rows-damage.test.ts';
const damagedBackups = 'server/http/damaged-backups.test.ts';
const erasures = 'server/http/erasure-routes.test.ts';
const opening = 'server/sqlite/open-database.test.ts';

/** Claims about records. */
export const dataClaims: readonly Claim[] = [
  {
    claim:
      'Each commit is in the write-ahead log and on the disk before it is acknowledged (synchronous FULL, verified when the database is opened). Only one process writes to a folder; a second one ends with an error message. Only the owner can read the files. Deleted content is overwritten.',
    tests: [
      [opening, 'creates a file with mode 0600 in a folder with mode 0700, WAL and synchronous FULL'],
      ['server/sqlite/connection-settings.test.ts', 'rejects a database with %s'],
      ['server/sqlite/file-modes.test.ts', 'restricts existing files and backups when it opens them'],
      ['server/serve.test.ts', 'exits with 11 and a message if the folder is already in use'],
    ],
    cases: ['second-start'],
  },
  {
    claim:
      'A server that is killed during a write, or whose power fails, loses no acknowledged write and stores no partial one.',
    cases: ['kill', 'power', 'first-start', 'soak'],
  },
  {
    claim:
      'A failed sync or a full disk is reported in the response. Rejected writes never appear. Reads continue, and writes resume without a restart as soon as the disk works again.',
    tests: [
      [
        'server/http/package-full-disk.test.ts',
        'rejects a package on a full disk with 507 and accepts it later (not run without mounts)',
      ],
      [keeper, 'rejects writes after a failed sync until the database is reopened, and still reads'],
      [keeper, 'truncates the failed frames of the WAL before it reports the error'],
    ],
    cases: ['fsync', 'disk-full'],
  },
  {
    claim:
      'A server starts on a full disk and reads, searches and verifies its audit log. It reports the full disk once, and writes again without a restart as soon as there is space.',
    tests: [
      [
        'server/http/disk-full.test.ts',
        'starts, reads and verifies on a full disk and writes later (not run if no disk can be mounted)',
      ],
    ],
    cases: ['full-disk-restarted'],
  },
  {
    claim:
      'An erased record is gone with all its versions and drafts. Its text remains only in the backups that the response lists, in no other file of the data folder and in no table of a shared store. The tab of a patient keeps only the ID. Neither a restore nor an import brings the record back. A created token cannot erase, nor can a session that it started. The audit log records who erased the record and why.',
    tests: [
      [
        'server/http/erasure-routes.test.ts',
        'rejects an erasure by a session of a created token, direct or indirect',
      ],
      [
        'server/http/erasure-copies.test.ts',
        'leaves no word of an erased patient in a file, running or stopped',
      ],
      [
        'server/http/erasure-copies.test.ts',
        'leaves no word of an erased record in a file, running or stopped',
      ],
      ['server/shared/erasure-target.test.ts', 'leaves no word of a record or patient in any table'],
      [erasures, 'leaves an erased text only in the backups that the response lists'],
      [erasures, 'excludes and reports erased records on a restore'],
      [erasures, 'excludes and reports erased records on an import with ids'],
      [erasures, 'audits who erased a record and why and keeps earlier entries'],
      [
        'server/commands/erase-command.test.ts',
        'erases a record and excludes it from later restores of older backups',
      ],
    ],
    cases: ['erased'],
  },
  {
    claim:
      'Each file is verified before it is served. Every kind of bad file has an error message and an exit code and stays unchanged. The message names the latest backup.',
    tests: [
      [opening, 'rejects a file that is %s with the message "%s" and its exit code, and leaves it unchanged'],
      [opening, 'names the latest backup if the file is unusable'],
    ],
    cases: ['bad-files', 'truncations'],
  },
  {
    claim:
      'One flipped bit of a stored text in records.db is detected when the text is read, and by `chartkeeper verify`: each version has a SHA-256 checksum. If the write-ahead log was deleted, truncated or damaged, the start and `verify` report the lowest number of acknowledged writes that are missing, except those of the last second.',
    tests: [
      [
        'server/store/checksum.test.ts',
        'returns no text in which one bit has changed, and all other records',
      ],
      [verify, 'reports each of 200 flipped bits with its record'],
      [watch, 'reports the least number of missing writes after the WAL was %s'],
      [watch, 'reports no loss after a kill, even before the last head was stored'],
    ],
    cases: ['bit-flips', 'log-damage'],
  },
  {
    claim:
      'A damaged text affects only its own record. All other records are returned; searches and histories name the damaged one in its place, and exports in a last line. All texts are verified against their checksums once a day. An update with the whole record, a version from a backup or `chartkeeper repair` repairs it.',
    tests: [
      [rows, 'returns an outcome in place of a damaged record in a search (%s)'],
      [rows, 'repairs a damaged record by an update with the whole record'],
      ['server/http/damage-routes.test.ts', 'scrubs all texts daily or on request and reports damage'],
      [
        'server/commands/repair-command.test.ts',
        '--write repairs with the latest intact version and restores older texts',
      ],
    ],
    cases: ['damaged-record'],
  },
  {
    claim:
      'Schema migrations only go forward. A backup precedes them, and each step is one transaction. Databases of released versions are migrated to the current schema with all their content.',
    tests: [
      [migrate, 'writes a backup before a migration, except of a new file'],
      [migrate, 'keeps schema and version if a migration fails'],
      ['server/testing/fixtures.test.ts', 'migrates %s to the latest schema and preserves every record'],
    ],
    cases: ['migration'],
  },
  {
    claim:
      'Index rows and findings match what the current program computes from the records today. Rows of another program version or another day are rebuilt, and no response uses them in the meantime. A killed rebuild resumes.',
    tests: [
      [rebuilder, 'rebuilds the rows of another version like those of a fresh import'],
      [rebuilder, 'delays a search on a new parameter, serves all others, and both afterwards'],
      [
        'server/validation/validation-service.test.ts',
        'lists a plan that became overdue while no server ran, and writes no record',
      ],
    ],
    cases: ['rebuild'],
  },
  {
    claim:
      'A bulk run or its undo resumes after a crash. Each record is changed once and reverted once, to the last digit. A record that somebody else changed since then stays as it is.',
    tests: [
      [targets, 'sends a resumed record only if its version is unchanged'],
      [targets, 'leaves a record that somebody changed and names the author and time'],
      [targets, 'does not revert the writes of an interrupted undo twice'],
    ],
    cases: ['bulk-killed'],
  },
  {
    claim:
      'Validation resumes after a crash, both for the built-in rules and for custom checks. Its results, findings and measures equal those of an undisturbed store. An expression that runs too long costs only its own record a result. An expression of a check or a package that takes too long to parse fails only itself.',
    tests: [
      ['server/http/check-routes.test.ts', 'skips a record whose check times out and continues'],
      ['server/http/check-limits.test.ts', 'fails only the check whose expression parses too slowly'],
      [
        'server/validation/profiles.test.ts',
        'names an invariant that takes too long to parse as not evaluated, and parses it once',
      ],
    ],
    cases: ['judging-killed'],
  },
  {
    claim:
      'The search index of the finder is a separate file. A damaged index, or one of other records, is rebuilt. A killed rebuild resumes. On a full disk the finder reports that it is behind, and it catches up as soon as there is space.',
    tests: [
      ['server/http/find-routes.test.ts', 'rebuilds a damaged or foreign index'],
      ['server/find/naive-finder.test.ts', 'finds the same records as a naive finder for any query'],
    ],
    cases: ['finder-killed', 'full-disk-restarted'],
  },
  {
    claim:
      'A backup is made every 15 minutes if something changed, at a start or stop if one is due, before a migration, a reset and a restore, and on request. The latest three of today and one of each other day are retained, up to ten. Backups are numbered in the order in which they were written: whatever the clock shows, the latest is not pruned. A restore keeps the files that it replaces, and old copies of those are pruned too. It rejects a backup with a table, view, index or trigger that is not part of Chartkeeper, and names it.',
    tests: [
      [
        'server/http/backup-routes.test.ts',
        'backs up, lists and restores, and keeps a backup of the replaced records',
      ],
      [
        'server/backups/retention.test.ts',
        'keep ten timed ones: the latest three of today and the latest of each other day',
      ],
      [
        'server/backups/backups-clock.test.ts',
        'keeps a new backup and a replaced database after the clock is set back by %s',
      ],
      [
        'server/backups/backups-clock.test.ts',
        'backs up the changes of a killed session at the start, and its own changes at a late stop',
      ],
      ['server/http/backup-routes.test.ts', 'rejects and names a trigger disguised as an index'],
    ],
    cases: ['restore'],
  },
  {
    claim:
      'Each text is compared with its SHA-256 checksum when a backup is made and when it is restored. A backup lists its damaged texts. A backup that was damaged later is rejected, and the next intact one is named. The latest backup with an intact copy of a damaged text is never pruned. If a second location is set, each backup is copied there and compared, and the location catches up after an absence. If records are missing but their backups exist, the server does not start as a new clinic.',
    tests: [
      [damagedBackups, 'rejects a damaged backup and names the next intact one'],
      [damagedBackups, 'copies backups to a secondary folder and catches up after an outage'],
      ['server/sqlite/missing.test.ts', 'reports missing records next to %s'],
      [
        'server/commands/backup-command.test.ts',
        'keeps the latest replaced files without a WAL and says that they can be deleted',
      ],
    ],
    cases: ['backup-rotten', 'backup-names-damage', 'file-missing'],
  },
  {
    claim:
      'The audit log records who read, searched, wrote, failed to sign in or changed a token, without bodies and tokens. The entry of a write is stored in the same transaction as its change. Entries are sealed in a chain whose end is stored in workspace.db. `chartkeeper verify` detects the changes of entries and records that the case makes, unless both files are forged; with a key it detects those too.',
    tests: [
      [
        'server/http/audit-routes.test.ts',
        'audits each read, search and write with actor, version and status',
      ],
      ['server/http/audit-routes.test.ts', 'stores no body and no token in the audit log'],
      [verify, 'reports an audit entry with a changed %s'],
      [verify, 'reports the first of the removed, added, renumbered or resealed entries'],
      [verify, 'prevents changes of audit entries through SQL'],
      ['server/store/sqlite/audit.test.ts', 'commits a write and its entry together'],
      ['server/store/sqlite/audit.test.ts', 'writes queued entries in one commit within 250 ms'],
      ['server/store/sqlite/verify-audit-log.test.ts', 'reports %s (%s)'],
    ],
    cases: ['trail-tampered'],
  },
  {
    claim:
      'If several clients write one version of a record, one succeeds and the others are rejected. No acknowledged write is overwritten. The times of a record increase, whatever the clock shows.',
    tests: [
      [
        'server/conformance/concurrency.test.ts',
        'returns one 200 and fifteen 412 to 16 PUTs with one If-Match (round %i)',
      ],
      [
        'server/conformance/concurrency.test.ts',
        'loses no change of 16 writers that read, patch and retry after 412',
      ],
    ],
    cases: ['load-four-writers', 'load-clock'],
  },
  {
    claim:
      'An import of any length does not block searches. Under load, memory, descriptors and logs stay bounded. Memory for large bodies and for unread responses is released. A narrative of any size or shape does not block the page, and a truncated narrative is marked as such.',
    tests: [
      [
        'server/import/import-records.test.ts',
        'lets other work run while 50,000 entries without a resource arrive at once',
      ],
      [
        'renderer/platform/narrative-size.browser.test.tsx',
        'renders 5 MB of %s up to the limits and reports the cut',
      ],
    ],
    cases: ['import-latency', 'load-mixed', 'hostile-bodies', 'unread-answers'],
  },
];
