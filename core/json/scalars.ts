/** The two scalars with an inner grammar. Both functions read at an offset and never beyond the token. */
import { defineMessages, type Message } from '../text/message.ts';

const messages = defineMessages('json', {
  unterminatedString: 'Unterminated string.',
  controlCharacter: 'Control character in a string.',
  invalidEscape: 'Invalid escape in a string.',
});

const hex = /^[0-9a-fA-F]{4}$/;
const escapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export interface StringToken {
  readonly value: string;
  readonly end: number;
}

/** Reads the string that starts at `start` (a double quote). Returns a message if it is malformed. */
export function scanString(text: string, start: number): StringToken | Message {
  let offset = start + 1;
  let copiedEnd = offset;
  let value = '';
  for (;;) {
    const char = text.charCodeAt(offset);
    if (char === 0x22) {
      value = copiedEnd === start + 1 ? text.slice(copiedEnd, offset) : value + text.slice(copiedEnd, offset);
      return { value, end: offset + 1 };
    }
    if (Number.isNaN(char)) return messages.unterminatedString();
    if (char < 0x20) return messages.controlCharacter();
    if (char !== 0x5c) {
      offset += 1;
      continue;
    }
    value += text.slice(copiedEnd, offset);
    const escape = text.charAt(offset + 1);
    const plain = escapes[escape];
    if (plain !== undefined) {
      value += plain;
      offset += 2;
    } else if (escape === 'u' && hex.test(text.slice(offset + 2, offset + 6))) {
      value += String.fromCharCode(parseInt(text.slice(offset + 2, offset + 6), 16));
      offset += 6;
    } else {
      return messages.invalidEscape();
    }
    copiedEnd = offset;
  }
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Returns the offset after the number that starts at `start`; undefined if there is none (RFC 8259 section
 * 6).
 */
export function scanNumber(text: string, start: number): number | undefined {
  number.lastIndex = start;
  return number.test(text) ? number.lastIndex : undefined;
}
