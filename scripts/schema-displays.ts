import { createModule, type Sources, type ValueSet } from './schema-sources.ts';

export const displayDeclarations = `/** Made by scripts/schema.ts. */
/** R4's own displays of LOINC's codes for documents and their sections. */
export declare const loincDisplays: Readonly<Record<string, string>>;
`;

const loinc = 'http://loinc.org';
const valueSetNames = ['document-classcodes', 'doc-section-codes'];

/**
 * Returns the text of displays.js. The value set of sections states its displays only in its narrative. The one of all
 * document types, with 6,400 codes, would be larger than the tables of the rules.
 */
export function createDisplayModule({ valueSets }: Sources): string {
  const displays = valueSetNames.flatMap((name) => {
    const valueSet = valueSets.get(`http://hl7.org/fhir/ValueSet/${name}`);
    const narrated = narratedDisplays(valueSet);
    const concepts = valueSet?.compose?.include.filter(({ system }) => system === loinc) ?? [];
    return concepts
      .flatMap(({ concept = [] }) => concept)
      .map(({ code, display = narrated.get(code) ?? '' }) => [code, display] as const);
  });
  if (displays.some(([, display]) => display === '')) throw new Error('A code of R4 has no display.');
  const table = Object.fromEntries(displays.sort(([left], [right]) => (left < right ? -1 : 1)));
  return createModule({ loincDisplays: JSON.stringify(table) });
}

/** Returns the displays in the table of a value set's narrative, by code. */
function narratedDisplays(valueSet: ValueSet | undefined): ReadonlyMap<string, string> {
  const rows = (valueSet?.text?.div ?? '').matchAll(
    /<td><a href="[^"]*">(?<code>[^<]*)<\/a><\/td><td>(?<display>[^<]*)<\/td>/g,
  );
  return new Map(
    Array.from(rows, ({ groups: { code = '', display = '' } = {} }) => [code, unescapeMarkup(display)]),
  );
}

function unescapeMarkup(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
