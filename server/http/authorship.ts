import type { Request, Response } from 'express';
import { provenanceHeader, reasonDemanded, reasonIn } from '../../core/api/provenance.ts';
import { authorshipIn, type Authorship } from '../../core/app/authorship.ts';
import { getPrincipal } from './access.ts';

/**
 * Returns a reader of authorship: author from the token or session, reason from the X-Provenance header.
 *
 * @throws FhirError `business-rule` from the returned function if a required reason is missing.
 */
export function createAuthorshipReader(demandsReason: () => boolean) {
  return (request: Request, response: Response): Authorship => {
    const { name: author, person, seat } = getPrincipal(response);
    const reason = getReason(request);
    if (reason === undefined && seat && demandsReason()) throw reasonDemanded();
    return authorshipIn({ author, person, reason });
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the reason of an X-Provenance header. */
function getReason(request: Request): string | undefined {
  const header = request.get(provenanceHeader);
  return header === undefined ? undefined : reasonIn(decodeHeader(header));
}

/** Decodes a header as UTF-8. Node decodes headers as Latin-1. */
function decodeHeader(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
