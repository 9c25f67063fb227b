import type { Message } from '../text/message.ts';
import { FhirError } from './outcome.ts';
import { searchMessages } from './search-messages.ts';

/** Returns the error for a value of a parameter that can't be used. The sentence names the parameter and never its value. */
export function badValue(name: string, message: Message): FhirError {
  return new FhirError('value', { ...message, location: locationOf(name) });
}

/** Returns the OperationOutcome location of a parameter. An invalid name is not echoed. */
export function locationOf(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/.test(name) ? `http.${name}` : 'http.query';
}

/**
 * Splits a value at commas without unescaping (FHIR R4 search.html#escaping).
 *
 * @throws FhirError `value` if a part is empty.
 */
export function alternatives(name: string, value: string): string[] {
  const parts = splitAt(value, ',').map((part) => part.trim());
  if (parts.includes('')) throw badValue(name, searchMessages.noValue({ name }));
  return parts;
}

/** Splits at a character that has no backslash before it. */
export function splitAt(text: string, separator: ',' | '|'): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Replaces `\,`, `\|`, `\$` and `\\` by the escaped characters. */
export function unescape(text: string): string {
  return text.replace(/\\([,|$\\])/g, '$1');
}

const ascii = /^[ -~]*$/;

/**
 * Returns a text for comparison: without case and accents (FHIR R4 search.html#string), ß as ss, apostrophes as
 * typed.
 */
export function fold(text: string): string {
  // Most texts have neither accents nor compatibility forms.
  if (ascii.test(text)) return text.toLowerCase();
  const plain = text.replace(/[ßẞ]/g, 'ss').replace(/[‘’‛ʼʹ′]/g, "'");
  const bare = plain.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare === '' ? text.toLowerCase() : bare;
}
