import type { Request, Response } from 'express';
import { provenanceHeader, reasonDemanded, reasonIn } from '../../core/api/provenance.ts';
import { authorshipIn, type Authorship } from '../../core/app/authorship.ts';
import { principalOf } from './access.ts';

/**
 * Who writes, by the token or session of a request, and why, by its X-Provenance header.
 *
 * @throws FhirError from what is returned: `business-rule` where a reason is demanded of people and there is none.
 */
export function authorshipBy(demandsReason: () => boolean) {
  return (request: Request, response: Response): Authorship => {
    const { name: author, person, seat } = principalOf(response);
    const reason = reasonOf(request);
    if (reason === undefined && seat && demandsReason()) throw reasonDemanded();
    return authorshipIn({ author, person, reason });
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The reason of an X-Provenance header. */
function reasonOf(request: Request): string | undefined {
  const header = request.get(provenanceHeader);
  return header === undefined ? undefined : reasonIn(asSent(header));
}

/** A header's value, which Node reads as Latin-1, where a client sent it in UTF-8. */
function asSent(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
