import type { ResourceType } from '../../../core/fhir/resource.ts';
import { formatCount, formatPlural } from '../format.ts';
import { textsOf } from './types.ts';

export const exportText = {
  name: 'Export',
  selected: (count: number) => `${formatCount(count)} selected`,
  all: (type: ResourceType, total: number, atLeast: boolean) =>
    atLeast ? textsOf(type).allOfSearch : formatPlural(total, textsOf(type).allCount),
  formats: { csv: 'CSV (visible columns)', ndjson: 'NDJSON', bundle: 'Bundle' },
  progress: (done: number, total: number | undefined) =>
    total === undefined
      ? `Exporting: ${formatCount(done)}`
      : `Exporting: ${formatCount(done)} of ${formatCount(total)}`,
  progressName: 'Records exported',
  stop: 'Stop export',
  stopped: (done: number) =>
    formatPlural(done, {
      one: 'Export stopped at {n} record. No file was written.',
      other: 'Export stopped at {n} records. No file was written.',
    }),
  failed: (done: number) =>
    formatPlural(done, {
      one: 'The export failed after {n} record. No file was written.',
      other: 'The export failed after {n} records. No file was written.',
    }),
  none: 'None of these records exist any more.',
  dismiss: 'Dismiss',
  done: (type: ResourceType, done: number, file: string, total: number | undefined) =>
    total === undefined || total === done
      ? formatPlural(done, textsOf(type).exportedCount, { file })
      : formatPlural(total, textsOf(type).exportedPart, { done, file }),
  repeated: (exportedMessage: string, count: number) =>
    formatPlural(
      count,
      {
        one: '{exported}. {n} record that the server listed again was skipped.',
        other: '{exported}. {n} records that the server listed again were skipped.',
      },
      { exported: exportedMessage },
    ),
} as const;
