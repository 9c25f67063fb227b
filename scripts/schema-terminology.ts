import { createModule, type Concept, type Sources, type ValueSet } from './schema-sources.ts';

export const terminologyDeclarations = `/** Made by scripts/schema.ts. */
/** JSON of R4's value sets and code systems, with what tells their codes: an array. Parsed when it is first needed. */
export declare const definitions: string;
/** JSON of the invariants of R4's own types: their expressions by key. */
export declare const invariants: string;
/** JSON of R4's own required bindings: the value set by the path of the element. */
export declare const bindings: string;
`;

/** Properties that define the position of a code in a hierarchy. */
const hierarchy = new Set(['subsumedBy', 'parent', 'child']);

/**
 * Returns the text of r4.js: the definitions that profiles may refer to. It is loaded only for a validation
 * by packages.
 */
export function createTerminologyModule({ valueSets, codeSystems, elements }: Sources): string {
  const sets = [...valueSets.values()].map(({ url, compose }) => ({
    resourceType: 'ValueSet',
    url,
    compose: slimCompose(compose),
  }));
  const systems = [...codeSystems.values()].map(({ url, caseSensitive, content, concept = [] }) => ({
    resourceType: 'CodeSystem',
    url,
    caseSensitive,
    content,
    concept: concept.map(slimConcept),
  }));
  const allElements = [...elements.values()].flat();
  const constraints = allElements.flatMap(({ constraint = [] }) => constraint);
  const invariants = Object.fromEntries(constraints.map(({ key, expression }) => [key, expression]));
  const bindings = Object.fromEntries(
    allElements.flatMap(({ path, binding: { strength, valueSet } = {} }) =>
      strength === 'required' && valueSet !== undefined ? [[path, valueSet.replace(/\|.*$/, '')]] : [],
    ),
  );
  const toJsonText = (value: unknown) => JSON.stringify(JSON.stringify(value));
  return createModule({
    definitions: toJsonText([...sets, ...systems]),
    invariants: toJsonText(invariants),
    bindings: toJsonText(bindings),
  });
}

/** Returns a concept without the texts that explain it. */
function slimConcept({ code, display, property = [], concept }: Concept): object {
  const hierarchyProperties = property.filter((entry) => hierarchy.has(entry.code));
  return {
    code,
    display,
    ...(hierarchyProperties.length > 0 && { property: hierarchyProperties }),
    ...(concept && { concept: concept.map(slimConcept) }),
  };
}

function slimCompose(compose: ValueSet['compose']): unknown {
  if (!compose) return undefined;
  const slim = (part: { readonly concept?: readonly Concept[] }) => ({
    ...part,
    ...(part.concept && { concept: part.concept.map(({ code }) => ({ code })) }),
  });
  const { include, exclude } = compose;
  return { include: include.map(slim), ...(exclude && { exclude: (exclude as typeof include).map(slim) }) };
}
