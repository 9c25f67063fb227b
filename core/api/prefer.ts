/** Preferences of a Prefer header (RFC 7240, FHIR R4 http.html#ops). Unknown ones are ignored. */
export interface Preferences {
  readonly return?: 'minimal' | 'representation' | 'OperationOutcome';
  readonly handling?: 'strict' | 'lenient';
}

const returns = ['minimal', 'representation', 'OperationOutcome'] as const;
const handlings = ['strict', 'lenient'] as const;

/** Parses a Prefer header. The first preference of a name counts. */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return {};
  const values = new Map<string, string>();
  for (const part of header.split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=').map((text) => text.trim().replace(/^"|"$/g, ''));
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  const returnPreference = returns.find(
    (candidate) => candidate.toLowerCase() === values.get('return')?.toLowerCase(),
  );
  const handling = handlings.find((candidate) => candidate === values.get('handling')?.toLowerCase());
  return { ...(returnPreference && { return: returnPreference }), ...(handling && { handling }) };
}

/** Returns the Preference-Applied header (RFC 7240 section 3) of the applied preferences. */
export function preferenceApplied(applied: Preferences): Record<string, string> {
  const text = Object.entries(applied)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');
  return text === '' ? {} : { 'Preference-Applied': text };
}
