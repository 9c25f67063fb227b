declare global {
  /** Global functions in every environment that runs this code. This folder has no types of an environment. */
  function btoa(text: string): string;
  function atob(text: string): string;
}

/** Base64 of a text's UTF-8 (RFC 4648 section 4); the text has no lone surrogates. */
export function base64(text: string): string {
  const byte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return btoa(encodeURIComponent(text).replaceAll(/%([0-9A-F]{2})/g, byte));
}
