import type { Concept, ElementDefinition, Sources } from './schema-sources.ts';

/**
 * Returns the codes of an element's required binding (FHIR R4 terminologies.html#required). Returns undefined
 * without such a binding, or if the value set is a grammar (media types) rather than a list.
 */
export function listRequiredCodes(element: ElementDefinition, sources: Sources): string[] | undefined {
  const concepts = listRequiredConcepts(element, sources);
  return concepts && [...new Set(concepts.map(({ code }) => code))];
}

/** Returns the codes of a required binding with their definitions. */
export function listRequiredConcepts(element: ElementDefinition, sources: Sources): Concept[] | undefined {
  if (element.binding?.strength !== 'required' || element.type?.some(({ code }) => code !== 'code')) {
    return undefined;
  }
  const url = element.binding.valueSet?.split('|')[0] ?? '';
  const compose = sources.valueSets.get(url)?.compose;
  if (!compose) throw new Error(`${element.path}: value set ${url} is not among the definitions`);
  const expanded: Concept[] = [];
  for (const { system = '', concept, filter, valueSet } of compose.include) {
    if (filter || valueSet || compose.exclude) throw new Error(`${url}: only plain lists can be expanded`);
    const concepts = concept ?? sources.codeSystems.get(system)?.concept;
    if (!concepts) return undefined;
    expanded.push(...flatten(concepts));
  }
  return expanded;
}

function* flatten(concepts: readonly Concept[]): Generator<Concept> {
  for (const entry of concepts) {
    const { property, concept } = entry;
    const isAbstract = property?.some(
      (candidate) => candidate.code === 'notSelectable' && candidate.valueBoolean === true,
    );
    if (!isAbstract) yield entry;
    if (concept) yield* flatten(concept);
  }
}
