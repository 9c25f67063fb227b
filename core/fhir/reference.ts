/**
 * A parsed literal reference (FHIR R4 references.html#literal). `id` is the part that a bare id in a search matches;
 * `type` and `base` are absent if the literal has none.
 */
export interface LiteralReference {
  readonly id: string;
  readonly type?: string;
  readonly base?: string;
}

const history = /\/_history\/[^/]*$/;

/**
 * Parses a literal reference: `Patient/x`, `urn:uuid:x`, `http://host/Patient/x`, `Patient/x/_history/3`, `#x` or a
 * bare `x`. Returns undefined for a text without an id.
 */
export function parseReference(literal: string): LiteralReference | undefined {
  const text = literal.trim().replace(history, '');
  const urn = /^urn:(uuid|oid):(.+)$/i.exec(text);
  if (urn?.[1] && urn[2]) return { id: urn[2], base: `urn:${urn[1].toLowerCase()}` };
  if (text.startsWith('#')) return text.length > 1 ? { id: text.slice(1), base: '#' } : undefined;
  const segments = text.split('/');
  const id = segments.pop();
  if (!id) return undefined;
  const type = segments.pop();
  if (!type) return { id };
  const base = segments.join('/');
  return { id, type, ...(base !== '' && { base }) };
}

/**
 * Parses a canonical (FHIR R4 references.html#canonical). If it ends with no id, such as `http://host/`, all of it is
 * the id.
 */
export function parseCanonical(url: string): LiteralReference | undefined {
  return parseReference(url) ?? (url.trim() === '' ? undefined : { id: url.trim() });
}

/**
 * Returns the bare ids of literals separated by commas. They find references in every form. A text without an id is
 * returned unchanged.
 */
export function bareIds(literals: string): string {
  // An escaped comma is part of a value, and no id has one.
  if (literals.includes('\\')) return literals;
  return literals
    .split(',')
    .map((literal) => {
      const address = literal.trim().replace(/^(https?:[^?#]*).*$/i, '$1');
      return parseReference(withoutEnd(address))?.id ?? literal;
    })
    .join(',');
}

/** Removes trailing slashes of an address. `Patient/` without an id stays unchanged. */
function withoutEnd(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.lastIndexOf('/', end - 1) > 0 ? address.slice(0, end) : address;
}
