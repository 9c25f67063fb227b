import type { CommonColumnId } from '../../../core/fhir/columns.ts';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { formatPlural } from '../format.ts';
import { carePlan } from './types/care-plan.ts';
import { composition } from './types/composition.ts';
import type { CommonFilter, Labels, TypeSentences, TypeTexts } from './types/type-texts.ts';

const typeTexts: { readonly [Type in ResourceType]: TypeTexts<Type> } = {
  CarePlan: carePlan,
  Composition: composition,
};

const commonColumns: Labels<CommonColumnId> = {
  identifier: 'Identifier',
  profile: 'Profile',
  source: 'Source',
  security: 'Security',
  tag: 'Tags',
  language: 'Language',
};

const commonFilters: Labels<CommonFilter | 'findings'> = {
  _profile: 'Profile',
  _source: 'Source',
  _tag: 'Tag',
  findings: 'Issues',
};

interface AnyTypeTexts extends TypeSentences {
  readonly columns: Labels;
  readonly filters: Labels;
  readonly facts: Labels;
  readonly questions: Labels;
}

/** Returns the texts of a resource type. */
export function textsOf(type: ResourceType): AnyTypeTexts {
  return typeTexts[type];
}

function labelOf(labels: Labels, id: string): string {
  return labels[id] ?? id;
}

/** Texts that a resource type has by itself, and the labels of its definition by their ids. */
export const types = {
  newRecord: (type: ResourceType) => textsOf(type).newRecord,
  plural: (type: ResourceType) => textsOf(type).plural,
  count: (type: ResourceType, count: number) => formatPlural(count, textsOf(type).count),
  column: (type: ResourceType, id: string) => labelOf({ ...commonColumns, ...textsOf(type).columns }, id),
  fact: (type: string, id: string) => (isResourceType(type) ? labelOf(textsOf(type).facts, id) : id),
  filter: (type: string, name: string) =>
    isResourceType(type) ? labelOf({ ...commonFilters, ...textsOf(type).filters }, name) : name,
  question: (type: ResourceType, id: string) => labelOf(textsOf(type).questions, id),
} as const;
