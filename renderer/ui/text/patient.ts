import { countOf, formatCount } from '../format.ts';

/** Text of the page of all records of a patient. */
export const patient = {
  region: 'Patient',
  tab: (name: string) => `Patient: ${name}`,
  title: (id: string) => `All records of ${id}`,
  unnamed: 'Patient without a name',
  alsoCalled: 'also called',
  copyId: 'Copy id',
  copied: (id: string) => `Copied ${id}.`,
  referredTo: 'Referred to as',
  person: {
    region: 'Who it is',
    failed: 'The record of the patient could not be read.',
    absent: 'No import brought a record of the patient.',
    absentThere: (server: string) => `${server} has no record of the patient.`,
  },
  records: 'Records',
  withFindings: (count: number) => `${countOf(count, 'record')} with findings`,
  noFindings: 'none with findings',
  empty: 'No record is about this patient.',
  emptyHint: 'Records are found whatever form their reference has; here none names this id.',
  failed: 'The records of the patient were not read.',
  bounded: (shown: number, total: number, plural: string) =>
    `${formatCount(shown)} of ${formatCount(total)} ${plural} are shown.`,
  boundedAtLeast: (shown: number, plural: string) =>
    `${formatCount(shown)} ${plural} are shown; the server has more.`,
  searchAll: (plural: string) => `Search ${plural}`,
  untimed: (count: number) => `${countOf(count, 'record')} without a date, in the list alone`,
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  columns: { title: 'Title', type: 'Type', status: 'Status', when: 'When', findings: 'Findings' },
  newRecord: 'New record',
  notAsked: 'The record names no patient whose records could be looked for.',
} as const;
