import { readCodeSystem, type Concept } from './definitions.ts';

export type Codes = NonNullable<ReturnType<typeof codesOf>>;

/**
 * The codes of a whole code system (FHIR R4 codesystem.html, `content` complete): all are known. Undefined where the
 * definition is no code system, or not all of one.
 */
export function codesOf(definition: unknown) {
  const system = readCodeSystem(definition);
  if (system?.content !== 'complete') return undefined;
  const fold = system.caseSensitive === false ? (code: string) => code.toLowerCase() : (code: string) => code;
  const concepts = new Map<string, Concept>();
  const parents = new Map<string, Set<string>>();
  const addParent = (code: string, parent: string) => {
    const own = parents.get(code) ?? new Set();
    own.add(fold(parent));
    parents.set(code, own);
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

  function isBelow(code: string, ancestor: string, seen: Set<string>): boolean {
    for (const parent of parents.get(code) ?? []) {
      if (parent === ancestor) return true;
      if (seen.has(parent)) continue;
      seen.add(parent);
      if (isBelow(parent, ancestor, seen)) return true;
    }
    return false;
  }

  return {
    /** The code as the system writes it; undefined where it has none such. */
    find: (code: string) => concepts.get(fold(code))?.code,
    /** What the system calls a code. */
    display: (code: string) => concepts.get(fold(code))?.display,
    /** Whether a code is below another (`is-a` without itself). */
    isBelow: (code: string, ancestor: string) => isBelow(fold(code), fold(ancestor), new Set()),
  };
}
