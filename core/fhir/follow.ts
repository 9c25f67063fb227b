import { parseReference } from './reference.ts';
import { isResourceType, resourceTypes, type ResourceType } from './resource.ts';
import { searchParameterOf } from './search-parameters.ts';

/** The target of a reference of a record in the workbench. */
export type Target =
  | { readonly kind: 'record'; readonly type: ResourceType; readonly id: string }
  /** The records of a patient, for every form of reference. */
  | { readonly kind: 'patient'; readonly id: string }
  | { readonly kind: 'contained'; readonly id: string }
  | {
      readonly kind: 'search';
      readonly type: ResourceType;
      readonly pairs: readonly (readonly [name: string, value: string])[];
    };

/** Types of authors, which the parameter `author` finds. */
const authors = new Set(['Practitioner', 'PractitionerRole', 'Device', 'RelatedPerson', 'Organization']);

/**
 * Returns the target of a literal reference: a record, a patient's records, a contained resource, or a search for
 * records with the same reference. The search is of this type, or of the first type that has the parameter.
 *
 * @param element - Top-level element with the reference. Its name decides if a reference has no type.
 * @returns undefined if no search parameter covers such references.
 */
export function follow(literal: string, element: string, from: ResourceType): Target | undefined {
  const parsed = parseReference(literal);
  if (!parsed) return undefined;
  const { id, type, base } = parsed;
  if (base === '#') return { kind: 'contained', id };
  if (type !== undefined && isResourceType(type)) return { kind: 'record', type, id };
  const search = (name: string, value: string): Target | undefined => {
    const searchType = [from, ...resourceTypes].find((candidate) => searchParameterOf(candidate, name));
    return searchType && { kind: 'search', type: searchType, pairs: [[name, value]] };
  };
  if (type === 'Patient') return { kind: 'patient', id };
  if (type === 'Encounter' || (type === undefined && element === 'encounter')) return search('encounter', id);
  if (element === 'subject') return type === undefined ? { kind: 'patient', id } : search('subject', literal);
  return authors.has(type ?? '') ? search('author', literal) : undefined;
}

/**
 * Returns the id and the name of a record's patient, if other records can have the same patient. A contained subject
 * belongs to its record only.
 */
export function patientOf(
  from: ResourceType,
  { subject, subjectName }: { readonly subject: string; readonly subjectName: string },
): { readonly id: string; readonly name: string } | undefined {
  // Without a reference, the subject of a summary is the name of the subject.
  const target = subject === subjectName ? undefined : follow(subject, 'subject', from);
  return target?.kind === 'patient' ? { id: target.id, name: subjectName } : undefined;
}
