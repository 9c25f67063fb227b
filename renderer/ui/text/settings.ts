import type { DateLanguage } from '../../../core/app/preferences.ts';
import { formatPlural } from '../format.ts';

const languages: Readonly<Record<DateLanguage, string>> = {
  iso: 'ISO 8601',
  'en-GB': 'British English',
  'en-US': 'American English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  it: 'Italian',
  nl: 'Dutch',
};

/** Text of Settings and About. */
export const settings = {
  parts: {
    display: 'Display',
    export: 'Export',
    editor: 'Editor',
    drafts: 'Drafts',
    server: 'Server',
    keys: 'Keyboard shortcuts',
    about: 'About',
  },
  dateLanguage: 'Date format',
  dateDetail:
    'Changes how dates are displayed. Records, exports and requests keep the original format. Date fields use the format of the browser.',
  dates: (language: DateLanguage, sample: string) => `${sample}, ${languages[language]}`,
  csvForExcel: 'CSV files for Excel',
  csvForExcelDetail: 'Adds a byte order mark, so that Excel reads umlauts and accents correctly.',
  font: 'Font size',
  fonts: (pixels: number) => `${pixels} px`,
  wrap: 'Wrap long lines',
  minimap: 'Minimap',
  draftPause: 'Save drafts after',
  draftPauses: (milliseconds: number) =>
    milliseconds < 1000
      ? 'half a second'
      : formatPlural(milliseconds / 1000, { one: '{n} second', other: '{n} seconds' }),
  draftDetail: 'Unsaved changes are kept on this computer and restored after a crash.',
  level: 'Validation level',
  levels: {
    off: 'Off: nothing is refused because of its content',
    standard: 'Standard: new errors are refused, existing ones are flagged',
    strict: 'Strict: every error is refused',
  },
  levelDetail: 'Set at server start with serve --validation off, standard or strict.',
  judging: 'Quality',
  judgingDetail: 'Records are checked when they are saved, and all records every day at midnight UTC.',
  openQuality: 'Open Quality',
  backups: 'Backups',
  backupsDetail: 'Backups are automatic. A second location keeps a copy of each.',
  openBackups: 'Open Backups',
  elsewhere: 'These settings belong to the local server.',
  command: 'Command',
  keysOf: 'Shortcut',
  none: 'none',
  change: (keys: string, command: string) => `${keys}, change shortcut of ${command}`,
  press: 'Press the new shortcut',
  cancel: 'Esc cancels, Backspace removes the shortcut.',
  plain: 'Letters and digits need Ctrl or Alt.',
  taken: (keys: string, command: string) =>
    `${keys} is already used by “${command}”. Change that shortcut first.`,
  changed: (command: string, keys: string) => `${command}: ${keys}`,
  reset: 'Reset',
  resetOf: (command: string) => `Reset shortcut of ${command}`,
  resetAll: 'Reset all shortcuts',
  version: 'Version',
  standard: 'Standard',
  fhir: 'FHIR R4 (4.0.1)',
  licence: 'License',
  mit: 'MIT. Third-party components and their licenses are listed in notices.txt next to the program.',
  folder: 'Data folder',
  network: 'Network',
  networkDetail: 'Connects only to this server and to servers you add. Nothing else leaves this computer.',
} as const;
