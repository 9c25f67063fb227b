/** Text of the sheet that erases a record. */
export const erase = {
  title: 'Erase this record',
  what: 'All its versions, its drafts and its findings are removed, and cannot be brought back by a restore. The audit trail keeps that it was erased, by whom and why.',
  whatShared:
    'All its versions, its drafts and its findings are removed, at every server of the store. A restore of the database to a time before would bring it back. The audit trail keeps that it was erased, by whom and why.',
  reason: 'Reason',
  reasonHint: 'Stands in the audit trail for good.',
  id: 'Type the id to confirm',
  confirm: 'Erase for good',
  keep: 'Keep the record',
  failed: 'The record was not erased.',
  doneTitle: 'The record is erased',
  done: (record: string) => `${record} is erased, with all its versions.`,
  backups:
    'These backups hold it still, or may. Remove those that are not needed from their folder, and from the second place where one is set.',
  second: 'second place',
  unseen: (folder: string) => `${folder} cannot be looked at: what lies there may hold it still.`,
  noBackups: 'No backup holds it.',
  databaseBackups: 'Backups and logs of the database hold it still: those who keep the database remove them.',
  list: 'Backups that hold the record',
  close: 'Close',
  elsewhere: 'Only records of this server are erased here',
};
