import { typeList } from '../../../core/fhir/resource.ts';
import type { BackupKind } from '../../../core/app/backups.ts';
import type { ImportResult } from '../../../core/app/transfer.ts';
import { countOf, formatBytes, formatCount } from '../format.ts';

type Counts = Readonly<Record<ImportResult, number>>;

/** `2,012 of 2,036 stored, 24 refused.` */
function outcome({ stored, unchanged, refused, skipped, kept, replaced }: Counts, would: string): string {
  const all = stored + unchanged + refused + skipped;
  const parts = [`${formatCount(stored)} of ${countOf(all, 'record')} ${would}stored`];
  if (unchanged > 0) parts.push(`${formatCount(unchanged)} there already`);
  if (refused > 0) parts.push(`${formatCount(refused)} refused`);
  if (skipped > 0) parts.push(`${formatCount(skipped)} of other types skipped`);
  if (kept + replaced > 0) {
    const again = replaced > 0 ? `, ${formatCount(replaced)} in the place of others` : '';
    parts.push(`${countOf(kept + replaced, 'companion')} ${would}kept${again}`);
  }
  return `${parts.join(', ')}.`;
}

const files = (count: number) => countOf(count, 'file');

const leftOut = (erased: readonly string[]) =>
  erased.length === 0 ? '' : ` Erased records were left out: ${erased.join(', ')}.`;

/** Text of the part of the Data view that carries settings. */
const settingsWords = {
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

/** Text of the Data view. */
export const data = {
  name: 'Data',
  settings: settingsWords,
  parts: {
    import: 'Import',
    export: 'Export',
    companions: 'Companions',
    packages: 'Packages',
    backups: 'Backups',
    settings: 'Settings as files',
    training: 'Training data',
  },
  stop: 'Stop',
  stopNow: 'Stop at once',
  rate: (perSecond: number) => `${formatCount(Math.round(perSecond))} records/s`,
  wrongType: (name: string) => `${name} was left out: it is no .json, .ndjson or .jsonl file.`,
  emptyFile: (name: string) => `${name} was left out: it is empty.`,
  import: {
    heading: 'Import records',
    what: 'Drop NDJSON files, JSON records, Bundles or folders of them here, or anywhere on the window.',
    chooseFiles: 'Choose files',
    chooseFolder: 'Choose folder',
    drop: 'Drop records to import them, or FHIR packages to judge by them',
    added: (count: number) => `${files(count)} ready to import`,
    noneAdded: 'Nothing to import was dropped.',
    unread: 'What was dropped could not be read. Nothing was taken.',
    busy: 'An import is running. Open the files again when it has ended.',
    files: 'Files to import',
    columns: { name: 'File', kind: 'Form', size: 'Size' },
    kinds: { lines: 'NDJSON', json: 'JSON or Bundle' },
    clear: 'Clear list',
    keepIds: 'Keep ids',
    keepIdsHint: 'Off: each record gets a new id.',
    level: 'Validation',
    levels: {
      standard: 'Standard: wrong content is refused',
      off: 'Off: bring dirty data in, flagged',
    },
    dryRun: 'Start dry run',
    dryRunAgain: 'Repeat dry run',
    withoutDryRun: 'Import without dry run',
    importFiles: (count: number) => `Import ${files(count)}`,
    running: (dryRun: boolean) => (dryRun ? 'Dry run: nothing is stored' : 'Importing'),
    stopping: 'Stopping behind the records under way',
    progress: (records: number, bytes: number, all: number) =>
      `${countOf(records, 'record')}, ${formatBytes(bytes)} of ${formatBytes(all)}`,
    done: (counts: Counts, dryRun: boolean) =>
      dryRun ? `Dry run: ${outcome(counts, 'would be ')} Nothing was stored.` : outcome(counts, ''),
    stopped: (counts: Counts, dryRun: boolean) =>
      dryRun
        ? `Dry run stopped: ${outcome(counts, 'would be ')} Nothing was stored.`
        : `Stopped: ${outcome(counts, '')} What was stored stays; the rest was not sent.`,
    failed: (dryRun: boolean) => (dryRun ? 'The dry run broke off.' : 'The import broke off.'),
    confirmed: (counts: Counts, dryRun: boolean) =>
      `Until then: ${outcome(counts, dryRun ? 'would be ' : '')}`,
    unconfirmed: (count: number) =>
      `Up to ${countOf(count, 'further record')} may have been stored without an answer. With Keep ids, importing again stores none twice.`,
    abandoned: 'The records under way were not waited for.',
    outcome: 'Outcome by line',
    outcomeColumns: { file: 'File', place: 'Line', result: 'Result', reason: 'Reason or record' },
    inFolder: (folder: string) => `All in ${folder}`,
    list: 'List them',
    show: 'Show them',
    showOf: (count: number, plural: string) => `Show ${formatCount(count)} ${plural}`,
    worklist: (count: number) =>
      `${formatCount(count)} ${count === 1 ? 'has' : 'have'} issues: open the worklist`,
    anyway: (count: number) =>
      count === 1 ? 'Import this one anyway, flagged' : `Import these ${formatCount(count)} anyway, flagged`,
    results: {
      stored: 'Stored',
      unchanged: 'There already',
      refused: 'Refused',
      skipped: 'Skipped',
      kept: 'Companion',
      replaced: 'Companion, replaced',
    },
    dryResults: {
      stored: 'Would be stored',
      unchanged: 'There already',
      refused: 'Refused',
      skipped: 'Skipped',
      kept: 'Would be a companion',
      replaced: 'Would replace a companion',
    },
    otherType: (type: string) => `${type} tells of an exchange, and is not kept.`,
    companions: (types: readonly (readonly [string, number])[]) =>
      `Kept as companions: ${types.map(([type, count]) => `${type} ${formatCount(count)}`).join(', ')}.`,
    filter: 'Show',
    all: 'All',
    copyCsv: 'Copy outcome',
    saveCsv: 'Save outcome as CSV',
    copied: (rows: number) => `Copied the outcome of ${countOf(rows, 'record')}`,
    notCopied: 'The outcome was not copied: the browser does not allow it.',
  },
  export: {
    heading: 'Export records',
    what: 'One record a line, as stored: every digit stays. An export imports again as it was.',
    type: 'Resource type',
    both: typeList,
    criteria: 'Search criteria',
    criteriaHint: 'status=active&date=ge2026-01-01',
    criteriaWhat: 'Optional: search parameters as in an address, joined with &.',
    start: 'Export NDJSON',
    running: 'Exporting',
    progress: (records: number, bytes: number) => `${countOf(records, 'record')}, ${formatBytes(bytes)}`,
    done: (records: number, name: string) => `Exported ${countOf(records, 'record')} to ${name}.`,
    none: 'No record matches; no file was made.',
    stopped: (records: number) => `Stopped after ${countOf(records, 'record')}; no file was made.`,
    failed: 'The export did not succeed.',
  },
  backups: {
    heading: 'Backups',
    what: 'Whole copies of the records with all versions. One is made every 15 minutes when something changed, and before every migration, reset and restore. Of those made by the clock, three of today and one of each earlier day are kept, ten at most; of the others, the newest ten.',
    start: 'Back up now',
    folder: 'They lie in',
    table: 'Backups',
    columns: {
      time: 'Made',
      age: 'Age',
      kind: 'Reason',
      name: 'File',
      size: 'Size',
      action: 'Action',
    },
    kinds: {
      timed: 'By the clock',
      asked: 'Asked for',
      migration: 'Before a migration',
      reset: 'Before a reset',
      restore: 'Before a restore',
      replaced: 'Replaced on the command line',
    } satisfies Record<BackupKind, string>,
    empty: 'No backup has been made yet.',
    none: 'There is no backup to restore.',
    failed: 'The backups could not be read.',
    made: (name: string, bytes: number) => `Backed up the records: ${name}, ${formatBytes(bytes)}.`,
    notMade: 'No backup was made.',
    skipped: (names: readonly string[]) => `Skipped, as these are not files: ${names.join(', ')}`,
    restore: {
      start: 'Restore',
      startOf: (name: string) => `Restore ${name}`,
      title: 'Restore a backup',
      what: (time: string) => `The records become what they were on ${time}:`,
      aside:
        'What was written since is then no longer shown. The records as they are now are kept aside as a backup first; tokens, drafts, searches and settings stay.',
      running: 'Restoring. Writes wait until it is done.',
      confirm: 'Back up and restore',
      cancel: 'Keep records as they are',
      done: (name: string, before: string, erased: readonly string[]) =>
        `Restored ${name}. The records as they were before are kept as ${before}.${leftOut(erased)}`,
      failed: 'The backup was not restored.',
    },
  },
  training: {
    heading: 'Training data',
    what: (seed: number) =>
      `Invented records to practise on: the same ids on every machine that uses seed ${seed}.`,
    columns: { set: 'Set', about: 'What is in it', loaded: 'Loaded', action: 'Action' },
    sets: {
      clean: { name: 'Clean clinic', about: '200 patients, plans and documents without a fault.' },
      migration: {
        name: 'Migration gone wrong',
        about: 'A further 100 patients, with defects of every validation rule planted and listed below.',
      },
      busy: {
        name: 'Busy ward',
        about:
          'The clean clinic, where a background writer changes a record every few seconds: conflicts to practise on.',
      },
    },
    loaded: (loaded: number, records: number) => `${formatCount(loaded)} of ${formatCount(records)}`,
    load: (name: string) => `Load ${name.toLowerCase()}`,
    loadedNow: (name: string, stored: number, unchanged: number) =>
      `${name}: ${countOf(stored, 'record')} stored, ${formatCount(unchanged)} there already.`,
    notLoaded: 'The training data was not loaded.',
    failed: 'The training data could not be read.',
    ward: {
      heading: 'Busy ward',
      running: (seconds: number) => `Working: a change every ${countOf(seconds, 'second')}`,
      stopped: 'At rest',
      pace: 'A change every',
      paces: (seconds: number) => countOf(seconds, 'second'),
      start: 'Start busy ward',
      stop: 'Stop busy ward',
      started: 'The busy ward is working',
      rests: 'The busy ward is at rest',
      changes: (count: number) => `${countOf(count, 'change')} since it was started`,
      last: (title: string, version: number) => `Last: ${title}, now version ${version}`,
      records: 'Records of the ward',
      recordsHint: 'Open one, change it, and save while the ward works on it.',
      failed: 'The busy ward did not follow.',
    },
    defects: {
      heading: 'Planted defects',
      show: 'List planted defects',
      failed: 'The list of defects could not be read.',
      rule: 'Rule',
      allRules: (count: number) => `All rules (${count})`,
      table: 'Planted defects by record',
      columns: { rule: 'Rule', record: 'Record', pointer: 'Element' },
      root: 'the record itself',
      saveCsv: 'Save list as CSV',
    },
    reset: {
      heading: 'Reset',
      what: 'Empties the records. A copy of the database is written to the data folder first; tokens, drafts, searches and settings stay.',
      start: 'Reset records',
      empty: 'There are no records to remove.',
      title: 'Reset records',
      total: (total: number) => `${countOf(total, 'record')} will be removed, with all versions.`,
      others: (others: number) =>
        others === 1
          ? '1 of them is not training data.'
          : `${formatCount(others)} of them are not training data.`,
      noOthers: 'All of them are training data.',
      understand: (others: number) =>
        others === 1 ? 'Remove the other record too' : `Remove the ${formatCount(others)} other records too`,
      confirm: (total: number) => `Back up and remove ${countOf(total, 'record')}`,
      cancel: 'Keep records',
      done: (removed: number) => `Removed ${countOf(removed, 'record')}.`,
      backup: (bytes: number) => `The backup of ${formatBytes(bytes)} lies at`,
      failed: 'Nothing was removed.',
    },
  },
} as const;
