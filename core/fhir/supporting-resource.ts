/**
 * Supporting resources arrive with records and are not records: a Patient, an Encounter, a Condition. They are stored
 * unchanged, to be shown for the references of records. Pure functions that preserve digits.
 */
import { items, member, stringMember, serializeNode, type JsonNode } from '../json/node.ts';
import { defineMessages } from '../text/message.ts';
import { FhirError } from './outcome.ts';
import { readJson } from './record.ts';
import { sourceOfResource, withoutVersion } from './origin.ts';
import { parseReference } from './reference.ts';
import { isFhirId } from './resource.ts';

const messages = defineMessages('related', {
  unnamed: 'This {type} has no id and no fullUrl, so nothing can reference it.',
  id: 'Not a FHIR ID: use 1 to 64 letters, digits, hyphens and dots.',
});

export interface NamedResource {
  readonly type: string;
  readonly id: string;
}

/** Subject of a supporting resource; without a type if the reference has none. */
export type SupportingSubject = Pick<NamedResource, 'id'> & Partial<Pick<NamedResource, 'type'>>;

export interface SupportingResource extends NamedResource {
  /** The fullUrl of its entry in the Bundle. */
  readonly fullUrl?: string | undefined;
  /** Source that its fullUrl states. Absent in an import until its batch is known. */
  readonly source?: string | undefined;
  /** JSON of the resource, unchanged except for white space. */
  readonly text: string;
}

export interface ParsedSupportingResource extends SupportingResource {
  readonly subjects: readonly SupportingSubject[];
}

/** Elements with the person or group that is the subject of a resource. */
const subjectElements = ['subject', 'patient', 'beneficiary'];

/** Types for the exchange of data, not for care. */
const exchangeTypes: ReadonlySet<string> = new Set(['OperationOutcome', 'Parameters']);

/** Returns whether a resource of this type is stored with the records. */
export function isSupportingType(type: string): boolean {
  return !exchangeTypes.has(type);
}

/**
 * Parses a supporting resource.
 *
 * @throws FhirError if it is not JSON, or if no reference could name it.
 */
export function readSupportingResource(
  type: string,
  text: string,
  fullUrl?: string,
): ParsedSupportingResource {
  const root = readJson(text, type);
  const id = idOf(type, root, fullUrl);
  const source = sourceOfResource({ type, id }, fullUrl);
  return {
    type,
    id,
    text: serializeNode(root),
    subjects: subjectsOf(root),
    ...(source !== undefined && { source }),
    ...(fullUrl !== undefined && { fullUrl: withoutVersion(fullUrl) }),
  };
}

function idOf(type: string, root: JsonNode, fullUrl: string | undefined): string {
  const idNode = member(root, 'id');
  if (idNode === undefined) {
    const reference = fullUrl === undefined ? undefined : parseReference(withoutVersion(fullUrl));
    if (reference && isFhirId(reference.id) && (reference.type ?? type) === type) return reference.id;
    throw new FhirError('required', messages.unnamed({ type }));
  }
  if (idNode.kind === 'string' && isFhirId(idNode.value)) return idNode.value;
  throw new FhirError('value', {
    ...messages.id(),
    expression: `${type}.id`,
  });
}

/** Returns the literal references to the subjects of a resource. */
export function listSubjectReferences(root: JsonNode): string[] {
  const subjects = subjectElements.flatMap((element) => {
    const value = member(root, element);
    return value?.kind === 'array' ? items(value) : (value ?? []);
  });
  return subjects.flatMap((subject) => stringMember(subject, 'reference') ?? []);
}

function subjectsOf(root: JsonNode): SupportingSubject[] {
  return listSubjectReferences(root).flatMap((reference) => {
    const literal = parseReference(reference);
    if (!literal || literal.base === '#') return [];
    const { id, type } = literal;
    const urn = literal.base?.startsWith('urn:') === true;
    return { id: urn ? id.toLowerCase() : id, ...(type !== undefined && { type }) };
  });
}

/** Returns the subjects of a stored text. Empty if it cannot be parsed. */
export function readSubjects(
  type: string,
  text: string,
  fullUrl: string | null,
): readonly SupportingSubject[] {
  try {
    return readSupportingResource(type, text, fullUrl ?? undefined).subjects;
  } catch {
    return [];
  }
}
