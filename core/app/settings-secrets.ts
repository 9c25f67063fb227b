/** Members that may hold a secret, by their names. */
const secretName =
  /secret|passw|pass_?(?:phrase|code)|private_?key|api_?key|credential|^(?:proxy)?authorization$|^cookie$|(?:^|_)(?:access|refresh|id|bearer)?_?token$/i;

/** Keys, signed tokens, and addresses with a password, wherever they stand. */
const secretText =
  /-----BEGIN [A-Z ]*PRIVATE KEY|^(?:Bearer|Basic) \S|^eyJ[\w-]+\.[\w-]+\.|^[a-z]+:\/\/[^/\s]*:[^/\s]*@/i;

/**
 * What looks like a secret in a value, in a sentence that names its place and quotes nothing of it; undefined where
 * nothing does. Settings are read by whoever reads the folder.
 */
export function secretIn(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return secretText.test(value) ? refusal(place) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    const inner = place === '' ? name : `${place}.${name}`;
    const found = secretName.test(name) ? refusal(inner) : secretIn(held, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refusal(place: string): string {
  return `${place} looks like a secret. Remove it from the file, and enter it in the connection: files hold none.`;
}
