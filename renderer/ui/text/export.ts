import { countOf, formatCount } from '../format.ts';

const ofTotal = (done: number, total: number | undefined) =>
  total === undefined ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;

/** Text of the export of a search. */
export const exportText = {
  name: 'Export',
  selected: (count: number) => `${formatCount(count)} selected`,
  all: (type: string, total: number, atLeast: boolean) =>
    atLeast ? `All ${type}s of this search` : `All ${countOf(total, type)}`,
  formats: { csv: 'CSV of the shown columns', ndjson: 'NDJSON', bundle: 'Bundle' },
  progress: (done: number, total: number | undefined) => `Exporting: ${ofTotal(done, total)}`,
  progressName: 'Records exported',
  stop: 'Stop export',
  stopped: (done: number) => `Stopped the export at ${formatCount(done)} records; no file was written`,
  failed: (done: number, total: number | undefined) =>
    `The export ended at ${ofTotal(done, total)} records; no file was written.`,
  none: 'None of the records is there any more.',
  dismiss: 'Dismiss',
  done: (type: string, done: number, file: string, total: number | undefined, repeated: number) => {
    const before =
      total === undefined || total === done ? '' : `; the search had found ${formatCount(total)}`;
    const again =
      repeated === 0
        ? ''
        : `; ${formatCount(repeated)} that the server listed again ${repeated === 1 ? 'is' : 'are'} left out`;
    return `Wrote ${countOf(done, type)} to ${file}${before}${again}`;
  },
} as const;
