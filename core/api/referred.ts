import { companionPath } from '../app/companions.ts';
import { parseReference } from '../fhir/reference.ts';
import { isFhirId } from '../fhir/resource.ts';
import { fhirPath } from './contract.ts';
import { ApiFailure } from './failure.ts';
import type { RemoteServer } from './remote.ts';

type Send = (method: string, path: string) => Promise<{ readonly text: string }>;

interface ReferredParts {
  /** The server behind the gateway; the local one where absent. */
  readonly remote: RemoteServer | undefined;
  /** The gateway's path to it. */
  readonly gateway: string;
  readonly send: Send;
  /** The same below `/app`. */
  readonly sendApp: Send;
}

/**
 * Reads the exact text of what a literal reference leads to that is no record: a companion of the local server, or a
 * resource of the other one; undefined where it is not at hand.
 */
export function referredBy({ remote, gateway, send, sendApp }: ReferredParts) {
  return async (reference: string): Promise<string | undefined> => {
    try {
      if (!remote) return (await sendApp('GET', companionPath(reference))).text;
      const place = placeBelow(reference, remote.baseUrl);
      return place && (await send('GET', `${gateway}${fhirPath}/${place}`)).text;
    } catch (error) {
      if (error instanceof ApiFailure && [404, 410].includes(error.status)) return undefined;
      throw error;
    }
  };
}

/** Type and id of a reference to a resource of a server; undefined where it names none of its. */
function placeBelow(reference: string, baseUrl: string): string | undefined {
  const { type, id = '', base = baseUrl } = parseReference(reference) ?? {};
  const own = base === baseUrl && type !== undefined && /^[A-Z][A-Za-z]+$/.test(type) && isFhirId(id);
  return own ? `${type}/${id}` : undefined;
}
