import type { Concept, ElementDefinition, Sources } from './schema-sources.ts';

/**
 * The codes of an element's required binding (FHIR R4 terminologies.html#required), or undefined where there is none
 * or where the value set is a grammar (media types) rather than a list.
 */
export function requiredCodes(element: ElementDefinition, sources: Sources): string[] | undefined {
  const concepts = requiredConcepts(element, sources);
  return concepts && [...new Set(concepts.map(({ code }) => code))];
}

/** The same codes with what the definitions say of each. */
export function requiredConcepts(element: ElementDefinition, sources: Sources): Concept[] | undefined {
  if (element.binding?.strength !== 'required' || element.type?.some(({ code }) => code !== 'code')) {
    return undefined;
  }
  const url = element.binding.valueSet?.split('|')[0] ?? '';
  const compose = sources.valueSets.get(url)?.compose;
  if (!compose) throw new Error(`${element.path}: value set ${url} is not among the definitions`);
  const found: Concept[] = [];
  for (const { system = '', concept, filter, valueSet } of compose.include) {
    if (filter || valueSet || compose.exclude) throw new Error(`${url}: only plain lists can be expanded`);
    const concepts = concept ?? sources.codeSystems.get(system)?.concept;
    if (!concepts) return undefined;
    found.push(...flatten(concepts));
  }
  return found;
}

function* flatten(concepts: readonly Concept[]): Generator<Concept> {
  for (const one of concepts) {
    const { property, concept } = one;
    const abstract = property?.some((one) => one.code === 'notSelectable' && one.valueBoolean === true);
    if (!abstract) yield one;
    if (concept) yield* flatten(concept);
  }
}
