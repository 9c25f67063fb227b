import type { ConformanceSet } from '../profiles/conformance.ts';
import { codesOf, type Codes } from './code-systems.ts';
import { readValueSet, type Component, type Contained, type ValueSet } from './definitions.ts';

/** Whether a code is in a value set; where that cannot be told, what is missing. */
type Membership = { readonly is: 'in' | 'out' } | { readonly is: 'undecided'; readonly needs: string };

export interface Coded {
  /** Absent for an element of type code, whose system the binding implies. */
  readonly system: string | undefined;
  readonly code: string;
}

export type Terminology = ReturnType<typeof terminologyOf>;

const yes: Membership = { is: 'in' };
const no: Membership = { is: 'out' };

/** Value sets that name each other, at most: more is a circle. */
const deepest = 20;

/** Filters by the code's place among the others, which a whole code system tells. */
const filters: Readonly<Record<string, (codes: Codes, code: string, value: string) => boolean>> = {
  '=': (codes, code, value) => codes.find(code) === value,
  'is-a': (codes, code, value) => codes.find(code) === value || codes.isBelow(code, value),
  'descendent-of': (codes, code, value) => codes.isBelow(code, value),
  'is-not-a': (codes, code, value) => codes.find(code) !== value && !codes.isBelow(code, value),
  in: (codes, code, value) => value.split(',').some((one) => one.trim() === codes.find(code)),
  'not-in': (codes, code, value) => !value.split(',').some((one) => one.trim() === codes.find(code)),
};

/** What the definitions of a set tell of codes. Each is read when it is first asked for. */
export function terminologyOf(set: ConformanceSet) {
  const valueSets = new Map<string, ValueSet | undefined>();
  const systems = new Map<string, Codes | undefined>();

  function codes(system: string, version?: string): Codes | undefined {
    const canonical = version === undefined ? system : `${system}|${version}`;
    return remembered(systems, canonical, () => codesOf(set.codeSystem(canonical)));
  }

  function valueSetOf(canonical: string): ValueSet | undefined {
    return remembered(valueSets, canonical, () => readValueSet(set.valueSet(canonical)));
  }

  function inSet(canonical: string, coded: Coded, depth: number): Membership {
    const valueSet = depth > deepest ? undefined : valueSetOf(canonical);
    if (!valueSet) return { is: 'undecided', needs: `ValueSet ${canonical}` };
    const { compose, expansion } = valueSet;
    if (compose && compose.include.length > 0) {
      const included = any(compose.include, coded, depth);
      if (included.is === 'out') return no;
      const excluded = any(compose.exclude, coded, depth);
      if (excluded.is === 'in') return no;
      return excluded.is === 'undecided' ? excluded : included;
    }
    if (!expansion || expansion.contains.length === 0) {
      return { is: 'undecided', needs: `the codes of ValueSet ${canonical}` };
    }
    if (isListed(expansion.contains, coded)) return yes;
    const isWhole = expansion.total === undefined || expansion.total <= expansion.contains.length;
    return isWhole ? no : { is: 'undecided', needs: `the codes of ValueSet ${canonical}` };
  }

  function any(components: readonly Component[], coded: Coded, depth: number): Membership {
    let open: Membership = no;
    for (const component of components) {
      const one = inComponent(component, coded, depth);
      if (one.is === 'in') return yes;
      if (one.is === 'undecided') open = one;
    }
    return open;
  }

  function inComponent(
    { system, version, valueSet, concept, filter }: Component,
    coded: Coded,
    depth: number,
  ): Membership {
    let open: Membership = yes;
    for (const one of valueSet) {
      const found = inSet(one, coded, depth + 1);
      if (found.is === 'out') return no;
      if (found.is === 'undecided') open = found;
    }
    if (system === undefined) return open;
    if (coded.system !== undefined && coded.system !== system) return no;
    if (concept.length > 0) return concept.some(({ code }) => code === coded.code) ? open : no;
    const whole = codes(system, version);
    if (!whole) return { is: 'undecided', needs: `CodeSystem ${system}` };
    if (whole.find(coded.code) === undefined) return no;
    for (const { property, op, value } of filter) {
      const holds = property === 'concept' || property === 'code' ? filters[op] : undefined;
      if (!holds) return { is: 'undecided', needs: `the filter ${property} ${op} on CodeSystem ${system}` };
      if (!holds(whole, coded.code, value)) return no;
    }
    return open;
  }

  function systemsOf(canonical: string, depth: number): ReadonlySet<string> | undefined {
    const valueSet = depth > deepest ? undefined : valueSetOf(canonical);
    if (!valueSet?.compose) return undefined;
    const found = new Set<string>();
    for (const { system, valueSet: others } of valueSet.compose.include) {
      if (system !== undefined) found.add(system);
      for (const one of others) {
        const own = systemsOf(one, depth + 1);
        if (!own) return undefined;
        for (const each of own) found.add(each);
      }
    }
    return found;
  }

  return {
    /** Whether a code is in the value set of a canonical. */
    membership: (valueSet: string, coded: Coded) => inSet(valueSet, coded, 0),
    /** The systems from which a value set takes codes; undefined where that cannot be told. */
    systems: (valueSet: string) => systemsOf(valueSet, 0),
    /** A code system that is at hand as a whole. */
    codes,
  };
}

function isListed(contains: readonly Contained[], coded: Coded): boolean {
  return contains.some(
    ({ system, code, abstract = false, contains: below = [] }) =>
      (code === coded.code && !abstract && (coded.system === undefined || coded.system === system)) ||
      isListed(below, coded),
  );
}

/** What a map holds under a key, made when it is first asked for. */
export function remembered<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Value;
  const made = make();
  map.set(key, made);
  return made;
}
