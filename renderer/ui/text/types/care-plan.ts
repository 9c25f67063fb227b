import type { TypeTexts } from './type-texts.ts';

export const carePlan: TypeTexts<'CarePlan'> = {
  newRecord: 'New care plan',
  group: 'Care plans',
  plural: 'CarePlans',
  count: { one: '{n} CarePlan', other: '{n} CarePlans' },
  countByStatus: { one: '{n} CarePlan: {status}', other: '{n} CarePlans: {status}' },
  found: { one: 'Found {n} CarePlan', other: 'Found {n} CarePlans' },
  show: { one: 'Show {n} CarePlan', other: 'Show {n} CarePlans' },
  showAll: 'Show all CarePlans',
  search: 'Search CarePlans',
  shown: 'Showing {shown} of {total} CarePlans.',
  shownAtLeast: 'Showing {shown} CarePlans. The server has more.',
  otherForm: {
    one: '{n} CarePlan references this ID in another form.',
    other: '{n} CarePlans reference this ID in another form.',
  },
  otherEncounters: {
    one: 'This patient has {n} CarePlan in other encounters.',
    other: 'This patient has {n} CarePlans in other encounters.',
  },
  otherType: {
    one: 'This patient has {n} CarePlan.',
    other: 'This patient has {n} CarePlans.',
  },
  withoutParameters: {
    one: '{n} CarePlan without the other filters.',
    other: '{n} CarePlans without the other filters.',
  },
  changedLast: 'Recently changed CarePlans',
  notListed: 'This server doesn’t list CarePlans without search criteria.',
  checking: 'Checking CarePlans: {percent}',
  checked: {
    one: 'CarePlans: {violated} of {n} record checked against profiles has issues.',
    other: 'CarePlans: {violated} of {n} records checked against profiles have issues.',
  },
  columns: {
    activities: 'Activities',
    doNotPerform: 'doNotPerform',
    goals: 'Goals',
    category: 'Category',
    intent: 'Intent',
    author: 'Author',
    careTeam: 'Care team',
    addresses: 'Addresses',
    created: 'Created',
  },
  facts: {
    status: 'Status',
    intent: 'Intent',
    subject: 'Subject',
    encounter: 'Encounter',
    period: 'Period',
    created: 'Created',
    author: 'Author',
    category: 'Category',
    careTeam: 'Care team',
    addresses: 'Addresses',
  },
  questions: {
    patient: 'Patient',
  },
};
