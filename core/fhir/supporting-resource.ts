/**
 * A companion is what came with records and is none: a Patient, an Encounter, a Condition. It is kept as it came, to be
 * looked at where a record refers to it. Pure functions; the digits of its text are untouched.
 */
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { print } from '../json/print.ts';
import { defineMessages } from '../text/message.ts';
import { FhirError } from './outcome.ts';
import { readJson } from './record.ts';
import { parseReference } from './reference.ts';
import { isFhirId } from './resource.ts';

const messages = defineMessages('related', {
  unnamed: 'This {type} has no id and no fullUrl, so nothing can reference it.',
  id: 'Not a FHIR ID: use 1 to 64 letters, digits, hyphens and dots.',
});

/** What is called by its type and id. */
export interface NamedResource {
  readonly type: string;
  readonly id: string;
}

/** Whom a companion is about; without a type where the reference names none. */
export type CompanionSubject = Pick<NamedResource, 'id'> & Partial<Pick<NamedResource, 'type'>>;

export interface SupportingResource extends NamedResource {
  /** The address under which it stood in its Bundle. */
  readonly fullUrl?: string | undefined;
  /** Its JSON, white space aside as it came. */
  readonly text: string;
}

export interface ParsedSupportingResource extends SupportingResource {
  readonly subjects: readonly CompanionSubject[];
}

/** The elements by which R4's resources name the person, or the group, whom they are about. */
const subjectElements = ['subject', 'patient', 'beneficiary'];

/** Types that tell of an exchange, and not of care. */
const ofExchanges: ReadonlySet<string> = new Set(['OperationOutcome', 'Parameters']);

/** Whether a resource of this type is kept beside the records. */
export function isSupportingType(type: string): boolean {
  return !ofExchanges.has(type);
}

/**
 * Reads a resource that is to be kept beside the records.
 *
 * @throws FhirError where it is no JSON, or nothing that a reference could name.
 */
export function readCompanion(type: string, text: string, fullUrl?: string): ParsedSupportingResource {
  const root = readJson(text, type);
  return {
    type,
    id: idOf(type, root, fullUrl),
    text: print(root),
    subjects: subjectsOf(root),
    ...(fullUrl !== undefined && { fullUrl: withoutVersion(fullUrl) }),
  };
}

/** An address without the version that it may name. */
export function withoutVersion(address: string): string {
  const plain = address.trim().replace(/\/_history\/[^/]*$/, '');
  return /^urn:/i.test(plain) ? plain.toLowerCase() : plain;
}

function idOf(type: string, root: JsonNode, fullUrl: string | undefined): string {
  const own = member(root, 'id');
  if (own === undefined) {
    const named = fullUrl === undefined ? undefined : parseReference(withoutVersion(fullUrl));
    if (named && isFhirId(named.id) && (named.type ?? type) === type) return named.id;
    throw new FhirError('required', messages.unnamed({ type }));
  }
  if (own.kind === 'string' && isFhirId(own.value)) return own.value;
  throw new FhirError('value', {
    ...messages.id(),
    expression: `${type}.id`,
  });
}

function subjectsOf(root: JsonNode): CompanionSubject[] {
  const found = subjectElements.flatMap((element) => {
    const value = member(root, element);
    return value?.kind === 'array' ? items(value) : (value ?? []);
  });
  return found.flatMap((one) => {
    const literal = parseReference(stringMember(one, 'reference') ?? '');
    if (!literal || literal.base === '#') return [];
    const { id, type } = literal;
    const urn = literal.base?.startsWith('urn:') === true;
    return { id: urn ? id.toLowerCase() : id, ...(type !== undefined && { type }) };
  });
}
