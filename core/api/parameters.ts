import { resourceTypes, type ResourceType } from '../fhir/resource.ts';

/** A search parameter (FHIR R4 search.html); reference parameters name the element that is indexed. */
export interface SearchParameter {
  readonly name: string;
  readonly kind: 'reference' | 'id' | 'number' | 'cursor';
  readonly types: readonly ResourceType[];
  /** The element a reference parameter reads. */
  readonly element?: 'subject' | 'encounter';
  /** The resource type a target must have where its literal names one. */
  readonly target?: string;
  readonly text: string;
}

export const searchParameters: readonly SearchParameter[] = [
  {
    name: 'subject',
    kind: 'reference',
    types: resourceTypes,
    element: 'subject',
    text: 'Whom the record is about: a bare id or any literal reference.',
  },
  {
    name: 'patient',
    kind: 'reference',
    types: resourceTypes,
    element: 'subject',
    target: 'Patient',
    text: 'As subject, patients only.',
  },
  {
    name: 'encounter',
    kind: 'reference',
    types: resourceTypes,
    element: 'encounter',
    text: 'The visit: a bare id or any literal reference.',
  },
  { name: '_id', kind: 'id', types: resourceTypes, text: 'Ids of records.' },
  { name: '_count', kind: 'number', types: resourceTypes, text: 'Matches on a page, 1 to 1000.' },
  {
    name: '_cursor',
    kind: 'cursor',
    types: resourceTypes,
    text: 'Where a page starts; taken from a next link.',
  },
];
