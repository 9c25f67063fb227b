/** The two scalars with an inner grammar; both read at an offset and never beyond the token. */

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

/** Reads the string that starts at `start` (a double quote); a sentence is returned where it is malformed. */
export function scanString(text: string, start: number): StringToken | string {
  let at = start + 1;
  let copied = at;
  let value = '';
  for (;;) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      value = copied === start + 1 ? text.slice(copied, at) : value + text.slice(copied, at);
      return { value, end: at + 1 };
    }
    if (Number.isNaN(char)) return 'A string is not closed';
    if (char < 0x20) return 'A control character stands unescaped in a string';
    if (char !== 0x5c) {
      at += 1;
      continue;
    }
    value += text.slice(copied, at);
    const escape = text.charAt(at + 1);
    const plain = escapes[escape];
    if (plain !== undefined) {
      value += plain;
      at += 2;
    } else if (escape === 'u' && hex.test(text.slice(at + 2, at + 6))) {
      value += String.fromCharCode(parseInt(text.slice(at + 2, at + 6), 16));
      at += 6;
    } else {
      return 'A backslash starts no known escape';
    }
    copied = at;
  }
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Offset behind the number that starts at `start`, or undefined where none does (RFC 8259 section 6). */
export function scanNumber(text: string, start: number): number | undefined {
  number.lastIndex = start;
  return number.test(text) ? number.lastIndex : undefined;
}
