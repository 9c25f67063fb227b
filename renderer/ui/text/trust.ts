import { countOf, formatCount } from '../format.ts';

const texts = (count: number) => countOf(count, 'text');

/** Records, and beside them what is damaged of the history alone: those records are whole. */
function damagedOf(records: number, versions: number): string {
  const parts = [
    ...(records > 0 ? [countOf(records, 'damaged record')] : []),
    ...(versions > 0 ? [countOf(versions, 'damaged former version')] : []),
  ];
  return parts.join(', ');
}

/** Text of the room Trust, beside audit, backups and access tokens, and of what the frame shows of it. */
export const trustText = {
  damage: {
    name: 'Damaged records',
    offer: 'the check for damage',
    failed: 'What is damaged could not be read.',
    never: 'The texts have not been read against their checksums yet.',
    last: 'Last check',
    result: (read: number, found: number) =>
      `${texts(read)} read, ${found === 0 ? 'all as they were written' : `${formatCount(found)} damaged`}`,
    running: (done: number, total: number) => `Reading ${formatCount(done)} of ${texts(total)}`,
    progress: 'Check for damage',
    check: 'Check now',
    notChecked: 'The check was not started.',
    begun: 'The check for damage has begun.',
    empty: 'No damaged record',
    emptyDetail:
      'Each text is kept with its checksum and read against it once a day. A text that is not as it was written is listed here; everything else goes on answering.',
    lead: 'Their text is not as it was written. They are left out of searches and exports, and read with an error; everything else answers.',
    columns: {
      record: 'Record',
      version: 'Version',
      noticed: 'Noticed',
      whole: 'Whole in',
      action: 'Action',
    },
    current: (version: number) => `${formatCount(version)}, the newest`,
    former: (version: number) => `${formatCount(version)} of the history`,
    inBackup: (time: string, version: number) => `Backup of ${time}, version ${formatCount(version)}`,
    moreBackups: (count: number) => `and ${countOf(count, 'more backup')}`,
    noBackup: 'No backup',
    databaseBackups: 'Backups of the database',
    formerWhole: 'The record itself is whole',
    count: damagedOf,
    mend: {
      start: 'Mend',
      startOf: (name: string) => `Mend ${name}`,
      title: (name: string) => `Mend ${name}`,
      what: (version: number) =>
        `The text of version ${formatCount(version)} is damaged. A whole text becomes the next version; the history keeps the place of the damaged one.`,
      whatFormer: (version: number) =>
        `The text of version ${formatCount(version)}, of the history, is damaged. It is put back as it was; the record itself stays as it is.`,
      source: 'Take the record from',
      sources: { backup: 'A backup', file: 'A file', text: 'What I write' },
      none: 'No backup holds this record whole.',
      databaseBackups:
        'Backups of the database may hold this record whole: those who keep the database restore from them.',
      backup: 'Backup',
      backupOf: (time: string, name: string, version: number) =>
        `${time} · version ${formatCount(version)} · ${name}`,
      older: (version: number) =>
        `That backup holds version ${formatCount(version)}. What was written after it is not in it.`,
      same: 'That backup holds the same version whole: nothing is lost.',
      choose: 'Choose file',
      noFile: 'A JSON file that holds the whole record.',
      editor: 'The whole record',
      notJson: 'This is no JSON object yet.',
      other: (name: string) => `This is ${name}, another record.`,
      confirm: 'Mend record',
      cancel: 'Leave as it is',
      failed: 'The record was not mended.',
      done: (name: string) => `Mended ${name}.`,
    },
  },
  losses: {
    name: 'Lost writes',
    atLeast: (count: number) =>
      `At least ${countOf(count, 'saved change')} ${count === 1 ? 'is' : 'are'} missing.`,
    noticed: 'Noticed',
    show: 'Show backups',
    read: 'Mark as read',
    notRead: 'It could not be marked as read.',
  },
  places: {
    place: 'Place',
    compared: 'Compared',
    first: 'Data folder',
    second: 'Second place',
    both: 'Both places',
    whole: (count: number) => `${texts(count)}, all whole`,
    damaged: (count: number, damaged: number) => `${texts(count)}, ${formatCount(damaged)} damaged`,
    holdsDamaged: (count: number) => `It holds ${countOf(count, 'damaged text')}:`,
    notCompared: 'Not compared',
    version: (name: string, version: number) => `${name} version ${formatCount(version)}`,
    more: (count: number) => `and ${formatCount(count)} more`,
    heading: 'Second place',
    what: 'Each backup is also copied to this folder. Another disk keeps the records when this one fails.',
    none: 'No second place is set. When this disk fails, its backups go with it.',
    states: { good: 'Up to date', copying: 'Copying', away: 'Away', failed: 'Not copied' },
    lacking: (count: number) =>
      count === 1 ? '1 backup is not there yet' : `${formatCount(count)} backups are not there yet`,
    lastCompared: 'Last copy compared',
    field: 'Folder on another disk',
    hint: 'An absolute path on the server’s machine',
    set: 'Set second place',
    remove: 'Remove second place',
    setDone: (folder: string) => `Backups are copied to ${folder} too.`,
    removed: 'Backups have no second place any more. The copies there stay.',
    failed: 'The second place was not changed.',
  },
  sessions: {
    name: 'Sessions',
    what: 'Windows that were signed in with a link. Each ends by itself, or here at once.',
    offer: 'sessions',
    failed: 'The sessions could not be read.',
    empty: 'No session yet. A sign-in link begins one.',
    columns: { id: 'Session', scope: 'Scopes', begun: 'Begun', used: 'Last used', action: 'Action' },
    current: 'this window',
    end: 'End',
    endOf: (id: string) => `End session ${id}`,
    endTitle: (id: string) => `End session ${id}?`,
    endDetail: 'Its window is refused from the next request on, and asks for a new sign-in.',
    endOwn: 'This is your own window: what is not saved stays as a draft.',
    keep: 'Keep session',
    ended: (id: string) => `Ended session ${id}.`,
    notEnded: 'The session was not ended.',
    link: {
      start: 'New sign-in link',
      title: 'Sign-in link',
      offer: 'sign-in links',
      making: 'Making a link',
      failed: 'No link was made.',
      once: 'It signs in one window, once. Whoever opens it first gets in with your rights.',
      field: 'Link',
      expires: (time: string) => `It works until ${time}.`,
      copy: 'Copy link',
      copied: 'Link copied.',
      notCopied: 'The link was not copied. Select it and copy it by hand.',
      close: 'Done',
    },
  },
} as const;
