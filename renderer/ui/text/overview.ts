import { countOf, formatCount } from '../format.ts';

/** Text of the Overview. */
export const overview = {
  name: 'Overview',
  failed: 'The overview was not read.',
  records: 'Records',
  showStatus: (plural: string, status: string, count: number) => `${formatCount(count)} ${plural}: ${status}`,
  noStatus: 'no status',
  quality: {
    title: 'Quality',
    share: 'of records without a finding',
    trend: 'Share of records without a finding, the last 30 days',
    open: 'Open worklist',
    flagged: (count: number) => `${countOf(count, 'record')} with findings`,
    findings: (count: number) => countOf(count, 'finding'),
    failed: 'The quality was not read.',
  },
  changed: {
    title: 'Changed today',
    counts: (records: number, versions: number, more: boolean) =>
      `${countOf(records, 'record')}, ${more ? 'over ' : ''}${countOf(versions, 'version')}`,
    none: 'Nothing was changed today.',
    operations: { create: 'created', update: 'updated', patch: 'patched', import: 'imported' },
    several: (count: number) => countOf(count, 'record'),
    by: (operation: string, author: string) => `${operation} by ${author}`,
  },
  unfinished: {
    title: 'Unfinished',
    none: 'No draft, no stopped run, no refused import.',
    failed: 'What is unfinished was not read.',
    refused: (count: number) => `${countOf(count, 'record')} refused by an import`,
    draft: 'draft',
    run: (sent: number, of: number) => `bulk run, stopped after ${formatCount(sent)} of ${formatCount(of)}`,
  },
  connections: {
    title: 'Connections',
    none: 'No other server is connected.',
    failed: 'The connections were not read.',
    states: {
      open: 'ready',
      ready: 'ready',
      'needs-secret': 'needs its secret',
      'needs-sign-in': 'needs a sign-in',
      'signing-in': 'signing in',
    },
  },
  patients: {
    title: 'Patients with the newest records',
    columns: { patient: 'Patient', changed: 'Changed' },
    none: 'No record names a patient.',
  },
} as const;
