import { moduleOf, type Concept, type Sources, type ValueSet } from './schema-sources.ts';

export const terminologyDeclarations = `/** Made by scripts/schema.ts. */
/** JSON of R4's value sets and code systems, with what tells their codes: an array. Parsed when it is first needed. */
export declare const definitions: string;
/** JSON of the invariants of R4's own types: their expressions by key. */
export declare const invariants: string;
/** JSON of R4's own required bindings: the value set by the path of the element. */
export declare const bindings: string;
`;

/** Properties that tell where a code stands among the others. */
const hierarchy = new Set(['subsumedBy', 'parent', 'child']);

/** The text of r4.js: all that the profiles of any package may name. It is loaded where a package is judged by, and else not. */
export function terminologyModule({ valueSets, codeSystems, elements }: Sources): string {
  const sets = [...valueSets.values()].map(({ url, compose }) => ({
    resourceType: 'ValueSet',
    url,
    compose: slimmed(compose),
  }));
  const systems = [...codeSystems.values()].map(({ url, caseSensitive, content, concept = [] }) => ({
    ...{ resourceType: 'CodeSystem', url, caseSensitive, content },
    concept: concept.map(slimConcept),
  }));
  const all = [...elements.values()].flat();
  const constraints = all.flatMap(({ constraint = [] }) => constraint);
  const invariants = Object.fromEntries(constraints.map(({ key, expression }) => [key, expression]));
  const bindings = Object.fromEntries(
    all.flatMap(({ path, binding: { strength, valueSet } = {} }) =>
      strength === 'required' && valueSet !== undefined ? [[path, valueSet.replace(/\|.*$/, '')]] : [],
    ),
  );
  const inText = (value: unknown) => JSON.stringify(JSON.stringify(value));
  return moduleOf({
    definitions: inText([...sets, ...systems]),
    invariants: inText(invariants),
    bindings: inText(bindings),
  });
}

/** Without the words that say what a code means. */
function slimConcept({ code, display, property = [], concept }: Concept): object {
  const placed = property.filter((one) => hierarchy.has(one.code));
  return {
    code,
    display,
    ...(placed.length > 0 && { property: placed }),
    ...(concept && { concept: concept.map(slimConcept) }),
  };
}

function slimmed(compose: ValueSet['compose']): unknown {
  if (!compose) return undefined;
  const slim = (one: { readonly concept?: readonly Concept[] }) => ({
    ...one,
    ...(one.concept && { concept: one.concept.map(({ code }) => ({ code })) }),
  });
  const { include, exclude } = compose;
  return { include: include.map(slim), ...(exclude && { exclude: (exclude as typeof include).map(slim) }) };
}
