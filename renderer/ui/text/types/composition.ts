import type { TypeTexts } from './type-texts.ts';

export const composition: TypeTexts<'Composition'> = {
  newRecord: 'New document',
  group: 'Documents',
  plural: 'Compositions',
  count: { one: '{n} Composition', other: '{n} Compositions' },
  countByStatus: { one: '{n} Composition: {status}', other: '{n} Compositions: {status}' },
  found: { one: 'Found {n} Composition', other: 'Found {n} Compositions' },
  show: { one: 'Show {n} Composition', other: 'Show {n} Compositions' },
  showAll: 'Show all Compositions',
  search: 'Search Compositions',
  shown: 'Showing {shown} of {total} Compositions.',
  shownAtLeast: 'Showing {shown} Compositions. The server has more.',
  otherForm: {
    one: '{n} Composition references this ID in another form.',
    other: '{n} Compositions reference this ID in another form.',
  },
  otherEncounters: {
    one: 'This patient has {n} Composition in other encounters.',
    other: 'This patient has {n} Compositions in other encounters.',
  },
  otherType: {
    one: 'This patient has {n} Composition.',
    other: 'This patient has {n} Compositions.',
  },
  withoutParameters: {
    one: '{n} Composition without the other filters.',
    other: '{n} Compositions without the other filters.',
  },
  changedLast: 'Recently changed Compositions',
  notListed: 'This server doesn’t list Compositions without search criteria.',
  checking: 'Checking Compositions: {percent}',
  checked: {
    one: 'Compositions: {violated} of {n} record checked against profiles has issues.',
    other: 'Compositions: {violated} of {n} records checked against profiles have issues.',
  },
  columns: {
    type: 'Type',
    category: 'Category',
    author: 'Author',
    sections: 'Sections',
    attesters: 'Attested by',
    custodian: 'Custodian',
    confidentiality: 'Confidentiality',
  },
  facts: {
    status: 'Status',
    type: 'Type',
    subject: 'Subject',
    encounter: 'Encounter',
    date: 'Date',
    author: 'Author',
    attesters: 'Attested by',
    category: 'Category',
    custodian: 'Custodian',
  },
  questions: {
    patient: 'Patient',
    title: 'Title',
    kind: 'Document type',
    author: 'Author',
  },
};
