import { otherIdText } from '../../core/fhir/validation/save-preview.ts';
import { etagOf } from '../../core/api/precondition.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { idTaken } from '../../core/fhir/record-messages.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { RecordName } from '../../core/app/erasures.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import type { ErasedRecords, OrDamaged, SharedStore, VersionMetadata } from '../store/store.ts';

const messages = defineMessages('record', {
  absent: 'There is no {type} with this ID. POST assigns IDs.',
  erased: 'This {type} was erased with all its versions. Its ID is not reused.',
  removed: 'This {type} was removed when its import was undone. An import that keeps IDs can bring it back.',
  changed: 'This {type} has changed: version {version} is current. Read it and send its ETag.',
  changedSince: 'This {type} has changed since: version {version} is current. Read it and send its ETag.',
  exists: 'This {type} exists: version {version} is current. Read it and send its ETag.',
  ifMatchMissing: 'Send If-Match with the ETag of the version you read, such as W/"3".',
  manyMatches: {
    one: 'If-None-Exist matches {n} record. Nothing was created. Use a more specific query.',
    other: 'If-None-Exist matches {n} records. Nothing was created. Use a more specific query.',
  },
  matchesAnything:
    'If-None-Exist has no criterion that identifies a record. Send an identifier, for example.',
  subsetted: 'The record is tagged SUBSETTED. Saving it would lose the missing elements.',
  invalidId: 'Not a FHIR ID: use 1 to 64 letters, digits, hyphens and dots.',
  otherId: otherIdText,
  idMissing: 'The body has no id. Add the ID from the URL.',
  busy: 'Others are changing this record. Try again.',
  versionAbsent: 'There is no such version of this {type}. Version {version} is current.',
});

const supportingResourceMessages = defineMessages('companion', {
  absent: 'There is no {type} with this ID among the related resources.',
});

/** Row 18: the id is unknown or invalid. */
export function noSuchRecord(type: ResourceType): FhirError {
  return new FhirError('not-found', messages.absent({ type }));
}

/** Returns the error for a version number that the record does not have. */
export function noSuchVersion(type: ResourceType, current: number): FhirError {
  return new FhirError('not-found', messages.versionAbsent({ type, version: String(current) }));
}

/** There is no such supporting resource. */
export function noSuchSupportingResource(type: string): FhirError {
  return new FhirError('not-found', supportingResourceMessages.absent({ type }));
}

/** Row 94: only the name of the record remains. */
export function erasedRecord(type: string): FhirError {
  return new FhirError('gone', messages.erased({ type }));
}

/** Row 104: the undo of an import removed the record. */
export function removedRecord(type: string): FhirError {
  return new FhirError('gone', messages.removed({ type }));
}

export const noErasures: Pick<ErasedRecords, 'has'> = { has: () => false };

/** Returns why a record is not there: it never was, or it was erased or removed. */
export async function createMissingError(
  { type, id }: RecordName,
  erasures: Pick<ErasedRecords, 'has'>,
  store: Pick<SharedStore, 'readRemoved'>,
): Promise<FhirError> {
  if (erasures.has({ type, id })) return erasedRecord(type);
  return isFhirId(id) && (await store.readRemoved(type, id)) ? removedRecord(type) : noSuchRecord(type);
}

/** Sentences for a condition that the current version does not meet. */
const unmet = {
  'If-Match': messages.changed,
  'If-Unmodified-Since': messages.changedSince,
  'If-None-Match': messages.exists,
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
      ...unmet[header]({ type, version: String(current) }),
      diagnostics: `current version ${current}`,
      location: `http.${header}`,
    },
    { ETag: etagOf(current) },
  );
}

/** Row 32: the server requires a condition on each change, and there is none. */
export function withoutIfMatch(): FhirError {
  return new FhirError('required', {
    ...messages.ifMatchMissing(),
    location: 'http.If-Match',
  });
}

/** Row 15: several records match If-None-Exist, so none can replace the new one. */
export function manyMatches(count: number): FhirError {
  return new FhirError('multiple-matches', {
    ...messages.manyMatches({ n: count }),
    location: 'http.If-None-Exist',
  });
}

/** Row 15: a search without criteria matches any record and could return the wrong one. */
export function matchesAnything(): FhirError {
  return new FhirError('required', {
    ...messages.matchesAnything(),
    location: 'http.If-None-Exist',
  });
}

/** Another record has the id that an import would keep. */
export function createIdInUseError(type: ResourceType): FhirError {
  return new FhirError('exists', idTaken({ type }));
}

/** Row 35: an extract must not replace the whole. */
export function subsetted(type: ResourceType): FhirError {
  return new FhirError('business-rule', {
    ...messages.subsetted(),
    expression: `${type}.meta.tag`,
  });
}

/** The id that an import should keep is invalid. */
export function notFhirId(type: ResourceType): FhirError {
  return new FhirError('value', {
    ...messages.invalidId(),
    expression: `${type}.id`,
  });
}

/** Row 26: the body names another record than the address does. */
export function otherId(type: ResourceType): FhirError {
  return new FhirError('value', { ...messages.otherId(), expression: `${type}.id` });
}

/** Row 27, at level strict. */
export function withoutId(type: ResourceType): FhirError {
  return new FhirError('required', { ...messages.idMissing(), expression: type });
}

/** Others changed the record between each read and write. */
export function tooBusy(): FhirError {
  return new FhirError('busy', messages.busy(), { 'Retry-After': '1' });
}

/**
 * Returns the version if its text is intact (row 89).
 *
 * @throws FhirError `damaged` otherwise.
 */
export function requireIntact<Version extends VersionMetadata>(version: OrDamaged<Version>): Version {
  if ('fault' in version) throw version.fault;
  return version;
}
