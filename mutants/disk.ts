import type { Mutant } from './mutant.ts';

const backup = 'server/store/sqlite/backup.ts';
const backupTest = 'server/store/sqlite/backup.test.ts';
const backups = 'server/backups/backups.ts';
const damagedBackups = 'server/http/damaged-backups.test.ts';
const commandTest = 'server/commands/backup-command.test.ts';
const backupsTest = 'server/backups/backups.test.ts';

/** What is kept for the day on which a disk fails, or a person errs. */
export const diskMutants: readonly Mutant[] = [
  {
    mechanism: 'opening: tables that are not those of their version',
    file: 'server/store/sqlite/inspect.ts',
    text: "throw fault('other-schema', path);",
    instead: ';',
    test: {
      file: 'server/store/sqlite/open-database.test.ts',
      title: 'a file that is %s: a sentence with "%s", an exit code, nothing changed',
    },
  },
  {
    mechanism: 'a backup is checked before it bears its name: at once',
    file: backup,
    text: '    inspect(draft, { closed: false });',
    test: { file: backupTest, title: 'of a damaged database is none: no file bears its name' },
  },
  {
    mechanism: 'a backup is checked before it bears its name: beside other work',
    file: backup,
    text: 'await inspectBeside(draft)',
    instead: 'null',
    test: { file: backupTest, title: 'of a damaged database is none: no file bears its name' },
  },
  {
    mechanism: 'a backup leaves room for what is written meanwhile',
    file: backup,
    text: 'leaveRoom(database, draft);',
    test: {
      file: 'server/http/disk-full.test.ts',
      title:
        'item 9: on a full disk writes are 507 and reads go on; with room again writes do too (not run where nothing can be mounted)',
    },
  },
  {
    mechanism: 'backups by the clock',
    file: backups,
    text: "await make(one.database, one.path, 'timed');",
    test: {
      file: backupsTest,
      title: 'item 13: every quarter of an hour what has changed is backed up, and what has not is left',
    },
  },
  {
    mechanism: 'backups are thinned',
    file: backups,
    text: 'await thin(of, time);',
    test: { file: backupsTest, title: 'item 13: three of today stay and one of each day, ten at most' },
  },
  {
    mechanism: 'drafts that a crash left are removed',
    file: 'server/store/sqlite/open-database.ts',
    text: 'removeDrafts(path);',
    test: { file: backupsTest, title: 'drafts that a crash left are removed with the next start' },
  },
  {
    mechanism: 'a backup compares its texts, and names the damaged ones',
    file: 'server/store/sqlite/compare.ts',
    text: 'if (!isSound(body, sha256)) damaged.push({ type, id, version });',
    test: {
      file: damagedBackups,
      title: 'row 22: a store with a damaged record is backed up, the backup names it, and is restored',
    },
  },
  {
    mechanism: 'a backup that rotted is not restored: by the server',
    file: 'server/store/sqlite/restore.ts',
    text: 'refuseUnnamed(backup, await inspectBeside(draft, { migrations }));',
    instead: 'await inspectBeside(draft, { migrations });',
    test: {
      file: damagedBackups,
      title: 'row 22: a backup that rotted is refused, and the next good one is offered by name',
    },
  },
  {
    mechanism: 'a backup that rotted is not restored: on the command line',
    file: 'server/store/sqlite/restore.ts',
    text: '  refuseUnnamed(backup, compared);',
    test: {
      file: commandTest,
      title: 'row 22: a backup that rotted is refused with a code of its own, and the next good one is named',
    },
  },
  {
    mechanism: 'the newest backup that holds a damaged record whole stays',
    file: backups,
    text: 'if (!stays.has(one.name)) removeBackup(one.path);',
    instead: 'removeBackup(one.path);',
    test: {
      file: damagedBackups,
      title: 'row 22: the newest backup that holds a damaged record whole is never thinned',
    },
  },
  {
    mechanism: 'a second place is caught up',
    file: 'server/backups/second-place.ts',
    text: 'await copyBackup(one.path, folder);',
    test: {
      file: damagedBackups,
      title:
        'row 22: each backup is copied to a second place, which is told when it is away, and caught up when it is back',
    },
  },
  {
    mechanism: 'a second place whose disk is missing is away, though a folder stands there',
    file: 'server/backups/second-place.ts',
    text: "await checkMark(folder, memory.secondPlace()?.id ?? '');",
    test: {
      file: damagedBackups,
      title:
        'row 22: each backup is copied to a second place, which is told when it is away, and caught up when it is back',
    },
  },
  {
    mechanism: 'records that are missing stop the start',
    file: 'server/store/sqlite/open-database.ts',
    text: "else if (isMissing(path)) throw fault('missing', path);",
    test: {
      file: damagedBackups,
      title: 'row 22: records that are missing beside their backups are no new clinic',
    },
  },
  {
    mechanism: 'what restores replaced is thinned',
    file: 'server/backups/thinning.ts',
    text: '...replaced.slice(0, kept.replaced),',
    instead: '...replaced,',
    test: {
      file: commandTest,
      title: 'row 31: what restores replaced is kept without a log, told how to be rid of, and thinned',
    },
  },
];
