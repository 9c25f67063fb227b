import { readCodeSystem, type Concept } from './definitions.ts';

export type Codes = NonNullable<ReturnType<typeof codesOf>>;

/**
 * Returns the codes of a complete code system (FHIR R4 codesystem.html, `content` complete); undefined for
 * other definitions.
 */
export function codesOf(definition: unknown) {
  const system = readCodeSystem(definition);
  if (system?.content !== 'complete') return undefined;
  const fold = system.caseSensitive === false ? (code: string) => code.toLowerCase() : (code: string) => code;
  const concepts = new Map<string, Concept>();
  const parents = new Map<string, Set<string>>();
  const addParent = (code: string, parent: string) => {
    const codeParents = parents.get(code) ?? new Set();
    codeParents.add(fold(parent));
    parents.set(code, codeParents);
  };
  const add = (list: readonly Concept[], parent?: string) => {
    for (const concept of list) {
      const code = fold(concept.code);
      concepts.set(code, concept);
      if (parent !== undefined) addParent(code, parent);
      for (const { code: property, valueCode } of concept.property ?? []) {
        if (valueCode === undefined) continue;
        if (property === 'subsumedBy' || property === 'parent') addParent(code, valueCode);
        if (property === 'child') addParent(fold(valueCode), code);
      }
      add(concept.concept ?? [], code);
    }
  };
  add(system.concept);

  function isBelow(code: string, ancestor: string, visited: Set<string>): boolean {
    for (const parent of parents.get(code) ?? []) {
      if (parent === ancestor) return true;
      if (visited.has(parent)) continue;
      visited.add(parent);
      if (isBelow(parent, ancestor, visited)) return true;
    }
    return false;
  }

  return {
    /** Returns the code as the system writes it; undefined for an unknown code. */
    find: (code: string) => concepts.get(fold(code))?.code,
    /** Returns the display of a code. */
    display: (code: string) => concepts.get(fold(code))?.display,
    /** Returns true if a code is a descendant of another one. */
    isBelow: (code: string, ancestor: string) => isBelow(fold(code), fold(ancestor), new Set()),
  };
}
