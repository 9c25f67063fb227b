import { defineMessages, type Message } from '../../text/message.ts';
import type { ConformanceSet } from '../profiles/conformance.ts';
import {
  readValueSet,
  readCodeSystem,
  type Component,
  type Contained,
  type ValueSet,
  type Concept,
} from './definitions.ts';

/** Missing definitions, as phrases. */
const needs = defineMessages('needs', {
  valueSet: 'ValueSet {canonical}',
  valueSetCodes: 'the codes of ValueSet {canonical}',
  codeSystem: 'CodeSystem {system}',
  filter: 'the filter {property} {op} on CodeSystem {system}',
});

/** Whether a code is in a value set, or the missing definition. */
type Membership =
  | { readonly status: 'in' | 'out' }
  | { readonly status: 'undecided'; readonly needs: Message };

export interface Coded {
  /** Undefined for an element of type code. The binding implies its system. */
  readonly system: string | undefined;
  readonly code: string;
}

export type Terminology = ReturnType<typeof terminologyOf>;

const isMember: Membership = { status: 'in' };
const notMember: Membership = { status: 'out' };

/** Maximum nesting of value sets. Deeper nesting is a circle. */
const maxDepth = 20;

/** Filters by the hierarchy of a complete code system. */
const filters: Readonly<Record<string, (codes: Codes, code: string, value: string) => boolean>> = {
  '=': (codes, code, value) => codes.find(code) === value,
  'is-a': (codes, code, value) => codes.find(code) === value || codes.isBelow(code, value),
  'descendent-of': (codes, code, value) => codes.isBelow(code, value),
  'is-not-a': (codes, code, value) => codes.find(code) !== value && !codes.isBelow(code, value),
  in: (codes, code, value) => value.split(',').some((item) => item.trim() === codes.find(code)),
  'not-in': (codes, code, value) => !value.split(',').some((item) => item.trim() === codes.find(code)),
};

/** Creates the lookups for a set's definitions. Each definition is read on demand. */
export function terminologyOf(set: ConformanceSet) {
  const valueSets = new Map<string, ValueSet | undefined>();
  const systems = new Map<string, Codes | undefined>();

  function codes(system: string, version?: string): Codes | undefined {
    const canonical = version === undefined ? system : `${system}|${version}`;
    return getOrCreate(systems, canonical, () => codesOf(set.codeSystem(canonical)));
  }

  function valueSetOf(canonical: string): ValueSet | undefined {
    return getOrCreate(valueSets, canonical, () => readValueSet(set.valueSet(canonical)));
  }

  function findInSet(canonical: string, coded: Coded, depth: number): Membership {
    const valueSet = depth > maxDepth ? undefined : valueSetOf(canonical);
    if (!valueSet) return { status: 'undecided', needs: needs.valueSet({ canonical }) };
    const { compose, expansion } = valueSet;
    if (compose && compose.include.length > 0) {
      const inclusion = findInAny(compose.include, coded, depth);
      if (inclusion.status === 'out') return notMember;
      const exclusion = findInAny(compose.exclude, coded, depth);
      if (exclusion.status === 'in') return notMember;
      return exclusion.status === 'undecided' ? exclusion : inclusion;
    }
    if (!expansion || expansion.contains.length === 0) {
      return { status: 'undecided', needs: needs.valueSetCodes({ canonical }) };
    }
    if (isListed(expansion.contains, coded)) return isMember;
    const isWhole = expansion.total === undefined || expansion.total <= expansion.contains.length;
    return isWhole ? notMember : { status: 'undecided', needs: needs.valueSetCodes({ canonical }) };
  }

  function findInAny(components: readonly Component[], coded: Coded, depth: number): Membership {
    let result: Membership = notMember;
    for (const component of components) {
      const membership = findInComponent(component, coded, depth);
      if (membership.status === 'in') return isMember;
      if (membership.status === 'undecided') result = membership;
    }
    return result;
  }

  function findInComponent(
    { system, version, valueSet, concept, filter }: Component,
    coded: Coded,
    depth: number,
  ): Membership {
    let result: Membership = isMember;
    for (const canonical of valueSet) {
      const membership = findInSet(canonical, coded, depth + 1);
      if (membership.status === 'out') return notMember;
      if (membership.status === 'undecided') result = membership;
    }
    if (system === undefined) return result;
    if (coded.system !== undefined && coded.system !== system) return notMember;
    if (concept.length > 0) return concept.some(({ code }) => code === coded.code) ? result : notMember;
    const systemCodes = codes(system, version);
    if (!systemCodes) return { status: 'undecided', needs: needs.codeSystem({ system }) };
    if (systemCodes.find(coded.code) === undefined) return notMember;
    for (const { property, op, value } of filter) {
      const filterMatches = property === 'concept' || property === 'code' ? filters[op] : undefined;
      if (!filterMatches) return { status: 'undecided', needs: needs.filter({ property, op, system }) };
      if (!filterMatches(systemCodes, coded.code, value)) return notMember;
    }
    return result;
  }

  function systemsOf(canonical: string, depth: number): ReadonlySet<string> | undefined {
    const valueSet = depth > maxDepth ? undefined : valueSetOf(canonical);
    if (!valueSet?.compose) return undefined;
    const foundSystems = new Set<string>();
    for (const { system, valueSet: importedSets } of valueSet.compose.include) {
      if (system !== undefined) foundSystems.add(system);
      for (const importedSet of importedSets) {
        const importedSystems = systemsOf(importedSet, depth + 1);
        if (!importedSystems) return undefined;
        for (const importedSystem of importedSystems) foundSystems.add(importedSystem);
      }
    }
    return foundSystems;
  }

  return {
    /** Returns whether a code is in the value set of a canonical. */
    membership: (valueSet: string, coded: Coded) => findInSet(valueSet, coded, 0),
    /** Returns the code systems of a value set; undefined if a definition is missing. */
    systems: (valueSet: string) => systemsOf(valueSet, 0),
    /** Returns the codes of a complete code system, if available. */
    codes,
  };
}

function isListed(contains: readonly Contained[], coded: Coded): boolean {
  return contains.some(
    ({ system, code, abstract = false, contains: children = [] }) =>
      (code === coded.code && !abstract && (coded.system === undefined || coded.system === system)) ||
      isListed(children, coded),
  );
}

/** Returns the cached value of a key. Creates it on the first call. */
export function getOrCreate<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const cachedValue = map.get(key);
  if (cachedValue !== undefined || map.has(key)) return cachedValue as Value;
  const created = make();
  map.set(key, created);
  return created;
}

type Codes = NonNullable<ReturnType<typeof codesOf>>;

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
    display: (code: string) => concepts.get(fold(code))?.display,
    /** Returns true if a code is a descendant of another one. */
    isBelow: (code: string, ancestor: string) => isBelow(fold(code), fold(ancestor), new Set()),
  };
}
