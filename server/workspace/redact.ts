/** What stands where a secret stood. */
const redacted = '[redacted]';

/** Parameters whose value is a secret by name. */
const secretNames =
  /^(?:access_?token|refresh_?token|id_?token|token|client_?secret|secret|password|passwd|authorization|api_?key)$/i;

/** Parameters whose value the server made itself, and which may look random. */
const ownNames = new Set(['_cursor']);

/** A token as `token` and the server mint them (43 characters of base64url), a JSON Web Token, a Bearer header. */
const tokenForms = [
  /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[a-z])(?=[A-Za-z0-9_-]*[A-Z])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/,
  // A bound: of many beginnings none may look through all that follows.
  /\beyJ[A-Za-z0-9_-]{8,1024}\.[A-Za-z0-9_-]+/,
  /\bbearer\s+\S{8,}/i,
];

/** Whether a text may fit one of the forms: it is long enough for the first, or has what the others begin with. */
function mayHoldToken(text: string): boolean {
  return text.length >= 43 || text.includes('eyJ') || /bearer/i.test(text);
}

/**
 * A path with its query in which whatever looks like a token, or is `own` (the one that the request itself brought),
 * is replaced. Looks at the decoded text, however it was escaped.
 */
export function redactPath(path: string, own: string): string {
  const at = path.indexOf('?');
  const segments = (at === -1 ? path : path.slice(0, at)).split('/');
  const clean = segments.map((segment) => (isSecret(decoded(segment), own) ? redacted : segment)).join('/');
  if (at === -1) return clean;
  const pairs = path.slice(at + 1).split('&');
  return `${clean}?${pairs.map((pair) => redactPair(pair, own)).join('&')}`;
}

/** A sentence in which each word that looks like a token is replaced. */
export function redactNote(note: string): string {
  return tokenForms.reduce(
    // oxlint-disable-next-line security/detect-non-literal-regexp -- of the table above
    (text, form) => text.replaceAll(new RegExp(form, `g${form.flags}`), redacted),
    note,
  );
}

function redactPair(pair: string, own: string): string {
  const at = pair.indexOf('=');
  const name = at === -1 ? pair : pair.slice(0, at);
  if (isSecret(decoded(name), own)) return redacted;
  if (at === -1) return pair;
  const value = decoded(pair.slice(at + 1));
  const plain = decoded(name);
  const secret = ownNames.has(plain)
    ? own !== '' && value.includes(own)
    : secretNames.test(plain) || isSecret(value, own);
  return secret ? `${name}=${redacted}` : pair;
}

function isSecret(text: string, own: string): boolean {
  if (own !== '' && text.includes(own)) return true;
  return mayHoldToken(text) && tokenForms.some((form) => form.test(text));
}

/** Decoded until nothing changes, at most three times: an escape may hide another. */
function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  let plain = text.replaceAll('+', ' ');
  for (let round = 0; round < 3; round += 1) {
    const next = decodeOnce(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
