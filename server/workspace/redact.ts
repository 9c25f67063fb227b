/** Replacement for a secret. */
const redacted = '[redacted]';

/** Names of parameters with secret values. */
const secretNames =
  /^(?:access_?token|refresh_?token|id_?token|token|client_?secret|secret|password|passwd|authorization|api_?key)$/i;

/** Parameters whose values this server creates and which may look random. */
const ownNames = new Set(['_cursor']);

/** Patterns of tokens: created tokens (43 characters of base64url), JSON Web Tokens, Bearer headers. */
const tokenForms = [
  /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[a-z])(?=[A-Za-z0-9_-]*[A-Z])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/,
  // The bound prevents quadratic time for many prefixes.
  /\beyJ[A-Za-z0-9_-]{8,1024}\.[A-Za-z0-9_-]+/,
  /\bbearer\s+\S{8,}/i,
];

/**
 * Returns true if a text may match a pattern: it is long enough for the first pattern, or contains a prefix of another
 * pattern.
 */
function mayHoldToken(text: string): boolean {
  return text.length >= 43 || text.includes('eyJ') || /bearer/i.test(text);
}

/**
 * Redacts all parts of a path and its query that look like a token or contain `ownToken`, the token of the request.
 * Checks the decoded text, however it was escaped.
 */
export function redactPath(path: string, ownToken: string): string {
  const queryStart = path.indexOf('?');
  const segments = (queryStart === -1 ? path : path.slice(0, queryStart)).split('/');
  const clean = segments
    .map((segment) => (isSecret(decodeFully(segment), ownToken) ? redacted : segment))
    .join('/');
  if (queryStart === -1) return clean;
  const pairs = path.slice(queryStart + 1).split('&');
  return `${clean}?${pairs.map((pair) => redactPair(pair, ownToken)).join('&')}`;
}

/** Redacts each word of a sentence that looks like a token. */
export function redactNote(note: string): string {
  return tokenForms.reduce(
    // oxlint-disable-next-line security/detect-non-literal-regexp -- of the table above
    (text, form) => text.replaceAll(new RegExp(form, `g${form.flags}`), redacted),
    note,
  );
}

function redactPair(pair: string, ownToken: string): string {
  const separatorIndex = pair.indexOf('=');
  const name = separatorIndex === -1 ? pair : pair.slice(0, separatorIndex);
  if (isSecret(decodeFully(name), ownToken)) return redacted;
  if (separatorIndex === -1) return pair;
  const value = decodeFully(pair.slice(separatorIndex + 1));
  const plain = decodeFully(name);
  const secret = ownNames.has(plain)
    ? ownToken !== '' && value.includes(ownToken)
    : secretNames.test(plain) || isSecret(value, ownToken);
  return secret ? `${name}=${redacted}` : pair;
}

function isSecret(text: string, ownToken: string): boolean {
  if (ownToken !== '' && text.includes(ownToken)) return true;
  return mayHoldToken(text) && tokenForms.some((form) => form.test(text));
}

/** Decodes a text until nothing changes, at most three times, because an escape may contain another one. */
function decodeFully(text: string): string {
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
