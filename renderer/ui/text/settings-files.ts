import { countOf } from '../format.ts';

/** Text of the part of the Data view that carries settings. */
export const settingsWords = {
  heading: 'Settings as files',
  what: 'Connections, saved searches, columns and preferences as JSON files that can lie in git. No secret is in them.',
  export: 'Export settings',
  exported: (files: number, name: string) => `${countOf(files, 'file')} of settings exported to ${name}.`,
  exportFailed: 'The settings were not exported.',
  importHeading: 'Import settings',
  importWhat: 'What an import would change is listed first. Nothing that is here is removed.',
  chooseFolder: 'Choose settings folder',
  chooseFile: 'Choose settings file',
  takeOver: 'Take over',
  taking: (count: number) => `Taking over ${countOf(count, 'setting')}`,
  would: (count: number) =>
    count === 0 ? 'Nothing would change.' : `${countOf(count, 'file')} would be taken over.`,
  taken: (count: number) => `${countOf(count, 'file')} taken over.`,
  importFailed: 'The settings were not imported.',
  outcome: 'Outcome by file',
  columns: { file: 'File', result: 'Result', about: 'What changes, or why it is refused' },
  results: { new: 'New', changed: 'Changed', same: 'The same', refused: 'Refused' },
} as const;
