/** How the values of flags are read from text; each throws FlagError with a sentence that says what is expected. */
import { isIP } from 'node:net';
import { formatList } from '../../core/text/language.ts';

/** A value that cannot be used; the flag's or variable's name is put before the sentence. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Reads a flag that stands once: of several the last counts. */
export function last<Value>(read: (text: string) => Value): (texts: readonly string[]) => Value {
  return (texts) => read(texts.at(-1) ?? '');
}

/** Reads a flag that may stand several times. */
export function each<Value>(read: (text: string) => Value): (texts: readonly string[]) => readonly Value[] {
  return (texts) => texts.map(read);
}

/** Text that is not empty. */
export function textOf(value: string): string {
  if (value.trim() !== '') return value;
  throw new FlagError('Enter a value.');
}

export function wholeNumber(value: string): number {
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  throw new FlagError('Enter a whole number of at most 9 digits.');
}

/** A whole number from 1 on. */
export function positive(value: string): number {
  const number = wholeNumber(value);
  if (number > 0) return number;
  throw new FlagError('Enter a whole number of at least 1.');
}

export function portOf(value: string): number {
  const port = wholeNumber(value);
  if (port <= 65535) return port;
  throw new FlagError('A port can be at most 65535.');
}

/** Switches stand alone on the command line; an environment variable spells them out. */
export function switchOf(value: string): boolean {
  if (/^(?:true|1|yes|on)$/i.test(value)) return true;
  if (/^(?:false|0|no|off)$/i.test(value)) return false;
  throw new FlagError('Enter true or false.');
}

export function oneOf<Value extends string>(values: readonly Value[]): (value: string) => Value {
  return (value) => {
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    throw new FlagError(`Enter one of ${formatList(values, 'disjunction')}.`);
  };
}

/** An absolute http or https URL without a trailing slash. */
export function publicUrlOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const bare = url && `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  if (url && bare !== undefined && isWeb(url) && [bare, `${bare}/`].includes(url.href)) return bare;
  throw new FlagError('Enter an http or https URL without a query, such as https://fhir.example.org.');
}

/** Milliseconds since 1970 of an instant with its zone. */
export function instantOf(value: string): number {
  const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new FlagError('Enter an instant, such as 2026-01-15T09:00:00Z.');
}

/** An IP address. */
export function addressOf(value: string): string {
  if (isIP(value) !== 0) return value;
  throw new FlagError('Enter an IP address, such as 127.0.0.1, or 0.0.0.0 for all interfaces.');
}

/** A host name, with or without a port. */
export function hostOf(value: string): string {
  const url = /^[A-Za-z0-9.:[\]_-]+$/.test(value) ? `http://${value}` : '';
  if (URL.canParse(url)) return value.toLowerCase();
  throw new FlagError('Enter a host name, such as fhir.example.org or fhir.example.org:8443.');
}

/** An origin as browsers spell it. */
export function originOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && isWeb(url) && [url.origin, `${url.origin}/`].includes(value.toLowerCase())) return url.origin;
  throw new FlagError('Enter an origin, such as https://app.example.org. * is not allowed.');
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** The environment variable that stands in for a flag. */
export function variableOf({ name }: { readonly name: string }): string {
  return `CHARTKEEPER_${name.toUpperCase().replaceAll('-', '_')}`;
}
