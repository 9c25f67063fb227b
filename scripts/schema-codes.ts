import type { Concept, ElementDefinition, Sources } from './schema-sources.ts';

/**
 * The codes of an element's required binding (FHIR R4 terminologies.html#required), or undefined where there is none
 * or where the value set is a grammar (media types) rather than a list.
 */
export function requiredCodes(element: ElementDefinition, sources: Sources): string[] | undefined {
  if (element.binding?.strength !== 'required' || element.type?.some(({ code }) => code !== 'code')) {
    return undefined;
  }
  const url = element.binding.valueSet?.split('|')[0] ?? '';
  const compose = sources.valueSets.get(url)?.compose;
  if (!compose) throw new Error(`${element.path}: value set ${url} is not among the definitions`);
  const codes: string[] = [];
  for (const { system = '', concept, filter, valueSet } of compose.include) {
    if (filter || valueSet || compose.exclude) throw new Error(`${url}: only plain lists can be expanded`);
    const concepts = concept ?? sources.codeSystems.get(system)?.concept;
    if (!concepts) return undefined;
    codes.push(...flatten(concepts));
  }
  return [...new Set(codes)];
}

function* flatten(concepts: readonly Concept[]): Generator<string> {
  for (const { code, property, concept } of concepts) {
    const abstract = property?.some((one) => one.code === 'notSelectable' && one.valueBoolean === true);
    if (!abstract) yield code;
    if (concept) yield* flatten(concept);
  }
}
