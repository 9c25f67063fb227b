/** What a Prefer header (RFC 7240, FHIR R4 http.html#ops) asks for; what is not understood is left out. */
export interface Preferences {
  readonly return?: 'minimal' | 'representation' | 'OperationOutcome';
  readonly handling?: 'strict' | 'lenient';
}

const returns = ['minimal', 'representation', 'OperationOutcome'] as const;
const handlings = ['strict', 'lenient'] as const;

/** Reads a Prefer header; the first preference of a name counts. */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return {};
  const values = new Map<string, string>();
  for (const part of header.split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=').map((text) => text.trim().replace(/^"|"$/g, ''));
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  const wanted = returns.find((one) => one.toLowerCase() === values.get('return')?.toLowerCase());
  const handling = handlings.find((one) => one === values.get('handling')?.toLowerCase());
  return { ...(wanted && { return: wanted }), ...(handling && { handling }) };
}

/** The Preference-Applied header (RFC 7240 section 3) for the preferences that an answer followed. */
export function preferenceApplied(applied: Preferences): Record<string, string> {
  const text = Object.entries(applied)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');
  return text === '' ? {} : { 'Preference-Applied': text };
}
