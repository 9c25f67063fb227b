import type { BackupKind } from '../../../core/app/backups.ts';
import { formatBytes, formatList } from '../format.ts';

/** Text of the backups. */
export const backups = {
  heading: 'Backups',
  what: 'Complete copies of all records with all versions. A backup is made every 15 minutes if something changed, and before every migration, reset and restore. Of the automatic backups, today’s last three and one per earlier day are kept (10 at most); of the others, the newest 10.',
  start: 'Back up now',
  folder: 'Stored in',
  table: 'Backups',
  columns: {
    time: 'Created',
    age: 'Age',
    kind: 'Type',
    name: 'File',
    size: 'Size',
    action: 'Action',
  },
  kinds: {
    timed: 'Automatic',
    asked: 'Manual',
    migration: 'Before migration',
    reset: 'Before reset',
    restore: 'Before restore',
    replaced: 'Replaced from the command line',
  } satisfies Record<BackupKind, string>,
  empty: 'No backups yet.',
  none: 'There are no backups to restore.',
  failed: 'Couldn’t load the backups.',
  made: (name: string, bytes: number) => `Backup ${name} created, ${formatBytes(bytes)}`,
  notMade: 'Couldn’t create a backup.',
  skipped: (names: readonly string[]) => `Skipped because these are not files: ${formatList(names, 'unit')}`,
  restore: {
    start: 'Restore',
    startOf: (name: string) => `Restore ${name}`,
    title: 'Restore this backup?',
    what: (time: string) => `All records go back to their state of ${time}:`,
    aside:
      'Changes made since then will no longer be visible. The current records are backed up first. Tokens, drafts, searches and settings stay.',
    running: 'Restoring. Saving is paused until it is done.',
    confirm: 'Back up and restore',
    cancel: 'Cancel',
    done: (name: string, backupName: string, erasedRecords: readonly string[]) =>
      [
        `${name} restored.`,
        `The previous records were backed up as ${backupName}.`,
        ...(erasedRecords.length === 0
          ? []
          : [`Erased records were not restored: ${formatList(erasedRecords)}.`]),
      ].join(' '),
    failed: 'Couldn’t restore the backup.',
  },
} as const;
