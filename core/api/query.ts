import { FhirError } from '../fhir/outcome.ts';

/**
 * Name and value pairs of a query string, in order and decoded; `+` is a space.
 *
 * @throws FhirError `malformed` where a percent escape cannot be decoded.
 */
export function parseQuery(query: string): [name: string, value: string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const name = at === -1 ? pair : pair.slice(0, at);
      return [decode(name), decode(at === -1 ? '' : pair.slice(at + 1))];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new FhirError('malformed', { text: 'The address holds a percent escape that cannot be decoded.' });
  }
}

/** The query string of name and value pairs, without `?`; empty values are left out. */
export function formatQuery(pairs: Iterable<readonly [name: string, value: string]>): string {
  return [...pairs]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}
