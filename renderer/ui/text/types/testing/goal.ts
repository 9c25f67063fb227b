/** Texts of the third resource type that scripts/third-type.ts tries. */
import type { TypeTexts } from '../type-texts.ts';

export const goal: TypeTexts<'Goal'> = {
  newRecord: 'New goal',
  group: 'Goals',
  plural: 'Goals',
  count: { one: '{n} Goal', other: '{n} Goals' },
  countByStatus: { one: '{status} {n} Goal', other: '{status} {n} Goals' },
  matchCount: { one: 'Found {n} Goal', other: 'Found {n} Goals' },
  show: { one: 'Show {n} Goal', other: 'Show {n} Goals' },
  allCount: { one: 'All {n} Goal', other: 'All {n} Goals' },
  allOfSearch: 'All Goals of this search',
  exportedCount: { one: '{n} Goal exported to {file}', other: '{n} Goals exported to {file}' },
  exportedPart: {
    one: '{done} of {n} Goal exported to {file}',
    other: '{done} of {n} Goals exported to {file}',
  },
  showAll: 'Show all Goals',
  search: 'Search Goals',
  visibleCount: 'Showing {shown} of {total} Goals.',
  visibleMinCount: 'Showing {shown} Goals. The server has more.',
  otherForm: {
    one: '{n} Goal references this ID in another form.',
    other: '{n} Goals reference this ID in another form.',
  },
  otherEncounters: {
    one: 'This patient has {n} Goal in other encounters.',
    other: 'This patient has {n} Goals in other encounters.',
  },
  otherType: {
    one: 'This patient has {n} Goal.',
    other: 'This patient has {n} Goals.',
  },
  withoutParameters: {
    one: '{n} Goal without the other filters.',
    other: '{n} Goals without the other filters.',
  },
  recentChanges: 'Recently changed Goals',
  notListed: 'This server doesn’t list Goals without search criteria.',
  checking: 'Checking Goals: {percent}',
  checked: {
    one: 'Goals: {violated} of {n} record checked against profiles has issues.',
    other: 'Goals: {violated} of {n} records checked against profiles have issues.',
  },
  columns: {
    priority: 'Priority',
    targets: 'Targets',
  },
  filters: {
    'lifecycle-status': 'Status',
    'start-date': 'Start',
  },
  facts: {
    status: 'Status',
    achievement: 'Achievement',
    description: 'Description',
    subject: 'Subject',
    start: 'Start',
    due: 'Due',
    addresses: 'Addresses',
  },
  questions: {
    patient: 'Patient',
    goal: 'Goal',
  },
};
