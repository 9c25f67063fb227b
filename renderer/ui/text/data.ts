import { typeList, type ResourceType } from '../../../core/fhir/resource.ts';
import type { ImportResult } from '../../../core/app/transfer.ts';
import { formatBytes, formatCount, formatList, formatPlural } from '../format.ts';
import { training } from './training.ts';
import { textsOf } from './types.ts';
import type { BackupKind } from '../../../core/app/backups.ts';

/** Text of the part of the Data view that carries settings. */
const settingsFiles = {
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

const backups = {
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

type Counts = Readonly<Record<ImportResult, number>>;

/** Result sentences of an import and of a dry run. */
const outcomeForms = {
  import: {
    stored: { one: '{stored} of {n} record stored.', other: '{stored} of {n} records stored.' },
    refused: { other: '{n} refused.' },
    skipped: { other: '{n} skipped.' },
    related: { one: '{n} related resource stored.', other: '{n} related resources stored.' },
    relatedReplaced: {
      one: '{n} related resource stored, replacing an earlier one.',
      other: '{n} related resources stored, {replaced} of them replaced.',
    },
  },
  dryRun: {
    stored: {
      one: '{stored} of {n} record would be stored.',
      other: '{stored} of {n} records would be stored.',
    },
    refused: { other: '{n} would be refused.' },
    skipped: { other: '{n} would be skipped.' },
    related: {
      one: '{n} related resource would be stored.',
      other: '{n} related resources would be stored.',
    },
    relatedReplaced: {
      one: '{n} related resource would be stored, replacing an earlier one.',
      other: '{n} related resources would be stored, {replaced} of them replaced.',
    },
  },
} as const;

/** Returns sentences such as `2,012 of 2,036 records stored. 24 refused.` */
function formatOutcome(counts: Counts, dryRun: boolean): string {
  const {
    stored: storedCount,
    unchanged,
    refused: refusedCount,
    skipped: skippedCount,
    kept: storedRelatedCount,
    replaced: replacedRelatedCount,
  } = counts;
  const forms = outcomeForms[dryRun ? 'dryRun' : 'import'];
  const sentences = [
    formatPlural(storedCount + unchanged + refusedCount + skippedCount, forms.stored, {
      stored: storedCount,
    }),
  ];
  if (unchanged > 0) sentences.push(formatPlural(unchanged, { other: '{n} already present.' }));
  if (refusedCount > 0) sentences.push(formatPlural(refusedCount, forms.refused));
  if (skippedCount > 0) sentences.push(formatPlural(skippedCount, forms.skipped));
  if (replacedRelatedCount > 0)
    sentences.push(
      formatPlural(storedRelatedCount + replacedRelatedCount, forms.relatedReplaced, {
        replaced: replacedRelatedCount,
      }),
    );
  else if (storedRelatedCount > 0) sentences.push(formatPlural(storedRelatedCount, forms.related));
  return sentences.join(' ');
}

export const data = {
  name: 'Data',
  settings: settingsFiles,
  tabs: {
    import: 'Import',
    batches: 'Batches',
    export: 'Export',
    companions: 'Related resources',
    packages: 'Packages',
    backups: 'Backups',
    settings: 'Settings files',
    training: 'Training data',
  },
  stop: 'Stop',
  stopNow: 'Stop now',
  rate: (recordsPerSecond: number) => `${formatCount(Math.round(recordsPerSecond))} records/s`,
  import: {
    heading: 'Import records',
    description:
      'Drop records and Bundles as JSON, NDJSON or FHIR XML, also as .gz or .zip files, or folders of them, here or anywhere in the window.',
    chooseFiles: 'Choose files',
    chooseFolder: 'Choose folder',
    drop: 'Drop records to import them, or FHIR packages to add them',
    added: (count: number) =>
      formatPlural(count, { one: '{n} file ready to import', other: '{n} files ready to import' }),
    fileCount: (count: number, bytes: number) =>
      formatPlural(
        count,
        { one: '{n} file, {size}', other: '{n} files, {size}' },
        { size: formatBytes(bytes) },
      ),
    noneAdded: 'Nothing to import in what you dropped.',
    readFailed: 'Couldn’t read what you dropped. Nothing was imported.',
    busy: 'An import is running. Try again when it has finished.',
    files: 'Files to import',
    columns: { name: 'File', format: 'Format', size: 'Size' },
    formats: {
      json: 'JSON or Bundle',
      lines: 'NDJSON',
      xml: 'XML',
      gzip: 'Gzip',
      zip: 'Zip',
      other: 'By content',
    },
    clear: 'Clear list',
    keepIds: 'Keep IDs',
    keepIdsHint: 'If off, each record gets a new ID.',
    validation: 'Validation',
    validationLevels: {
      standard: 'Standard: refuse invalid records',
      off: 'Off: import invalid records too, flagged',
    },
    dryRun: 'Start dry run',
    dryRunAgain: 'Repeat dry run',
    withoutDryRun: 'Import without dry run',
    importRecords: (count: number) =>
      formatPlural(count, { one: 'Import {n} record', other: 'Import {n} records' }),
    changeFiles: 'Change files',
    choice: {
      legend: 'What to store',
      good: (count: number) => `The good ones (${formatCount(count)})`,
      flagged: (count: number) => `Also the refused ones, flagged (${formatCount(count)})`,
      new: (count: number) => `Only what is new (${formatCount(count)})`,
      notStorable: (count: number) =>
        formatPlural(count, { one: '{n} can’t be stored.', other: '{n} can’t be stored.' }),
      allGood: (count: number) =>
        formatPlural(count, {
          one: '{n} record, and it can be stored.',
          other: 'All {n} records can be stored.',
        }),
      noneGood: 'Nothing can be stored. The reasons are below.',
    },
    reasons: 'Result by reason',
    reasonColumns: { reason: 'Reason', count: 'Entries' },
    storable: 'Refused, can be stored flagged',
    showGroup: (name: string, count: number) => `${name}, ${formatCount(count)}`,
    running: (dryRun: boolean) => (dryRun ? 'Dry run: nothing is stored' : 'Importing'),
    stopping: 'Finishing the current records',
    progress: (records: number, bytes: number, totalBytes: number) =>
      formatPlural(
        records,
        { one: '{n} record, {bytes} of {all}', other: '{n} records, {bytes} of {all}' },
        { bytes: formatBytes(bytes), all: formatBytes(totalBytes) },
      ),
    done: (counts: Counts, dryRun: boolean) =>
      dryRun
        ? `Dry run finished. ${formatOutcome(counts, true)} Nothing was stored.`
        : formatOutcome(counts, false),
    stopped: (counts: Counts, dryRun: boolean) =>
      dryRun
        ? `Dry run stopped. ${formatOutcome(counts, true)} Nothing was stored.`
        : `Import stopped. ${formatOutcome(counts, false)} Records already stored stay; the rest was not sent.`,
    failed: (dryRun: boolean) => (dryRun ? 'The dry run failed.' : 'The import failed.'),
    beforeFailure: (counts: Counts, dryRun: boolean) => `Before that: ${formatOutcome(counts, dryRun)}`,
    unconfirmed: (count: number) =>
      formatPlural(count, {
        one: 'Up to {n} more record may have been stored without confirmation. With Keep IDs on, importing again doesn’t store anything twice.',
        other:
          'Up to {n} more records may have been stored without confirmation. With Keep IDs on, importing again doesn’t store anything twice.',
      }),
    abandoned: 'The records in progress were not waited for.',
    outcome: 'Result by line',
    outcomeColumns: { file: 'File', place: 'Place', result: 'Result', reason: 'Reason or record' },
    allInFolder: (folder: string) => `All in ${folder}`,
    showResults: 'Show list',
    showRecords: 'Show records',
    showRecordsOfType: (type: ResourceType, count: number) => formatPlural(count, textsOf(type).show),
    reviewIssues: (count: number) =>
      formatPlural(count, { one: 'Review {n} record with issues', other: 'Review {n} records with issues' }),
    importRefused: (count: number) =>
      formatPlural(count, {
        one: 'Also import the refused record, flagged',
        other: 'Also import the {n} refused records, flagged',
      }),
    results: {
      stored: 'Stored',
      unchanged: 'Already present',
      refused: 'Refused',
      skipped: 'Skipped',
      kept: 'Related resource',
      replaced: 'Related resource, replaced',
    },
    dryResults: {
      stored: 'Would be stored',
      unchanged: 'Already present',
      refused: 'Would be refused',
      skipped: 'Would be skipped',
      kept: 'Would be stored as a related resource',
      replaced: 'Would replace a related resource',
    },
    otherType: (type: string) => `${type} resources describe message exchange and are not stored.`,
    storedSupporting: (types: readonly (readonly [string, number])[]) =>
      `Stored as related resources: ${formatList(
        types.map(([type, count]) => `${type} ${formatCount(count)}`),
        'unit',
      )}.`,
    copyCsv: 'Copy results',
    saveCsv: 'Save results as CSV',
    copied: (rows: number) =>
      formatPlural(rows, { one: 'Result of {n} record copied', other: 'Results of {n} records copied' }),
    notCopied: 'Couldn’t copy the results: the browser doesn’t allow it.',
  },
  export: {
    heading: 'Export records',
    description:
      'One record per line, exactly as stored, including every digit. Exports can be imported again unchanged.',
    type: 'Resource type',
    allTypes: typeList,
    criteria: 'Search criteria',
    criteriaPlaceholder: 'status=active&date=ge2026-01-01',
    criteriaDescription: 'Optional: search parameters as in a URL, joined by &.',
    start: 'Export NDJSON',
    running: 'Exporting',
    progress: (records: number, bytes: number) =>
      formatPlural(
        records,
        { one: '{n} record, {bytes}', other: '{n} records, {bytes}' },
        { bytes: formatBytes(bytes) },
      ),
    done: (records: number, name: string) =>
      formatPlural(
        records,
        { one: '{n} record exported to {name}', other: '{n} records exported to {name}' },
        { name },
      ),
    none: 'No records match. No file was created.',
    stopped: (records: number) =>
      formatPlural(records, {
        one: 'Stopped after {n} record. No file was created.',
        other: 'Stopped after {n} records. No file was created.',
      }),
    failed: 'The export failed.',
  },
  backups,
  training,
} as const;
