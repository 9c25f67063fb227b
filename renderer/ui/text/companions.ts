import { formatCount, formatPlural } from '../format.ts';

/** Text of related resources: the part of the Data view, and the card of a reference. */
export const supportingResourceText = {
  supportingResources: {
    heading: 'Related resources',
    what: 'Resources of other types that came with imported records, such as patients, encounters and goals. They are read-only and shown where a record references them. They are not part of the FHIR API.',
    empty: 'No related resources yet. Imports keep the other resources in their files here.',
    failed: 'Couldn’t load the related resources.',
    table: 'Related resources by type',
    columns: { type: 'Type', count: 'Count', action: 'Action' },
    total: (count: number) =>
      formatPlural(count, { one: '{n} related resource', other: '{n} related resources' }),
    exportAll: 'Export all',
    export: 'Export',
    exportOf: (type: string) => `Export ${type}`,
    exported: (count: number, name: string) =>
      formatPlural(
        count,
        { one: '{n} related resource exported to {name}', other: '{n} related resources exported to {name}' },
        { name },
      ),
    notExported: 'Couldn’t export the related resources.',
    removeAll: 'Delete all',
    remove: 'Delete',
    removeOf: (type: string) => `Delete ${type}`,
    question: {
      title: 'Delete related resources?',
      all: (count: number) =>
        formatPlural(count, {
          one: '{n} related resource will be deleted.',
          other: 'All {n} related resources will be deleted.',
        }),
      some: (count: number, type: string) => `${formatCount(count)} of type ${type} will be deleted.`,
      what: 'Records stay as they are, but their references will no longer open here. Import the same files again to bring the resources back.',
      confirm: 'Delete',
      keep: 'Cancel',
      failed: 'Couldn’t delete the related resources.',
    },
    removed: (count: number) =>
      formatPlural(count, { one: '{n} related resource deleted', other: '{n} related resources deleted' }),
  },
  card: {
    loading: 'Loading',
    failed: 'Couldn’t load the resource.',
    ambiguous: (reference: string) => `${reference}: several imports have it`,
    ofOtherImport: (name: string) => `${name} (from another import)`,
    absent: 'Not available here. It didn’t come with an import.',
    absentThere: (server: string) => `Not found on ${server}.`,
    show: (reference: string) => `Show ${reference}`,
    search: 'Find records that reference it',
    unnamed: 'Unnamed',
    json: 'JSON',
    deathWithoutDate: 'Yes, date unknown',
    copy: 'Copy JSON',
    copied: 'JSON copied',
    notCopied: 'Couldn’t copy the JSON: the browser doesn’t allow it.',
    close: 'Close',
    facts: {
      id: 'ID',
      status: 'Status',
      identifier: 'Identifier',
      born: 'Born',
      died: 'Died',
      gender: 'Gender',
      period: 'Period',
      date: 'Date',
      due: 'Due',
      end: 'Ended',
      value: 'Value',
      qualification: 'Qualification',
      category: 'Type',
      city: 'City',
      contact: 'Contact',
    },
  },
} as const;
