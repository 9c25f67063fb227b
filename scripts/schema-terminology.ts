import type { Concept, Sources, ValueSet } from './schema-sources.ts';

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
  const systems = [...codeSystems.values()].map(({ url, concept = [], ...others }) => ({
    ...{ resourceType: 'CodeSystem', url },
    ...picked(others, ['content', 'caseSensitive']),
    concept: concept.map(slimConcept),
  }));
  const constraints = [...elements.values()].flat().flatMap((one) => (one as Constrained).constraint ?? []);
  const invariants = Object.fromEntries(constraints.map(({ key, expression }) => [key, expression]));
  const bindings = Object.fromEntries(
    [...elements.values()].flat().flatMap(({ path, binding }) => {
      const { strength, valueSet } = binding ?? {};
      return strength === 'required' && valueSet !== undefined ? [[path, withoutVersion(valueSet)]] : [];
    }),
  );
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    `export const definitions = ${JSON.stringify(JSON.stringify([...sets, ...systems]))};`,
    `export const invariants = ${JSON.stringify(JSON.stringify(invariants))};`,
    `export const bindings = ${JSON.stringify(JSON.stringify(bindings))};`,
    '',
  ].join('\n');
}

function withoutVersion(canonical: string): string {
  return canonical.replace(/\|.*$/, '');
}

interface Constrained {
  readonly constraint?: readonly { readonly key: string; readonly expression?: string }[];
}

function picked(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
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
