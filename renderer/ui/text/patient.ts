import type { ResourceType } from '../../../core/fhir/resource.ts';
import { fillPlaceholders, formatCount, formatList, formatPlural } from '../format.ts';
import { textsOf } from './types.ts';

export const patient = {
  region: 'Patient',
  tab: (name: string) => `Patient: ${name}`,
  title: (id: string) => `All records of ${id}`,
  unnamed: 'Unnamed patient',
  alsoCalled: (names: readonly string[]) => `also known as ${formatList(names)}`,
  copyId: 'Copy ID',
  copied: (id: string) => `${id} copied`,
  referredTo: 'Referenced as',
  person: {
    region: 'Patient details',
    failed: 'Couldn’t load the Patient record.',
    absent: 'No Patient record imported.',
    absentThere: (server: string) => `${server} has no Patient record.`,
  },
  records: 'Records',
  withFindings: (count: number) =>
    formatPlural(count, { one: '{n} record with issues', other: '{n} records with issues' }),
  noFindings: 'no issues',
  empty: 'No records for this patient.',
  emptyHint: 'All forms of the reference were searched. No record names this ID.',
  failed: 'Couldn’t load the patient’s records.',
  bounded: (type: ResourceType, shownCount: number, total: number) =>
    fillPlaceholders(textsOf(type).visibleCount, { shown: shownCount, total }),
  boundedAtLeast: (type: ResourceType, shownCount: number) =>
    fillPlaceholders(textsOf(type).visibleMinCount, { shown: shownCount }),
  searchAll: (type: ResourceType) => textsOf(type).search,
  untimed: (count: number) =>
    formatPlural(count, {
      one: '{n} record without a date, shown in the list only',
      other: '{n} records without a date, shown in the list only',
    }),
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  columns: { title: 'Title', type: 'Type', status: 'Status', when: 'Date', findings: 'Issues' },
  newRecord: 'New record',
  notAsked: 'This record names no patient.',
} as const;
