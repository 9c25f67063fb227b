import { formatPlural } from '../format.ts';

/** Text of the part of the Data view that carries settings. */
export const settingsFiles = {
  heading: 'Settings files',
  what: 'Connections, saved searches, columns and preferences as JSON files, ready for version control. Secrets are not included.',
  export: 'Export settings',
  exported: (files: number, name: string) =>
    formatPlural(
      files,
      { one: 'Settings exported to {name} ({n} file)', other: 'Settings exported to {name} ({n} files)' },
      { name },
    ),
  exportFailed: 'Couldn’t export the settings.',
  importHeading: 'Import settings',
  importWhat: 'You see what would change before anything is imported. Nothing is removed.',
  chooseFolder: 'Choose settings folder',
  chooseFile: 'Choose settings file',
  takeOver: 'Import settings',
  taking: (count: number) =>
    formatPlural(count, { one: 'Importing {n} setting', other: 'Importing {n} settings' }),
  would: (count: number) =>
    count === 0
      ? 'Nothing would change.'
      : formatPlural(count, { one: '{n} file would be imported.', other: '{n} files would be imported.' }),
  taken: (count: number) => formatPlural(count, { one: '{n} file imported', other: '{n} files imported' }),
  importFailed: 'Couldn’t import the settings.',
  outcome: 'Result by file',
  columns: { file: 'File', result: 'Result', about: 'Changes, or why it was refused' },
  results: { new: 'New', changed: 'Changed', same: 'Unchanged', refused: 'Refused' },
} as const;
