import { FhirError } from '../fhir/outcome.ts';
import { defineMessages } from '../text/message.ts';

const messages = defineMessages('request', { escape: 'The URL contains an invalid percent escape.' });

/**
 * Parses a query string to decoded name and value pairs, in order. `+` is a space.
 *
 * @throws FhirError `malformed` if a percent escape is invalid.
 */
export function parseQuery(query: string): [name: string, value: string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const separatorIndex = pair.indexOf('=');
      const name = separatorIndex === -1 ? pair : pair.slice(0, separatorIndex);
      return [decode(name), decode(separatorIndex === -1 ? '' : pair.slice(separatorIndex + 1))];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new FhirError('malformed', messages.escape());
  }
}

/** Formats name and value pairs as a query string without `?`. Empty values are left out. */
export function formatQuery(pairs: Iterable<readonly [name: string, value: string]>): string {
  return [...pairs]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}
