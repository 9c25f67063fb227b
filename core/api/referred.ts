import { supportingResourcePath } from '../app/supporting-resources.ts';
import { parseReference } from '../fhir/reference.ts';
import { isFhirId } from '../fhir/resource.ts';
import { fhirPath } from './contract.ts';
import { ApiFailure } from './failure.ts';
import type { RemoteServer } from './remote.ts';

type Send = (method: string, path: string) => Promise<{ readonly text: string }>;

interface ReferenceReaderOptions {
  /** Server behind the gateway; undefined for the local server. */
  readonly remote: RemoteServer | undefined;
  /** Path prefix of the gateway. */
  readonly gateway: string;
  readonly send: Send;
  /** Sends to an address below `/app`. */
  readonly sendApp: Send;
}

/**
 * Creates a function that reads the exact text of a referenced resource other than a record: a supporting
 * resource of the local server, or a resource of the remote server. Undefined if it is not available.
 */
export function createReferenceReader({ remote, gateway, send, sendApp }: ReferenceReaderOptions) {
  return async (reference: string): Promise<string | undefined> => {
    try {
      if (!remote) return (await sendApp('GET', supportingResourcePath(reference))).text;
      const resourcePath = pathBelow(reference, remote.baseUrl);
      return resourcePath && (await send('GET', `${gateway}${fhirPath}/${resourcePath}`)).text;
    } catch (error) {
      if (error instanceof ApiFailure && [404, 410].includes(error.status)) return undefined;
      throw error;
    }
  };
}

/** Returns type and id of a reference to a resource of this server; undefined for other servers. */
function pathBelow(reference: string, baseUrl: string): string | undefined {
  const { type, id = '', base = baseUrl } = parseReference(reference) ?? {};
  const isOnThisServer =
    base === baseUrl && type !== undefined && /^[A-Z][A-Za-z]+$/.test(type) && isFhirId(id);
  return isOnThisServer ? `${type}/${id}` : undefined;
}
