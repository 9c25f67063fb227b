/**
 * Reasons of versions as Provenance (FHIR R4 provenance.html): in the header of a write
 * (http.html#provenance) and in the export.
 */
import * as v from 'valibot';
import { maxReasonLength, type Authorship } from '../app/authorship.ts';
import type { WriteOperation } from '../app/history.ts';
import { FhirError } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { matchesSchema } from '../json/shape.ts';
import { defineMessages } from '../text/message.ts';

export const provenanceHeader = 'X-Provenance';
const location = `http.${provenanceHeader}`;

const messages = defineMessages('provenance', {
  longReason: 'A reason can have at most {n} characters.',
  unreadable: 'X-Provenance must be one Provenance as JSON, without target.',
  required: 'A reason is required for each change. Send X-Provenance with a reason.',
});

const Concept = v.looseObject({
  text: v.exactOptional(v.string()),
  coding: v.exactOptional(
    v.array(v.looseObject({ code: v.exactOptional(v.string()), display: v.exactOptional(v.string()) })),
  ),
});
const SentProvenance = v.looseObject({
  resourceType: v.literal('Provenance'),
  reason: v.exactOptional(v.array(Concept)),
});

/**
 * Returns the reason in an `X-Provenance` header; undefined if there is none. Agents are ignored, because the
 * token identifies the author.
 *
 * @throws FhirError `value` if it is not a Provenance or its reason is too long.
 */
export function reasonIn(header: string): string | undefined {
  const sentProvenance = parseHeader(header);
  if (!matchesSchema(SentProvenance, sentProvenance)) throw createUnreadableError();
  const texts = (sentProvenance.reason ?? []).map(({ text, coding = [] }) =>
    (text ?? coding.map(({ display, code }) => display ?? code ?? '').join(', ')).trim(),
  );
  const reason = texts
    .filter((text) => text !== '')
    .join('; ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed();
  if (reason.length > maxReasonLength) {
    throw new FhirError('value', { ...messages.longReason({ n: maxReasonLength }), location });
  }
  return reason === '' ? undefined : reason;
}

function parseHeader(header: string): unknown {
  try {
    return JSON.parse(header);
  } catch {
    throw createUnreadableError();
  }
}

function createUnreadableError(): FhirError {
  return new FhirError('value', {
    ...messages.unreadable(),
    location,
  });
}

/** Creates the error of a write without a required reason. */
export function reasonDemanded(): FhirError {
  return new FhirError('business-rule', {
    ...messages.required(),
    location,
  });
}

/**
 * Formats the value of an `X-Provenance` header in ASCII, the character set of headers (RFC 9110 section
 * 5.5).
 */
export function provenanceOf(reason: string, recorded: Date, person?: string): string {
  const agent = [{ who: { display: person ?? 'Chartkeeper' } }];
  const headerContent = {
    resourceType: 'Provenance',
    recorded: recorded.toISOString(),
    reason: [{ text: reason }],
    agent,
  };
  return JSON.stringify(headerContent).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export interface ProvenVersion extends Authorship {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly lastUpdated: string;
  readonly operation: WriteOperation;
}

const system = 'http://terminology.hl7.org/CodeSystem';
const participant = { coding: [{ system: `${system}/provenance-participant-type`, code: 'author' }] };

/** Returns the author, token and reason of a version as Provenance. */
export function provenance(version: ProvenVersion): object {
  const { type, id, lastUpdated, operation, author, person, reason } = version;
  const code = operation === 'create' || operation === 'import' ? 'CREATE' : 'UPDATE';
  const name = author === '' ? 'unknown' : author;
  return {
    resourceType: 'Provenance',
    target: [{ reference: `${type}/${id}/_history/${version.version}` }],
    recorded: lastUpdated,
    activity: { coding: [{ system: `${system}/v3-DataOperation`, code }] },
    ...(reason !== undefined && { reason: [{ text: reason }] }),
    agent: [
      { type: participant, who: { display: person ?? name } },
      ...(person === undefined ? [] : [{ type: { text: 'token or session' }, who: { display: name } }]),
    ],
  };
}
