const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of a text's UTF-8 (RFC 4648 section 4); the text has no lone surrogates. */
export function base64(text: string): string {
  const bytes = [...encodeURIComponent(text).matchAll(/%([0-9A-F]{2})|(.)/g)].map(([, hex, plain]) =>
    hex === undefined ? (plain?.charCodeAt(0) ?? 0) : Number.parseInt(hex, 16),
  );
  let encoded = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.slice(at, at + 3);
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => alphabet[(bits >> shift) & 63] ?? '');
    encoded += digits
      .slice(0, third !== undefined ? 4 : second !== undefined ? 3 : 2)
      .join('')
      .padEnd(4, '=');
  }
  return encoded;
}
