/**
 * A literal reference taken apart (FHIR R4 references.html#literal). `id` alone is what a bare id in a search finds;
 * `type` and `base` are there where the literal names them.
 */
export interface LiteralReference {
  readonly id: string;
  readonly type?: string;
  readonly base?: string;
}

const history = /\/_history\/[^/]*$/;

/**
 * Takes a literal reference apart: `Patient/x`, `urn:uuid:x`, `http://host/Patient/x`, `Patient/x/_history/3`,
 * `#x` and a bare `x`. Undefined for a text without an id.
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

/** The same of a canonical (FHIR R4 references.html#canonical); one that ends with no id, such as `http://host/`, is all id. */
export function parseCanonical(url: string): LiteralReference | undefined {
  return parseReference(url) ?? (url.trim() === '' ? undefined : { id: url.trim() });
}

/**
 * What finds references to the same in whatever form they stand: the bare ids of one or several literals with commas
 * between them. A text that names no id stays as it is.
 */
export function bareIds(literals: string): string {
  // An escaped comma belongs to a value, and no id has one.
  if (literals.includes('\\')) return literals;
  return literals
    .split(',')
    .map((one) => {
      const address = one.trim().replace(/^(https?:[^?#]*).*$/i, '$1');
      return parseReference(withoutEnd(address))?.id ?? one;
    })
    .join(',');
}

/** An address without slashes at its end; `Patient/` waits for its id, and stays. */
function withoutEnd(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.lastIndexOf('/', end - 1) > 0 ? address.slice(0, end) : address;
}
