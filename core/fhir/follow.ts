import { parseReference } from './reference.ts';
import { isResourceType, resourceTypes, type ResourceType } from './resource.ts';
import { searchParameterOf } from './search-parameters.ts';

/** Where a reference of a record leads to in the workbench. */
export type Target =
  | { readonly kind: 'record'; readonly type: ResourceType; readonly id: string }
  /** Whose records they are, whatever form the reference has. */
  | { readonly kind: 'patient'; readonly id: string }
  | { readonly kind: 'contained'; readonly id: string }
  | {
      readonly kind: 'search';
      readonly type: ResourceType;
      readonly pairs: readonly (readonly [name: string, value: string])[];
    };

/** Types of those who write: what the parameter `author` finds. */
const authors = new Set(['Practitioner', 'PractitionerRole', 'Device', 'RelatedPerson', 'Organization']);

/**
 * Where a literal reference leads to: to a record of the store, to a patient's records, to a contained resource, or to a search for records
 * that name the same, of this type or the first that has the parameter. `element` is the top-level element that it stands in; its name tells what a reference without a
 * type means. Undefined where no search parameter looks at such references.
 */
export function follow(literal: string, element: string, from: ResourceType): Target | undefined {
  const parsed = parseReference(literal);
  if (!parsed) return undefined;
  const { id, type, base } = parsed;
  if (base === '#') return { kind: 'contained', id };
  if (type !== undefined && isResourceType(type)) return { kind: 'record', type, id };
  const search = (name: string, value: string): Target | undefined => {
    const within = [from, ...resourceTypes].find((one) => searchParameterOf(one, name));
    return within && { kind: 'search', type: within, pairs: [[name, value]] };
  };
  if (type === 'Patient') return { kind: 'patient', id };
  if (type === 'Encounter' || (type === undefined && element === 'encounter')) return search('encounter', id);
  if (element === 'subject') return type === undefined ? { kind: 'patient', id } : search('subject', literal);
  return authors.has(type ?? '') ? search('author', literal) : undefined;
}

/**
 * Whom a record is about, by the id and the name that it gives, where other records can be about the same: a contained
 * subject is the record's alone.
 */
export function patientOf(
  from: ResourceType,
  { subject, subjectName }: { readonly subject: string; readonly subjectName: string },
): { readonly id: string; readonly name: string } | undefined {
  // Without a reference, a summary tells what the record calls its subject.
  const target = subject === subjectName ? undefined : follow(subject, 'subject', from);
  return target?.kind === 'patient' ? { id: target.id, name: subjectName } : undefined;
}
