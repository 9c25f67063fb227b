/**
 * Why a version was written, as Provenance (FHIR R4 provenance.html) has it: in the header of a write
 * (http.html#provenance), and in the export that tells it of each version.
 */
import * as v from 'valibot';
import { mostReason, type Authorship } from '../app/authorship.ts';
import type { WriteOperation } from '../app/history.ts';
import { FhirError } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { is } from '../json/shape.ts';

export const provenanceHeader = 'X-Provenance';
const location = `http.${provenanceHeader}`;

const Concept = v.looseObject({
  text: v.exactOptional(v.string()),
  coding: v.exactOptional(
    v.array(v.looseObject({ code: v.exactOptional(v.string()), display: v.exactOptional(v.string()) })),
  ),
});
const Sent = v.looseObject({
  resourceType: v.literal('Provenance'),
  reason: v.exactOptional(v.array(Concept)),
});

/**
 * The reason in the value of an `X-Provenance` header; undefined where it gives none. Its agents are not believed: who
 * writes is known by the token.
 *
 * @throws FhirError `value` where it is no Provenance, or its reason is too long.
 */
export function reasonIn(header: string): string | undefined {
  const sent = parsed(header);
  if (!is(Sent, sent)) throw unreadable();
  const texts = (sent.reason ?? []).map(({ text, coding = [] }) =>
    (text ?? coding.map(({ display, code }) => display ?? code ?? '').join(', ')).trim(),
  );
  const reason = texts
    .filter((text) => text !== '')
    .join('; ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed();
  if (reason.length > mostReason) {
    throw new FhirError('value', { text: `A reason has at most ${mostReason} characters.`, location });
  }
  return reason === '' ? undefined : reason;
}

function parsed(header: string): unknown {
  try {
    return JSON.parse(header);
  } catch {
    throw unreadable();
  }
}

function unreadable(): FhirError {
  return new FhirError('value', {
    text: 'X-Provenance is one Provenance in JSON; its reason is kept with the version, and target is left out.',
    location,
  });
}

/** The fault of a write without a reason where one is demanded. */
export function reasonDemanded(): FhirError {
  return new FhirError('business-rule', {
    text: 'A reason is demanded here for each change. Send X-Provenance with reason.',
    location,
  });
}

/** The value of an `X-Provenance` header in ASCII: what a header can carry (RFC 9110 section 5.5). */
export function provenanceOf(reason: string, recorded: Date, person?: string): string {
  const agent = [{ who: { display: person ?? 'Chartkeeper' } }];
  const written = {
    resourceType: 'Provenance',
    recorded: recorded.toISOString(),
    reason: [{ text: reason }],
    agent,
  };
  return JSON.stringify(written).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What is told of a version. */
export interface ProvenVersion extends Authorship {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly lastUpdated: string;
  readonly operation: WriteOperation;
}

const system = 'http://terminology.hl7.org/CodeSystem';
const participant = { coding: [{ system: `${system}/provenance-participant-type`, code: 'author' }] };

/** A Provenance that tells who wrote a version, through which token, and why. */
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
