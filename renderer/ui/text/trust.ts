import { formatCount, formatList, formatPlural } from '../format.ts';

/** Formats the number of damaged records, then of damaged versions of intact records. */
function formatDamaged(records: number, versions: number): string {
  const parts = [
    ...(records > 0
      ? [formatPlural(records, { one: '{n} damaged record', other: '{n} damaged records' })]
      : []),
    ...(versions > 0
      ? [formatPlural(versions, { one: '{n} damaged older version', other: '{n} damaged older versions' })]
      : []),
  ];
  return formatList(parts, 'unit');
}

/**
 * Texts of the Trust view: audit, backups and access tokens, and of its parts in the frame. `{time}` is an
 * element.
 */
export const trustText = {
  damage: {
    name: 'Damaged records',
    offer: 'integrity checks',
    failed: 'Couldn’t load the damaged records.',
    never: 'Records have not been checked for damage yet.',
    last: 'Last check {time}',
    result: (readCount: number, foundCount: number) =>
      foundCount === 0
        ? formatPlural(readCount, {
            one: '{n} version checked, intact',
            other: '{n} versions checked, all intact',
          })
        : formatPlural(
            readCount,
            {
              one: '{n} version checked, {found} damaged',
              other: '{n} versions checked, {found} damaged',
            },
            { found: foundCount },
          ),
    running: (done: number, total: number) =>
      formatPlural(
        total,
        { one: 'Checking {done} of {n} version', other: 'Checking {done} of {n} versions' },
        { done },
      ),
    progress: 'Integrity check',
    check: 'Check now',
    notChecked: 'Couldn’t start the check.',
    begun: 'Integrity check started',
    empty: 'No damaged records',
    emptyDetail:
      'Every version is stored with a checksum and checked once a day. Versions that don’t match are listed here; everything else keeps working.',
    lead: 'The stored text of these records doesn’t match its checksum. Searches and exports skip them, and reading one returns an error. Everything else works.',
    columns: {
      record: 'Record',
      version: 'Version',
      noticed: 'Found',
      whole: 'Intact copy in',
      action: 'Action',
    },
    current: (version: number) => `${formatCount(version)} (current)`,
    former: (version: number) => `${formatCount(version)} (history)`,
    inBackup: (time: string, version: number) => `Backup from ${time}, version ${formatCount(version)}`,
    moreBackups: (count: number) =>
      formatPlural(count, { one: 'and {n} more backup', other: 'and {n} more backups' }),
    noBackup: 'No backup',
    databaseBackups: 'Database backups',
    formerWhole: 'The current version is intact',
    count: formatDamaged,
    mend: {
      start: 'Repair',
      startOf: (name: string) => `Repair ${name}`,
      title: (name: string) => `Repair ${name}`,
      what: (version: number) =>
        `The text of version ${formatCount(version)} is damaged. An intact text is saved as the next version. The history keeps the damaged version’s entry.`,
      whatFormer: (version: number) =>
        `The text of version ${formatCount(version)} in the history is damaged. It is restored unchanged; the current record stays as it is.`,
      source: 'Take the text from',
      sources: { backup: 'A backup', file: 'A file', text: 'Text I enter' },
      none: 'No backup has an intact copy of this record.',
      databaseBackups: 'Database backups may have an intact copy. Ask your database administrator.',
      backup: 'Backup',
      backupOf: (time: string, name: string, version: number) =>
        `${time} · version ${formatCount(version)} · ${name}`,
      older: (version: number) =>
        `This backup has version ${formatCount(version)}. Later changes are not in it.`,
      same: 'This backup has the same version intact. Nothing is lost.',
      choose: 'Choose file',
      noFile: 'Choose a JSON file that contains the whole record.',
      editor: 'Replacement JSON',
      notJson: 'Not a JSON object yet.',
      other: (name: string) => `This is ${name}, a different record.`,
      confirm: 'Repair record',
      cancel: 'Cancel',
      failed: 'Couldn’t repair the record.',
      done: (name: string) => `${name} repaired`,
    },
  },
  losses: {
    name: 'Lost changes',
    atLeast: (count: number) =>
      formatPlural(count, {
        one: 'At least {n} saved change missing.',
        other: 'At least {n} saved changes missing.',
      }),
    noticed: 'Found {time}',
    show: 'Show backups',
    read: 'Mark as read',
    notRead: 'Couldn’t mark it as read.',
  },
  places: {
    place: 'Location',
    compared: 'Verified',
    first: 'Data folder',
    second: 'Second location',
    both: 'Both locations',
    whole: (count: number) =>
      formatPlural(count, { one: '{n} version, intact', other: '{n} versions, all intact' }),
    damaged: (count: number, damagedCount: number) =>
      formatPlural(
        count,
        { one: '{n} version, {damaged} damaged', other: '{n} versions, {damaged} damaged' },
        { damaged: damagedCount },
      ),
    holdsDamaged: (count: number) =>
      formatPlural(count, {
        one: 'Contains {n} damaged version:',
        other: 'Contains {n} damaged versions:',
      }),
    notCompared: 'Not verified',
    version: (name: string, version: number) => `${name} version ${formatCount(version)}`,
    more: (count: number) => `and ${formatCount(count)} more`,
    heading: 'Second location',
    what: 'Each backup is also copied to this folder. Choose one on another disk, so that your backups survive if this disk fails.',
    none: 'No second location. If this disk fails, its backups are lost with it.',
    states: { good: 'Up to date', copying: 'Copying', away: 'Not reachable', failed: 'Copy failed' },
    lacking: (count: number) =>
      formatPlural(count, { one: '{n} backup not copied yet.', other: '{n} backups not copied yet.' }),
    lastCompared: 'Last copy verified {time}.',
    field: 'Folder on another disk',
    hint: 'Absolute path on the server',
    set: 'Set second location',
    remove: 'Remove second location',
    setDone: (folder: string) => `Backups are now also copied to ${folder}`,
    removed: 'Second location removed. Existing copies stay there.',
    failed: 'Couldn’t change the second location.',
  },
  sessions: {
    name: 'Sessions',
    what: 'Windows that signed in with a link. Each session ends on its own; you can also end it here.',
    offer: 'sessions',
    failed: 'Couldn’t load the sessions.',
    empty: 'No sessions yet. Signing in with a link starts one.',
    columns: { id: 'Session', scope: 'Scopes', begun: 'Started', used: 'Last used', action: 'Action' },
    current: 'this window',
    end: 'End',
    endOf: (id: string) => `End session ${id}`,
    endTitle: (id: string) => `End session ${id}?`,
    endDetail: 'That window loses access at its next request and must sign in again.',
    endOwn: 'This is your own window. Unsaved changes are kept as drafts.',
    keep: 'Cancel',
    ended: (id: string) => `Session ${id} ended`,
    notEnded: 'Couldn’t end the session.',
    link: {
      start: 'New sign-in link',
      title: 'Sign-in link',
      offer: 'sign-in links',
      making: 'Creating link',
      failed: 'Couldn’t create a link.',
      once: 'Signs in one window, once. The first person to open it gets your permissions.',
      field: 'Link',
      expires: (time: string) => `Valid until ${time}.`,
      copy: 'Copy link',
      copied: 'Link copied',
      notCopied: 'Couldn’t copy the link. Select it and copy it.',
      close: 'Done',
    },
  },
} as const;
