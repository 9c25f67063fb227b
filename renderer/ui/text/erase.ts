/** Text of the sheet that erases a record. */
export const erase = {
  title: 'Erase this record?',
  what: 'All versions, drafts and issues of this record are erased. Restoring a backup won’t bring them back. The audit log keeps who erased it, when and why.',
  whatShared:
    'All versions, drafts and issues of this record are erased on every server of the store. Restoring the database to an earlier time would bring them back. The audit log keeps who erased it, when and why.',
  reason: 'Reason',
  reasonHint: 'Stays in the audit log permanently',
  id: 'Type the ID to confirm',
  confirm: 'Erase permanently',
  keep: 'Cancel',
  failed: 'Couldn’t erase the record.',
  doneTitle: 'Record erased',
  done: (record: string) => `${record} was erased with all its versions.`,
  backups:
    'These backups contain it, or may contain it. Delete the ones you don’t need from their folder, and from the second location if one is set.',
  second: 'second location',
  unseen: (folder: string) => `${folder} couldn’t be checked. Backups there may contain the record.`,
  noBackups: 'No backup contains it.',
  databaseBackups:
    'Backups and logs of the database still contain it. Ask your database administrator to remove them.',
  list: 'Backups that contain the record',
  close: 'Close',
  elsewhere: 'Only records on this server can be erased here',
};
