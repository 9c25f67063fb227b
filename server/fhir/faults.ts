import { otherIdText } from '../../core/fhir/validation/verdict.ts';
import { etagOf } from '../../core/api/precondition.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { RecordName } from '../../core/app/erasures.ts';
import type { NamedResource } from '../../core/fhir/companion.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Erased, OrDamaged, VersionFacts } from '../store/store.ts';

/** Row 18: the id is not known, or is none. */
export function noSuchRecord(type: ResourceType): FhirError {
  return new FhirError('not-found', { text: `No ${type} has this id; ids are assigned by POST.` });
}

/** No such resource was kept beside the records. */
export function noSuchCompanion(type: string): FhirError {
  return new FhirError('not-found', { text: `No ${type} of this id is kept beside the records.` });
}

/** Row 94: nothing is kept of the record but its name. */
export function erasedRecord(type: string): FhirError {
  return new FhirError('gone', {
    text: `This ${type} was erased with all its versions; its id is not given again.`,
  });
}

export const nothingErased: Pick<Erased, 'has'> = { has: () => false };

/** Why a record is not there. */
export function absent(record: RecordName, erased: Pick<Erased, 'has'>): FhirError {
  return erased.has(record) ? erasedRecord(record.type) : noSuchRecord(record.type);
}

/** What is said of a condition that the current version does not meet. */
const unmet = {
  'If-Match': 'was changed meanwhile',
  'If-Unmodified-Since': 'was changed since',
  'If-None-Match': 'is in the state that was ruled out',
} as const;

/** Row 30: the current version is not one that a condition lets through. */
export function stale(
  type: ResourceType,
  current: number,
  header: keyof typeof unmet = 'If-Match',
): FhirError {
  return new FhirError(
    'stale',
    {
      text: `This ${type} ${unmet[header]}: version ${current} is current. Read it, and send its ETag.`,
      diagnostics: `current version ${current}`,
      location: `http.${header}`,
    },
    { ETag: etagOf(current) },
  );
}

/** Row 32: the server wants a condition on each change, and there is none. */
export function withoutIfMatch(): FhirError {
  return new FhirError('required', {
    text: 'Send If-Match with the ETag of the version that you read: W/"3", for example.',
    location: 'http.If-Match',
  });
}

/** Row 15: more than one record matches If-None-Exist, so none can stand in for the new one. */
export function manyMatches(count: number): FhirError {
  return new FhirError('multiple-matches', {
    text: `${count} records match If-None-Exist. Nothing was stored; ask for one that can be told apart.`,
    location: 'http.If-None-Exist',
  });
}

/** Row 15: a search that names nothing matches whatever there is, and would hand out a record that was not meant. */
export function matchesAnything(): FhirError {
  return new FhirError('required', {
    text: 'If-None-Exist names nothing that tells records apart; send an identifier, for example.',
    location: 'http.If-None-Exist',
  });
}

/** Another record has the id that an import would keep. */
export function idTaken(type: ResourceType): FhirError {
  return new FhirError('exists', { text: `Another ${type} already has this id, with other content.` });
}

/** Another source’s supporting resource has this type and id, or one with other content has its `urn:`. */
export function otherSource({ type, id }: NamedResource): FhirError {
  const text = `Another resource has the id or the urn of ${type}/${id}, from another source or with other content. Nothing was replaced.`;
  return new FhirError('exists', { text });
}

/** Row 35: an extract must not replace the whole. */
export function subsetted(type: ResourceType): FhirError {
  return new FhirError('business-rule', {
    text: 'The record is tagged SUBSETTED: it is an extract, and saving it would lose the rest.',
    expression: `${type}.meta.tag`,
  });
}

/** The id that an import would keep is none. */
export function notFhirId(type: ResourceType): FhirError {
  return new FhirError('value', {
    text: 'The id is not a FHIR id: 1 to 64 letters, digits, hyphens and dots.',
    expression: `${type}.id`,
  });
}

/** Row 26: the body names another record than the address does. */
export function otherId(type: ResourceType): FhirError {
  return new FhirError('value', {
    text: otherIdText,
    expression: `${type}.id`,
  });
}

/** Row 27, at level strict. */
export function withoutId(type: ResourceType): FhirError {
  return new FhirError('required', {
    text: 'The body has no id; send the id of the address.',
    expression: type,
  });
}

/** Others changed the record each time between reading and storing. */
export function tooBusy(): FhirError {
  return new FhirError(
    'busy',
    { text: 'The record is being changed by others; try again.' },
    { 'Retry-After': '1' },
  );
}

/**
 * Row 89: the version where its text is the one that was written.
 *
 * @throws FhirError `damaged`, which stands in its place otherwise.
 */
export function whole<Version extends VersionFacts>(found: OrDamaged<Version>): Version {
  if ('fault' in found) throw found.fault;
  return found;
}
