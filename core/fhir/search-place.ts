const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A list as base64url (RFC 4648 section 5) of its JSON: what a cursor looks like from outside. */
export function formatPlace(place: readonly (string | number)[]): string {
  // Characters beyond ASCII become JSON escapes, so that each character is one byte.
  const json = JSON.stringify(place).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return btoa(json).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads what {@link formatPlace} wrote; undefined for any other text. */
export function parsePlace(text: string): readonly unknown[] | undefined {
  let bits = 0;
  let held = 0;
  let json = '';
  for (const char of text) {
    const digit = alphabet.indexOf(char);
    if (digit === -1) return undefined;
    bits = ((bits << 6) | digit) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      json += String.fromCharCode((bits >> held) & 255);
    }
  }
  try {
    const place: unknown = JSON.parse(json);
    return Array.isArray(place) ? (place as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
