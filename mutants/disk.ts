import type { Mutant } from './mutant.ts';

const backup = 'server/store/backup.ts';
const backupTest = 'server/store/backup.test.ts';
const backups = 'server/backups/backups.ts';
const backupsTest = 'server/backups/backups.test.ts';

/** What is kept for the day on which a disk fails, or a person errs. */
export const diskMutants: readonly Mutant[] = [
  {
    mechanism: 'opening: tables that are not those of their version',
    file: 'server/store/inspect.ts',
    text: "throw fault('other-schema', path);",
    instead: ';',
    test: {
      file: 'server/store/open-database.test.ts',
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
    text: 'await inspectBeside(draft);',
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
    text: 'thin(of, time);',
    test: { file: backupsTest, title: 'item 13: three of today stay and one of each day, ten at most' },
  },
  {
    mechanism: 'drafts that a crash left are removed',
    file: 'server/store/open-database.ts',
    text: 'removeDrafts(path);',
    test: { file: backupsTest, title: 'drafts that a crash left are removed with the next start' },
  },
];
