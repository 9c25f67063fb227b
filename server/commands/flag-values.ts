/** Parsers of flag values. Each throws a FlagError that states the expected form. */
import { isIP } from 'node:net';
import { formatList } from '../../core/text/language.ts';

/** An invalid value. The caller adds the name of the flag or variable to the message. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Returns a parser for a flag with one value. The last of several values wins. */
export function parseLast<Value>(parseText: (text: string) => Value): (texts: readonly string[]) => Value {
  return (texts) => parseText(texts.at(-1) ?? '');
}

/** Returns a parser for a repeatable flag. */
export function parseEach<Value>(
  parseText: (text: string) => Value,
): (texts: readonly string[]) => readonly Value[] {
  return (texts) => texts.map(parseText);
}

/** Parses text that is not empty. */
export function textOf(value: string): string {
  if (value.trim() !== '') return value;
  throw new FlagError('Enter a value.');
}

export function wholeNumber(value: string): number {
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  throw new FlagError('Enter a whole number of at most 9 digits.');
}

/** Parses a whole number of at least 1. */
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

/** Parses a switch. Only an environment variable gives it a text. */
export function switchOf(value: string): boolean {
  if (/^(?:true|1|yes|on)$/i.test(value)) return true;
  if (/^(?:false|0|no|off)$/i.test(value)) return false;
  throw new FlagError('Enter true or false.');
}

export function parseOneOf<Value extends string>(values: readonly Value[]): (value: string) => Value {
  return (value) => {
    const match = values.find((candidate) => candidate === value);
    if (match !== undefined) return match;
    throw new FlagError(`Enter one of ${formatList(values, 'disjunction')}.`);
  };
}

/** Parses an absolute http or https URL and removes trailing slashes. */
export function publicUrlOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const trimmedUrl = url && `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  if (url && trimmedUrl !== undefined && isWeb(url) && [trimmedUrl, `${trimmedUrl}/`].includes(url.href))
    return trimmedUrl;
  throw new FlagError('Enter an http or https URL without a query, such as https://fhir.example.org.');
}

/** Parses an instant with its zone to milliseconds since 1970. */
export function instantOf(value: string): number {
  const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new FlagError('Enter an instant, such as 2026-01-15T09:00:00Z.');
}

/** Parses an IP address. */
export function addressOf(value: string): string {
  if (isIP(value) !== 0) return value;
  throw new FlagError('Enter an IP address, such as 127.0.0.1, or 0.0.0.0 for all interfaces.');
}

/** Parses a host name, with or without a port. */
export function hostOf(value: string): string {
  const url = /^[A-Za-z0-9.:[\]_-]+$/.test(value) ? `http://${value}` : '';
  if (URL.canParse(url)) return value.toLowerCase();
  throw new FlagError('Enter a host name, such as fhir.example.org or fhir.example.org:8443.');
}

/** Parses an origin in the form that browsers send. */
export function originOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && isWeb(url) && [url.origin, `${url.origin}/`].includes(value.toLowerCase())) return url.origin;
  throw new FlagError('Enter an origin, such as https://app.example.org. * is not allowed.');
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Returns the environment variable of a flag. */
export function environmentVariableOf({ name }: { readonly name: string }): string {
  return `CHARTKEEPER_${name.toUpperCase().replaceAll('-', '_')}`;
}
